package io.alrai.e2e.clients;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Passes connections on to an endpoint, with some bytes of its own in front of the client's. */
final class LoadBalancer implements AutoCloseable {
  private final ServerSocket listener;
  private final int endpoint;
  private final byte[] header;

  LoadBalancer(int endpoint, byte[] header) throws IOException {
    this.listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    this.endpoint = endpoint;
    this.header = header;
    Thread.ofVirtual().start(this::serve);
  }

  int port() {
    return listener.getLocalPort();
  }

  private void serve() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), endpoint);
        server.getOutputStream().write(header);
        Thread.ofVirtual().start(() -> pass(client, server));
        Thread.ofVirtual().start(() -> pass(server, client));
      } catch (IOException e) {
        if (!listener.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  /** Until one of them ends. */
  private static void pass(Socket from, Socket to) {
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    } catch (IOException gone) {
      // the other direction ended first
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
