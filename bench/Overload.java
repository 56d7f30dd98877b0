import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Load of bench/overload: clients of one thread, which speak as much of MySQL's protocol as they need.
 * Prints: statements that were answered in a second, their p99 in milliseconds from the moment at
 * which they were due, those that were refused in a second, p99 of these, and clients that have lost
 * their connections.
 *
 * <p>Usage: java Overload.java HOST:PORT USER DATABASE ROWS CLIENTS RATE WARM SECONDS. RATE 0: each
 * client sends the next statement when it has the answer to the last; else so many come in a second at
 * random moments, whether others are answered or not, and one that finds no free client is not sent.
 * What comes in the first WARM seconds is not counted: this program is compiled meanwhile.
 */
public final class Overload {
  private static final int CAPABILITIES = 0x0008_8200 | 0x0100_0000 | 0x8;
  private static final int MOST_TIMES = 4_000_000;
  private static final int BUFFER = 16_384;

  /** Times in nanoseconds; those beyond so many are not kept. */
  private static final class Times {
    private final long[] nanos = new long[MOST_TIMES];
    private long count;

    void add(long took) {
      if (count < MOST_TIMES) {
        nanos[(int) count] = took;
      }
      count++;
    }

    double p99() {
      int kept = (int) Math.min(MOST_TIMES, count);
      long[] sorted = Arrays.copyOf(nanos, kept);
      Arrays.sort(sorted);
      return kept == 0 ? 0 : sorted[(int) (kept * 0.99)] / 1e6;
    }
  }

  /** One connection. */
  private static final class Client {
    private final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocate(BUFFER).flip();
    private final byte[] text;
    private byte[] packet = new byte[0];
    private int sequence;
    private long due;
    private boolean first;

    Client(String host, int port, String user, String database, byte[] text) throws IOException {
      this.text = text;
      channel = SocketChannel.open(new InetSocketAddress(host, port));
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      await();
      byte[] name = user.getBytes(StandardCharsets.UTF_8);
      byte[] schema = database.getBytes(StandardCharsets.UTF_8);
      byte[] plugin = "caching_sha2_password".getBytes(StandardCharsets.US_ASCII);
      ByteBuffer login = ByteBuffer.allocate(32 + name.length + schema.length + plugin.length + 4);
      for (int i = 0; i < 4; i++) {
        login.put(i, (byte) (CAPABILITIES >>> 8 * i)).put(4 + i, (byte) (1 << 24 >>> 8 * i));
      }
      login.put(8, (byte) 45).position(32);
      login.put(name).put((byte) 0).put((byte) 0).put(schema).put((byte) 0).put(plugin).put((byte) 0);
      send(login.array(), login.capacity(), sequence + 1);
      await();
      if (packet[0] == (byte) 0xfe) { // another nonce or plugin: there is no password
        send(new byte[0], 0, sequence + 1);
        await();
      }
      if (packet[0] != 0) {
        throw new IOException(
            "no login: " + new String(packet, 1, packet.length - 1, StandardCharsets.UTF_8));
      }
      channel.configureBlocking(false);
    }

    private void send(byte[] payload, int length, int number) throws IOException {
      ByteBuffer whole = ByteBuffer.allocate(length + 4);
      whole.put((byte) length).put((byte) (length >>> 8)).put((byte) 0).put((byte) number);
      whole.put(payload, 0, length).flip();
      while (whole.hasRemaining()) {
        channel.write(whole);
      }
    }

    /** The next packet, from a connection that blocks. */
    private void await() throws IOException {
      while (!next()) {
        fill();
      }
    }

    private int fill() throws IOException {
      in.compact();
      int count = channel.read(in);
      in.flip();
      if (count < 0) {
        throw new EOFException();
      }
      return count;
    }

    private boolean next() {
      if (in.remaining() < 4) {
        return false;
      }
      int at = in.position();
      int length = in.get(at) & 0xff | (in.get(at + 1) & 0xff) << 8 | (in.get(at + 2) & 0xff) << 16;
      if (in.remaining() < 4 + length) {
        return false;
      }
      sequence = in.get(at + 3) & 0xff;
      packet = packet.length == length ? packet : new byte[length];
      in.position(at + 4).get(packet);
      return true;
    }

    void query(int rows, long due) throws IOException {
      this.due = due;
      first = true;
      byte[] id = Integer.toString(1 + ThreadLocalRandom.current().nextInt(rows))
          .getBytes(StandardCharsets.US_ASCII);
      byte[] command = Arrays.copyOf(text, text.length + id.length);
      System.arraycopy(id, 0, command, text.length, id.length);
      send(command, command.length, 0);
    }

    /** Takes what has come: 0 if that is not all, 1 if these are rows, -1 for an error. */
    int answer() throws IOException {
      fill();
      while (next()) {
        if (first && packet[0] == (byte) 0xff) {
          return -1;
        }
        if (!first && (packet[0] == (byte) 0xfe || packet[0] == (byte) 0xff)) {
          return packet[0] == (byte) 0xfe ? 1 : -1;
        }
        first = false;
      }
      return 0;
    }
  }

  private final Selector selector = Selector.open();
  private final ArrayDeque<Client> idle = new ArrayDeque<>();
  private final Times answered = new Times();
  private final Times refused = new Times();
  private final int rows;
  private final double rate;
  private int broken;
  private boolean counts;

  private Overload(int rows, double rate) throws IOException {
    this.rows = rows;
    this.rate = rate;
  }

  public static void main(String[] args) throws IOException {
    int colon = args[0].lastIndexOf(':');
    Overload load = new Overload(Integer.parseInt(args[3]), Double.parseDouble(args[5]));
    byte[] text = "\3SELECT c FROM sbtest1 WHERE id = ".getBytes(StandardCharsets.US_ASCII);
    int clients = Integer.parseInt(args[4]);
    for (int i = 0; i < clients; i++) {
      Client client =
          new Client(
              args[0].substring(0, colon),
              Integer.parseInt(args[0].substring(colon + 1)),
              args[1],
              args[2],
              text);
      client.channel.register(load.selector, SelectionKey.OP_READ, client);
      load.idle.add(client);
    }
    double seconds = Double.parseDouble(args[7]);
    load.run((long) (Double.parseDouble(args[6]) * 1e9), (long) (seconds * 1e9));
    System.out.printf(
        "%.0f %.2f %.0f %.2f %d%n",
        load.answered.count / seconds,
        load.answered.p99(),
        load.refused.count / seconds,
        load.refused.p99(),
        load.broken);
  }

  private void run(long warmNanos, long nanos) throws IOException {
    long begun = System.nanoTime();
    long end = begun + warmNanos + nanos;
    double due = begun;
    long now = begun;
    while (now < end) {
      if (rate == 0) {
        while (!idle.isEmpty()) {
          idle.remove().query(rows, System.nanoTime());
        }
      } else {
        while (due <= now) {
          if (!idle.isEmpty()) {
            idle.remove().query(rows, (long) due);
          }
          due -= Math.log(1 - ThreadLocalRandom.current().nextDouble()) * 1e9 / rate;
        }
      }
      // a wait is a millisecond at least, so that it takes no processor from the server
      selector.select(this::answer, 1);
      now = System.nanoTime();
      counts = now - begun >= warmNanos;
    }
  }

  private void answer(SelectionKey key) {
    Client client = (Client) key.attachment();
    try {
      int answer = client.answer();
      if (answer != 0) {
        idle.add(client);
      }
      if (answer != 0 && counts) {
        (answer > 0 ? answered : refused).add(System.nanoTime() - client.due);
      }
    } catch (IOException e) {
      key.cancel();
      broken++;
    }
  }
}
