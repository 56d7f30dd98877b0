package io.alrai.dn.replica;

import io.alrai.common.wire.Capability;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.CRC32;

/**
 * What a replica takes for its source though it is no mysqld: lets everybody in, answers what
 * replicas ask, and then sends what a test wants.
 */
final class FakeSource implements AutoCloseable {
  private static final int CAPABILITIES =
      Capability.LONG_PASSWORD
          | Capability.LONG_FLAG
          | Capability.PROTOCOL_41
          | Capability.TRANSACTIONS
          | Capability.SECURE_CONNECTION
          | Capability.PLUGIN_AUTH
          | Capability.PLUGIN_AUTH_LENENC
          | Capability.DEPRECATE_EOF;
  private static final int QUERY = 3;
  private static final int REGISTER = 0x15;
  private static final int DUMP_GTID = 0x1e;
  private static final int ARTIFICIAL = 0x20;
  private static final int HEADER = 19;
  private static final int CHECKSUM = 4;
  private static final byte[] OK = {0, 0, 0, 2, 0, 0, 0};
  private static final byte[] END = {(byte) 0xfe, 0, 0, 2, 0, 0, 0};

  /** What happens after a replica has asked for events. */
  interface Script {
    /** Returns when the connection shall end. */
    void send(Stream stream) throws Exception;
  }

  private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final String uuid;
  private final int serverId;
  private final String checksum;
  private final Script script;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final List<byte[]> requests = new CopyOnWriteArrayList<>();
  private final List<String> queries = new CopyOnWriteArrayList<>();

