package io.alrai.e2e.clients;

import io.alrai.common.wire.Capability;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** The first packets of a client, byte by byte. */
final class RawClient {
  private static final int MILLIS = 20_000;

  /** PROTOCOL_41, SSL, SECURE_CONNECTION and PLUGIN_AUTH. */
  static final int CAPABILITIES = 1 << 9 | 1 << 11 | 1 << 15 | 1 << 19;

  /** What prepared statements need besides. */
  static final int BINARY =
      CAPABILITIES
          | Capability.TRANSACTIONS
          | Capability.MULTI_RESULTS
          | Capability.PS_MULTI_RESULTS;

  private static final int LARGEST_PACKET = 1 << 24;
  private static final int UTF8 = 255;

  private RawClient() {}

  /** A connection whose greeting has been read. */
  static Socket connect(int port) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(MILLIS);
    socket.setTcpNoDelay(true);
    packet(socket);
    return socket;
  }

  /** One packet, header included. */
  static byte[] packet(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] header = new byte[4];
    in.readFully(header);
    int length = (header[0] & 0xff) | (header[1] & 0xff) << 8 | (header[2] & 0xff) << 16;
    byte[] whole = new byte[4 + length];
    System.arraycopy(header, 0, whole, 0, 4);
    in.readFully(whole, 4, length);
    return whole;
  }

  /** A session of root, who has no password, without TLS. */
  static Socket login(int port, int capabilities) throws IOException {
    Socket socket = connect(port);
    send(socket, loginPacket(1, "root", capabilities & ~Capability.SSL, 0));
    while (packet(socket)[4] != 0) {
      // more of the login
    }
    return socket;
  }

  /** The first packet of a command. */
  static byte[] command(ByteBuf body) {
    ByteBuf out = Unpooled.buffer().writeMediumLE(body.readableBytes()).writeByte(0);
    return ByteBufUtil.getBytes(out.writeBytes(body));
  }

  /** The number of each packet, and what it says. */
  static List<String> packets(byte[] answer, Function<ByteBuf, String> said) {
    ByteBuf in = Unpooled.wrappedBuffer(answer);
    List<String> seen = new ArrayList<>();
    while (in.isReadable()) {
      int length = in.readUnsignedMediumLE();
      int number = in.readUnsignedByte();
      seen.add(number + " " + said.apply(in.readSlice(length)));
    }
    return seen;
  }

  /** What the server sends until it closes the connection. */
  static byte[] untilEnd(Socket socket) throws IOException {
    try {
      return socket.getInputStream().readAllBytes();
    } catch (SocketException reset) {
      return new byte[0];
    }
  }

  /** All of it in one write. */
  static void send(Socket socket, byte[]... parts) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    try {
      socket.getOutputStream().write(all.toByteArray());
    } catch (SocketException reset) {
      // the server has seen enough
    }
  }

  /** The first 32 bytes of the response. */
  static byte[] sslRequest() {
    ByteBuf out = Unpooled.buffer();
    out.writeMediumLE(32).writeByte(1);
    common(out, CAPABILITIES);
    return ByteBufUtil.getBytes(out);
  }

  private static void common(ByteBuf out, int capabilities) {
    out.writeIntLE(capabilities).writeIntLE(LARGEST_PACKET).writeByte(UTF8).writeZero(23);
  }

  /** The response of root, who has no password. */
  static byte[] loginPacket(int sequence) {
    return loginPacket(sequence, "root", CAPABILITIES, 0);
  }

  /** The response of anybody, with this many bytes of proof. */
  static byte[] loginPacket(int sequence, String user, int capabilities, int proof) {
    ByteBuf out = Unpooled.buffer();
    out.writeMediumLE(0).writeByte(sequence);
    common(out, capabilities);
    out.writeCharSequence(user, StandardCharsets.US_ASCII);
    out.writeByte(0).writeByte(proof).writeZero(proof);
    out.writeCharSequence("caching_sha2_password", StandardCharsets.US_ASCII);
    out.writeByte(0);
    out.setMediumLE(0, out.writerIndex() - 4);
    return ByteBufUtil.getBytes(out);
  }

  /**
   * TLS on a connection whose first message goes out with the request for TLS.
   *
   * @param version the latest one to be used
   */
  static SSLSocket tlsInOnePacket(int port, String version)
      throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance(version);
    context.init(null, new TrustManager[] {new TrustsAll()}, null);
    Socket below = new FirstWriteLonger(connect(port), sslRequest());
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(below, "localhost", port, true);
    socket.startHandshake();
    return socket;
  }

  /** Puts some bytes before the first that are written; stays open when its TLS ends. */
  private static final class FirstWriteLonger extends Socket {
    private final Socket socket;
    private final OutputStream out;

    FirstWriteLonger(Socket socket, byte[] before) throws IOException {
      this.socket = socket;
      this.out =
          new OutputStream() {
            private byte[] pending = before;

            @Override
            public void write(int b) throws IOException {
              write(new byte[] {(byte) b}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
              ByteArrayOutputStream all = new ByteArrayOutputStream();
              all.writeBytes(pending);
              all.write(bytes, offset, length);
              pending = new byte[0];
              socket.getOutputStream().write(all.toByteArray());
            }
          };
    }

    @Override
    public InputStream getInputStream() throws IOException {
      return socket.getInputStream();
    }

    @Override
    public OutputStream getOutputStream() {
      return out;
    }

    @Override
    public boolean isConnected() {
      return true;
    }

    /** The end of TLS is not that of the connection. */
    @Override
    public void shutdownOutput() {}

    @Override
    public synchronized void close() throws IOException {
      socket.close();
    }
  }

  private static final class TrustsAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
