package io.alrai.dn.replica;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A TCP port of this machine that leads to a mysqld's socket, and keeps what is sent: mysqlds of
 * Alrai have no port of their own.
 */
final class RecordingRelay implements AutoCloseable {
  private static final int HEADER = 4;
  private static final int KEPT_BYTES = 1 << 20;

  /** The first of what one side of a connection sent. */
  static final class Sent {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private synchronized void keep(ByteBuffer buffer) {
      if (bytes.size() < KEPT_BYTES) {
        bytes.write(buffer.array(), 0, buffer.limit());
      }
    }

    /** Whole packets, without headers. */
    synchronized List<byte[]> packets() {
      byte[] all = bytes.toByteArray();
      List<byte[]> packets = new ArrayList<>();
      int at = 0;
      while (at + HEADER <= all.length) {
        int length = all[at] & 0xff | (all[at + 1] & 0xff) << 8 | (all[at + 2] & 0xff) << 16;
        if (at + HEADER + length > all.length) {
          break;
        }
        byte[] packet = new byte[length];
        System.arraycopy(all, at + HEADER, packet, 0, length);
        packets.add(packet);
        at += HEADER + length;
      }
      return packets;
    }
  }

  /** One connection. */
  record Exchange(Sent byClient, Sent byServer) {}

  private final ServerSocketChannel listener;
  private final Path target;
  private final List<Exchange> exchanges = new CopyOnWriteArrayList<>();
  private final List<SocketChannel> open = new CopyOnWriteArrayList<>();

  RecordingRelay(Path target) throws IOException {
    this.target = target;
    listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    Thread.ofPlatform().daemon().name("relay").start(this::accept);
  }

  int port() throws IOException {
    return ((InetSocketAddress) listener.getLocalAddress()).getPort();
  }

  /** In the order in which they were opened. */
  List<Exchange> exchanges() {
    return exchanges;
  }

  private void accept() {
    while (listener.isOpen()) {
      try {
        connect(listener.accept());
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void connect(SocketChannel client) throws IOException {
    open.add(client);
    client.setOption(StandardSocketOptions.TCP_NODELAY, true);
    SocketChannel server;
    try {
      server = SocketChannel.open(UnixDomainSocketAddress.of(target));
    } catch (IOException dead) {
      client.close();
      return;
    }
    open.add(server);
    Exchange exchange = new Exchange(new Sent(), new Sent());
    exchanges.add(exchange);
    Thread.ofPlatform().daemon().start(() -> copy(client, server, exchange.byClient));
    Thread.ofPlatform().daemon().start(() -> copy(server, client, exchange.byServer));
  }

  private static void copy(SocketChannel from, SocketChannel to, Sent kept) {
    ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    try (from;
        to) {
      while (from.read(buffer) >= 0) {
        buffer.flip();
        kept.keep(buffer);
        while (buffer.hasRemaining()) {
          to.write(buffer);
        }
        buffer.clear();
      }
    } catch (IOException ended) {
      // as connections end; the other side is closed, too
    }
  }

  /** Ends all connections, and goes on. */
  void disconnect() throws IOException {
    for (SocketChannel one : open) {
      one.close();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    disconnect();
  }
}