  FakeSource(String uuid, int serverId, String checksum, Script script) throws IOException {
    this.uuid = uuid;
    this.serverId = serverId;
    this.checksum = checksum;
    this.script = script;
    Thread.ofPlatform().daemon().name("fake-source").start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  /** The GTID sets that replicas said to have, as they sent them. */
  List<byte[]> requests() {
    return requests;
  }

  /** All of all connections. */
  List<String> queries() {
    return queries;
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        open.add(client);
        Thread.ofPlatform().daemon().start(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client) {
      client.setTcpNoDelay(true);
      new Conversation(client).run();
    } catch (IOException ended) {
      // the replica's affair
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** One connection. */
  private final class Conversation {
    private final DataInputStream in;
    private final OutputStream out;
    private int sequence;

    Conversation(Socket client) throws IOException {
      in = new DataInputStream(client.getInputStream());
      out = client.getOutputStream();
    }

    void run() throws Exception {
      write(greeting());
      read();
      write(new byte[] {1, 3}); // the proof is right
      write(OK);
      while (true) {
        byte[] command;
        try {
          command = read();
        } catch (EOFException ended) {
          return;
        }
        switch (command[0]) {
          case QUERY -> {
            String query = new String(command, 1, command.length - 1, StandardCharsets.UTF_8);
            queries.add(query);
            answer(query);
          }
          case REGISTER -> write(OK);
          case DUMP_GTID -> {
            requests.add(command);
            script.send(new Stream(this));
            return;
          }
          default -> throw new IOException("command " + command[0]);
        }
      }
    }

    private void answer(String query) throws IOException {
      switch (query) {
        case "SELECT UNIX_TIMESTAMP()" -> row(Long.toString(System.currentTimeMillis() / 1_000));
        case "SELECT @@GLOBAL.SERVER_ID" -> row(Integer.toString(serverId));
        case "SELECT @source_binlog_checksum" -> row(checksum);
        case "SELECT @@GLOBAL.GTID_MODE" -> row("ON");
        case "SELECT @@GLOBAL.SERVER_UUID" -> row(uuid);
        default -> {
          if (!query.startsWith("SET ")) {
            throw new IOException(query);
          }
          write(OK);
        }
      }
    }

    private void row(String value) throws IOException {
      write(new byte[] {1});
      ByteArrayOutputStream column = new ByteArrayOutputStream();
      for (String text : List.of("def", "", "", "", "a", "")) {
        column.write(text.length());
        column.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
      }
      column.writeBytes(new byte[] {12, (byte) 0xff, 0, 0, 1, 0, 0, (byte) 0xfd, 0, 0, 0, 0, 0});
      write(column.toByteArray());
      byte[] text = value.getBytes(StandardCharsets.US_ASCII);
      write(ByteBuffer.allocate(text.length + 1).put((byte) text.length).put(text).array());
      write(END);
    }

    private byte[] greeting() {
      ByteBuffer packet = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
      packet.put((byte) 10).put("9.7.4\0".getBytes(StandardCharsets.US_ASCII)).putInt(1);
      packet.put("12345678\0".getBytes(StandardCharsets.US_ASCII));
      packet.putShort((short) CAPABILITIES).put((byte) 255).putShort((short) 2);
      packet.putShort((short) (CAPABILITIES >>> 16)).put((byte) 21).put(new byte[10]);
      packet.put("123456789012\0caching_sha2_password\0".getBytes(StandardCharsets.US_ASCII));
      byte[] bytes = new byte[packet.position()];
      packet.flip().get(bytes);
      return bytes;
    }

    private byte[] read() throws IOException {
      int length = in.readUnsignedByte() | in.readUnsignedByte() << 8;
      length |= in.readUnsignedByte() << 16;
      sequence = in.readUnsignedByte() + 1;
      return in.readNBytes(length);
    }

    private synchronized void write(byte[] payload) throws IOException {
      ByteBuffer packet = ByteBuffer.allocate(payload.length + 4).order(ByteOrder.LITTLE_ENDIAN);
      packet.putInt(payload.length | sequence++ << 24).put(payload);
      out.write(packet.array());
      out.flush();
    }
  }

  /** Where events go. */
  static final class Stream {
    private final Conversation conversation;

    Stream(Conversation conversation) {
      this.conversation = conversation;
    }

    void event(byte[] event) throws IOException {
      byte[] packet = new byte[event.length + 1];
      System.arraycopy(event, 0, packet, 1, event.length);
      conversation.write(packet);
    }

    void all(List<byte[]> events) throws IOException {
      for (byte[] event : events) {
        event(event);
      }
    }
  }

  /** Says in which file the next events are. */
  static byte[] rotation() {
    byte[] name = "binlog.000001".getBytes(StandardCharsets.US_ASCII);
    return made(
        4,
        ByteBuffer.allocate(8 + name.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(4)
            .put(name)
            .array());
  }

  /** The new form: fields of type and length, the name of the file and the place in it. */
  static byte[] heartbeat(int place) {
    byte[] name = "binlog.000001".getBytes(StandardCharsets.US_ASCII);
    ByteBuffer body = ByteBuffer.allocate(2 + name.length + 6 + 1).order(ByteOrder.LITTLE_ENDIAN);
    body.put((byte) 1).put((byte) name.length).put(name);
    // a length-encoded number of three bytes
    body.put((byte) 2).put((byte) 4).putInt(place << 8 | 0xfd).put((byte) 0);
    return made(41, body.array());
  }

  private static byte[] made(int type, byte[] body) {
    int length = HEADER + body.length + CHECKSUM;
    ByteBuffer event = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    event.putInt(0).put((byte) type).putInt(99).putInt(length).putInt(0);
    event.putShort((short) ARTIFICIAL).put(body);
    return summed(event.array());
  }

  /** With the checksum that it should have. */
  static byte[] summed(byte[] event) {
    CRC32 crc = new CRC32();
    crc.update(event, 0, event.length - CHECKSUM);
    ByteBuffer.wrap(event)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(event.length - CHECKSUM, (int) crc.getValue());
    return event;
  }

  /** Without a checksum, and a length that says so. */
  static byte[] bare(byte[] event) {
    byte[] bare = new byte[event.length - CHECKSUM];
    System.arraycopy(event, 0, bare, 0, bare.length);
    ByteBuffer.wrap(bare).order(ByteOrder.LITTLE_ENDIAN).putInt(9, bare.length);
    return bare;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket one : open) {
      one.close();
    }
  }
}
