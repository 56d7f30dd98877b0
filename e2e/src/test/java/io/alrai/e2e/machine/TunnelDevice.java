package io.alrai.e2e.machine;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandleProxies;
import java.nio.ByteBuffer;

/**
 * A network device whose packets are read and written by this process: what the kernel sends
 * through it is read here, and what is written here arrives there. It is gone when it is closed, or
 * with the network namespace that it was moved to. One thread reads, any thread writes.
 */
final class TunnelDevice implements AutoCloseable {
  private static final String MAKER = "/dev/net/tun";

  /** TUNSETIFF of linux/if_tun.h. */
  private static final long SET_INTERFACE = 0x400454caL;

  /** IFF_TUN and IFF_NO_PI: IP packets, nothing before them. */
  private static final short PLAIN_PACKETS = 0x1001;

  /** struct ifreq: 16 bytes of name, then the flags. */
  private static final int REQUEST_BYTES = 40;

  private static final int NAME_BYTES = 16;

  /** O_RDWR of fcntl.h; what Netty opens is only written. */
  private static final int READ_AND_WRITE = 2;

  /** A function of libc. */
  @FunctionalInterface
  public interface Open {
    /** As in open(2). */
    int call(MemorySegment path, int flags);
  }

  /** A function of libc. */
  @FunctionalInterface
  public interface Ioctl {
    /** As in ioctl(2). */
    int call(int descriptor, long request, MemorySegment argument);
  }

  private static final Open OPEN =
      function(
          Open.class,
          "open",
          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));

  private static final Ioctl IOCTL =
      function(
          Ioctl.class,
          "ioctl",
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_LONG,
              ValueLayout.ADDRESS));

  /** Both take more after two arguments, if there is any. */
  @SuppressWarnings("restricted") // native calls are what this is for
  private static <T> T function(Class<T> type, String name, FunctionDescriptor form) {
    Linker linker = Linker.nativeLinker();
    return MethodHandleProxies.asInterfaceInstance(
        type,
        linker.downcallHandle(
            linker.defaultLookup().findOrThrow(name), form, Linker.Option.firstVariadicArg(2)));
  }

  private final FileDescriptor file;

  private TunnelDevice(FileDescriptor file) {
    this.file = file;
  }

  /**
   * Makes a device.
   *
   * @param name at most 15 characters
   * @throws IOException where that is not allowed
   */
  static TunnelDevice open(String name) throws IOException {
    Epoll.ensureAvailability(); // loads what FileDescriptor needs
    try (Arena arena = Arena.ofConfined()) {
      int descriptor = OPEN.call(arena.allocateFrom(MAKER), READ_AND_WRITE);
      if (descriptor < 0) {
        throw new IOException("no " + MAKER);
      }
      FileDescriptor file = new FileDescriptor(descriptor);
      MemorySegment request = arena.allocate(REQUEST_BYTES);
      request.setString(0, name);
      request.set(ValueLayout.JAVA_SHORT, NAME_BYTES, PLAIN_PACKETS);
      if (IOCTL.call(descriptor, SET_INTERFACE, request) < 0) {
        file.close();
        throw new IOException("no device " + name + " can be made");
      }
      return new TunnelDevice(file);
    }
  }

  /**
   * Waits for the next packet and puts it into a direct buffer, from its beginning on.
   *
   * @return its bytes
   * @throws IOException when the device is gone
   */
  int read(ByteBuffer packet) throws IOException {
    return file.read(packet, 0, packet.capacity());
  }

  /**
   * Sends a packet of a direct buffer.
   *
   * @throws IOException when the device is gone, or down
   */
  void write(ByteBuffer packet, int bytes) throws IOException {
    file.write(packet, 0, bytes);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
