import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * A line to a server that is further away: what comes is passed on after a delay, each way, without
 * holding up what comes after it. {@code java DelayingProxy.java LISTEN_PORT TARGET_PORT MICROS}.
 */
final class DelayingProxy {
  private record Chunk(byte[] bytes, long due) {}

  private static final Chunk END = new Chunk(new byte[0], 0);

  private DelayingProxy() {}

  /** Serves until it is killed. */
  public static void main(String[] args) throws IOException {
    int target = Integer.parseInt(args[1]);
    long nanos = Long.parseLong(args[2]) * 1000;
    try (ServerSocket server = new ServerSocket()) {
      server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])));
      System.out.println("ready");
      while (true) {
        Socket client = server.accept();
        Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
        client.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        line(client, far, nanos);
        line(far, client, nanos);
      }
    }
  }

  private static void line(Socket from, Socket to, long nanos) {
    LinkedBlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>(4096);
    Thread.ofPlatform().start(() -> read(from, underWay, nanos));
    Thread.ofPlatform().start(() -> write(to, underWay));
  }

  private static void read(Socket from, LinkedBlockingQueue<Chunk> underWay, long nanos) {
    byte[] buffer = new byte[65536];
    try {
      InputStream in = from.getInputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        underWay.put(new Chunk(java.util.Arrays.copyOf(buffer, n), System.nanoTime() + nanos));
      }
    } catch (IOException | InterruptedException closed) {
      // the other side is told below
    }
    underWay.add(END);
  }

  private static void write(Socket to, LinkedBlockingQueue<Chunk> underWay) {
    try (to) {
      OutputStream out = to.getOutputStream();
      for (Chunk chunk = underWay.take(); chunk != END; chunk = underWay.take()) {
        for (long left = chunk.due() - System.nanoTime(); left > 0; ) {
          LockSupport.parkNanos(left);
          left = chunk.due() - System.nanoTime();
        }
        out.write(chunk.bytes());
      }
    } catch (IOException | InterruptedException closed) {
      // its peer closes as well
    }
  }
}
