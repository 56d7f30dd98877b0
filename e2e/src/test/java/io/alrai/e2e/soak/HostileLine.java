package io.alrai.e2e.soak;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A line to a server for one connection, which a {@link Fate} strikes once it is armed. Its buffers
 * are small, so that a server feels at once that nobody reads.
 */
final class HostileLine implements AutoCloseable {
  private static final int BUFFER = 16 << 10;
  private static final int TRICKLE = 64;
  private static final long TRICKLE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final ServerSocket listener = new ServerSocket();
  private final Socket far = new Socket();
  private volatile Socket near = far;
  private volatile Armed armed = Armed.NOT;

  /** A fate and how much of it is left. */
  private static final class Armed {
    static final Armed NOT = new Armed(new Fate(false, 0, 0, Fate.Kind.SPARED, 0));

    final Fate fate;
    final long dueNanos;
    long left;

    Armed(Fate fate) {
      this.fate = fate;
      this.left = fate.afterBytes();
      this.dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(fate.afterMillis());
    }

    /** How many of these bytes pass before it strikes; {@code count} if it does not yet. */
    synchronized int pass(int count) {
      if (System.nanoTime() - dueNanos >= 0) {
        return 0;
      }
      int passing = (int) Math.min(count, left);
      left -= passing;
      return passing;
    }
  }

  /** Waits for its one client. */
  HostileLine(int target) throws IOException {
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    far.setReceiveBufferSize(BUFFER);
    far.setTcpNoDelay(true);
    far.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
    Thread.ofVirtual().start(this::serve);
  }

  /** Where the client connects to. */
  int port() {
    return listener.getLocalPort();
  }

  /** From now on this may happen, once. */
  void arm(Fate fate) {
    Armed now = new Armed(fate);
    armed = now;
    if (fate.kind() == Fate.Kind.RESET
        || fate.kind() == Fate.Kind.CLOSED
        || fate.kind() == Fate.Kind.STALLED_THEN_RESET) {
      Thread.ofVirtual().start(() -> strikeWhenDue(now));
    }
  }

  /** Where nothing passes nothing would strike. */
  private void strikeWhenDue(Armed now) {
    pause(now.fate.afterMillis());
    if (armed == now) {
      end(now.fate);
    }
  }

  private void serve() {
    try (ServerSocket once = listener) {
      Socket client = once.accept();
      client.setTcpNoDelay(true);
      client.setSendBufferSize(BUFFER);
      near = client;
      Thread.ofVirtual().start(() -> pump(client, far, true));
      pump(far, client, false);
    } catch (IOException closed) {
      reset();
    }
  }

  private void pump(Socket from, Socket to, boolean toServer) {
    byte[] buffer = new byte[BUFFER];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        Armed now = armed;
        if (now.fate.kind() == Fate.Kind.SPARED || now.fate.toServer() != toServer) {
          out.write(buffer, 0, count);
          continue;
        }
        int passing = now.pass(count);
        out.write(buffer, 0, passing);
        if (passing < count) {
          armed = Armed.NOT;
          strike(now.fate, out, buffer, passing, count);
        }
      }
    } catch (IOException broken) {
      // the other side learns it below
    } finally {
      reset();
    }
  }

  private void strike(Fate fate, OutputStream out, byte[] buffer, int from, int to)
      throws IOException {
    switch (fate.kind()) {
      case RESET, CLOSED -> end(fate);
      case STALLED_THEN_RESET -> {
        pause(fate.millis());
        end(fate);
      }
      case STALLED -> {
        pause(fate.millis());
        out.write(buffer, from, to - from);
      }
      case TRICKLED -> {
        for (int at = from; at < to; at += TRICKLE) {
          out.write(buffer, at, Math.min(TRICKLE, to - at));
          LockSupport.parkNanos(TRICKLE_NANOS);
        }
      }
      case SPARED -> out.write(buffer, from, to - from);
    }
  }

  private static void pause(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private void end(Fate fate) {
    if (fate.kind() == Fate.Kind.CLOSED) {
      closeQuietly(near);
      closeQuietly(far);
    } else {
      reset();
    }
  }

  private void reset() {
    for (Socket socket : new Socket[] {near, far}) {
      try {
        socket.setSoLinger(true, 0);
      } catch (IOException closed) {
        // it is gone already
      }
      closeQuietly(socket);
    }
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // there is nothing left to close
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    reset();
  }
}
