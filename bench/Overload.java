import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Load of bench/overload: clients on virtual threads, which speak as much of MySQL's protocol as they
 * need. Prints: statements that were answered in a second, their p99 in milliseconds from the moment
 * at which they were due, those that were refused in a second, and p99 of these.
 *
 * <p>Usage: java Overload.java HOST:PORT USER DATABASE ROWS CLIENTS RATE SECONDS. RATE 0: each client
 * sends the next statement when it has the answer to the last; else so many come in a second at random
 * moments, whether others are answered or not.
 */
public final class Overload {
  private static final int CAPABILITIES = 0x0008_8200 | 0x0100_0000 | 0x8;
  private static final int MOST_TIMES = 4_000_000;

  private Overload() {}

  /** Times in nanoseconds; those beyond so many are not kept. */
  private static final class Times {
    private final AtomicLong count = new AtomicLong();
    private final long[] nanos = new long[MOST_TIMES];

    void add(long took) {
      long at = count.getAndIncrement();
      if (at < MOST_TIMES) {
        nanos[(int) at] = took;
      }
    }

    double p99() {
      int kept = (int) Math.min(MOST_TIMES, count.get());
      long[] sorted = Arrays.copyOf(nanos, kept);
      Arrays.sort(sorted);
      return kept == 0 ? 0 : sorted[(int) (kept * 0.99)] / 1e6;
    }
  }

  /** One connection. */
  private static final class Client implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private byte[] packet = new byte[0];
    private int sequence;

    Client(String host, int port, String user, String database) throws IOException {
      socket = new Socket(host, port);
      socket.setTcpNoDelay(true);
      in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 4096));
      out = socket.getOutputStream();
      read();
      byte[] name = user.getBytes(StandardCharsets.UTF_8);
      byte[] schema = database.getBytes(StandardCharsets.UTF_8);
      byte[] plugin = "caching_sha2_password".getBytes(StandardCharsets.US_ASCII);
      byte[] login = new byte[32 + name.length + 2 + schema.length + 1 + plugin.length + 1];
      for (int i = 0; i < 4; i++) {
        login[i] = (byte) (CAPABILITIES >>> 8 * i);
        login[4 + i] = (byte) (1 << 24 >>> 8 * i);
      }
      login[8] = 45;
      int at = 32;
      System.arraycopy(name, 0, login, at, name.length);
      at += name.length + 2;
      System.arraycopy(schema, 0, login, at, schema.length);
      at += schema.length + 1;
      System.arraycopy(plugin, 0, login, at, plugin.length);
      send(login);
      read();
      if (packet[0] == (byte) 0xfe) { // another nonce or plugin: there is no password
        send(new byte[0]);
        read();
      }
      if (packet[0] != 0) {
        throw new IOException("no login: " + text());
      }
    }

    private String text() {
      return new String(packet, 1, packet.length - 1, StandardCharsets.UTF_8);
    }

    private void send(byte[] payload) throws IOException {
      byte[] whole = new byte[payload.length + 4];
      whole[0] = (byte) payload.length;
      whole[1] = (byte) (payload.length >>> 8);
      whole[3] = (byte) (sequence + 1);
      System.arraycopy(payload, 0, whole, 4, payload.length);
      out.write(whole);
    }

    private void read() throws IOException {
      int length = in.readUnsignedByte() | in.readUnsignedByte() << 8 | in.readUnsignedByte() << 16;
      sequence = in.readUnsignedByte();
      packet = new byte[length];
      in.readFully(packet);
    }

    /** Whether it is answered with rows. */
    boolean query(String sql) throws IOException {
      byte[] text = sql.getBytes(StandardCharsets.UTF_8);
      byte[] command = new byte[text.length + 1];
      command[0] = 3;
      System.arraycopy(text, 0, command, 1, text.length);
      sequence = -1;
      send(command);
      read();
      if (packet[0] == (byte) 0xff) {
        return false;
      }
      do {
        read();
      } while (packet[0] != (byte) 0xfe && packet[0] != (byte) 0xff);
      return packet[0] == (byte) 0xfe;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  public static void main(String[] args) throws Exception {
    int colon = args[0].lastIndexOf(':');
    String host = args[0].substring(0, colon);
    int port = Integer.parseInt(args[0].substring(colon + 1));
    int rows = Integer.parseInt(args[3]);
    int clients = Integer.parseInt(args[4]);
    double rate = Double.parseDouble(args[5]);
    double seconds = Double.parseDouble(args[6]);
    Times answered = new Times();
    Times refused = new Times();
    LongAdder broken = new LongAdder();
    CountDownLatch open = new CountDownLatch(clients);
    CountDownLatch begin = new CountDownLatch(1);
    long[] bounds = new long[2];
    AtomicLong due = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      threads.add(
          Thread.startVirtualThread(() -> {
            try (Client client = new Client(host, port, args[1], args[2])) {
              open.countDown();
              begin.await();
              run(client, rows, rate, bounds, due, answered, refused);
            } catch (IOException e) {
              open.countDown();
              broken.increment();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }));
    }
    open.await();
    bounds[0] = System.nanoTime();
    bounds[1] = bounds[0] + (long) (seconds * 1e9);
    due.set(bounds[0]);
    begin.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.printf(
        "%.0f %.2f %.0f %.2f %d%n",
        answered.count.get() / seconds,
        answered.p99(),
        refused.count.get() / seconds,
        refused.p99(),
        broken.sum());
  }

  private static void run(
      Client client,
      int rows,
      double rate,
      long[] bounds,
      AtomicLong due,
      Times answered,
      Times refused)
      throws IOException {
    while (true) {
      ThreadLocalRandom dice = ThreadLocalRandom.current();
      long at = System.nanoTime();
      if (rate > 0) {
        long apart = (long) (-Math.log(1 - dice.nextDouble()) * 1e9 / rate);
        at = due.addAndGet(apart);
        long left;
        while (at < bounds[1] && (left = at - System.nanoTime()) > 0) {
          LockSupport.parkNanos(left);
        }
      }
      if (at >= bounds[1] || System.nanoTime() >= bounds[1]) {
        return; // what is due and not sent is neither answered nor refused
      }
      boolean rowsCame =
          client.query("SELECT c FROM sbtest1 WHERE id = " + (1 + dice.nextInt(rows)));
      long end = System.nanoTime();
      if (end < bounds[1]) {
        (rowsCame ? answered : refused).add(end - at);
      }
    }
  }
}
