package io.alrai.e2e.machine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Carries packets between devices, each of which is the one way to a host: at once, later, or not
 * at all, as is said of the two hosts. A host is the last byte of an IPv4 address. Rules may be
 * changed by any thread; each device has a thread that reads it.
 *
 * <pre>
 * an IPv4 packet:  byte 0 version (4 bits) and more | 12..15 from whom | 16..19 to whom
 * </pre>
 */
final class PacketSwitch implements AutoCloseable {
  /** More than any packet of a device has. */
  private static final int MOST_BYTES = 1 << 16;

  private static final int LAST_OF_SOURCE = 15;
  private static final int LAST_OF_TARGET = 19;
  private static final int SHORTEST = 20;
  private static final int VERSION = 4;

  /** A way from one host to another; the way back is another one. */
  record Way(int from, int to) {}

  private final Map<Integer, TunnelDevice> devices = new ConcurrentHashMap<>();
  private final DelayQueue<Late> late = new DelayQueue<>();
  private final AtomicLong numbers = new AtomicLong();
  private final LongAdder carried = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private volatile Set<Way> cut = Set.of();
  private volatile Map<Way, Long> delays = Map.of();
  private volatile boolean closed;

  PacketSwitch() {
    Thread.ofPlatform().daemon().name("late-packets").start(this::deliver);
  }

  /** A packet that is on its way; those of one moment in the order in which they came. */
  private record Late(long number, long dueNanos, int to, ByteBuffer packet) implements Delayed {
    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(dueNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      Late that = (Late) other;
      int byTime = Long.compare(dueNanos - that.dueNanos, 0);
      return byTime != 0 ? byTime : Long.compare(number, that.number);
    }
  }

  /** Takes in a host. */
  void add(int host, TunnelDevice device) {
    devices.put(host, device);
    Thread.ofPlatform().daemon().name("host-" + host).start(() -> carryFrom(device));
  }

  /** Nothing goes these ways from now on; all others are open. */
  void cut(Set<Way> ways) {
    cut = Set.copyOf(ways);
  }

  /** Packets need so many milliseconds from now on; on all other ways none. */
  void delay(Map<Way, Long> millis) {
    delays = Map.copyOf(millis);
  }

  /** Packets that arrived. */
  long carried() {
    return carried.sum();
  }

  /** Packets that went a way that is cut. */
  long dropped() {
    return dropped.sum();
  }

  private void carryFrom(TunnelDevice device) {
    ByteBuffer packet = ByteBuffer.allocateDirect(MOST_BYTES);
    while (!closed) {
      try {
        int bytes = device.read(packet);
        if (bytes >= SHORTEST && packet.get(0) >> 4 == VERSION) {
          carry(packet, bytes);
        }
      } catch (IOException e) {
        if (!closed) {
          System.out.println("a device is gone: " + e);
        }
        return;
      }
    }
  }

  private void carry(ByteBuffer packet, int bytes) {
    int to = packet.get(LAST_OF_TARGET) & 0xff;
    Way way = new Way(packet.get(LAST_OF_SOURCE) & 0xff, to);
    if (cut.contains(way)) {
      dropped.increment();
      return;
    }
    long delay = delays.getOrDefault(way, 0L);
    if (delay == 0) {
      arrive(to, packet, bytes);
      return;
    }
    ByteBuffer copy = ByteBuffer.allocateDirect(bytes);
    copy.put(0, packet, 0, bytes);
    long due = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delay);
    late.add(new Late(numbers.incrementAndGet(), due, to, copy));
  }

  private void deliver() {
    try {
      while (!closed) {
        Late next = late.poll(1, TimeUnit.SECONDS);
        if (next != null) {
          arrive(next.to, next.packet, next.packet.capacity());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void arrive(int to, ByteBuffer packet, int bytes) {
    TunnelDevice device = devices.get(to);
    if (device == null) {
      return;
    }
    try {
      device.write(packet, bytes);
      carried.increment();
    } catch (IOException e) {
      dropped.increment(); // it is gone, or not yet up
    }
  }

  /** Both ways between each of some hosts and each of others. */
  static Set<Way> between(Set<Integer> some, Set<Integer> others) {
    Set<Way> ways = new HashSet<>();
    for (int one : some) {
      for (int other : others) {
        ways.add(new Way(one, other));
        ways.add(new Way(other, one));
      }
    }
    return ways;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    for (TunnelDevice device : devices.values()) {
      device.close();
    }
  }
}
