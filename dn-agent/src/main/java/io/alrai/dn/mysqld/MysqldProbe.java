package io.alrai.dn.mysqld;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * Asks a server whether it answers: connects, reads the first packet and hangs up. No account is
 * needed. See the MySQL source documentation, "Connection Phase".
 */
final class MysqldProbe {
  /** Length (3 bytes), sequence number, and the first byte of the payload. */
  private static final int WANTED_BYTES = 5;

  private static final byte GREETING = 10;
  private static final byte ERROR = (byte) 0xff; // "too many connections" is an answer too

  private MysqldProbe() {}

  /** Whether it sends its greeting, or an error, within the bound. */
  static boolean answers(Path socket, long timeoutMillis) {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.configureBlocking(false);
      if (!channel.connect(UnixDomainSocketAddress.of(socket))) {
        return false;
      }
      return answers(channel, timeoutMillis);
    } catch (IOException e) {
      return false; // no socket, nobody listening, or a full backlog: no answer
    }
  }

  private static boolean answers(SocketChannel channel, long timeoutMillis) throws IOException {
    long deadline = System.nanoTime() + timeoutMillis * 1_000_000;
    ByteBuffer packet = ByteBuffer.allocate(WANTED_BYTES);
    try (Selector selector = Selector.open()) {
      channel.register(selector, SelectionKey.OP_READ);
      while (packet.hasRemaining()) {
        long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
        if (leftMillis <= 0) {
          return false;
        }
        selector.select(leftMillis);
        selector.selectedKeys().clear();
        if (channel.read(packet) < 0) {
          return false;
        }
      }
    }
    byte first = packet.get(WANTED_BYTES - 1);
    return first == GREETING || first == ERROR;
  }
}
