package io.alrai.common.net;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ports to listen on, by choice of the process. They lie below those that systems give to outgoing
 * connections (Linux: 32768 and up, {@code net.ipv4.ip_local_port_range}): one of these may be
 * taken by anybody's connection when its owner starts again.
 *
 * <p>A process gives one after the other, from a place of its own: a port is often bound long after
 * it was chosen, and is not to be given twice meanwhile, here or by another process.
 */
public final class ListenPorts {
  private static final int LOWEST = 10_240;
  private static final int HIGHEST = 32_767;
  private static final int TRIES = 1000;
  private static final int COUNT = HIGHEST - LOWEST + 1;

  /** Several CNs have the ports right after the one that was given; prime to the count. */
  private static final int STEP = 17;

  private static final AtomicInteger NEXT =
      new AtomicInteger(ThreadLocalRandom.current().nextInt(COUNT));

  private ListenPorts() {}

  /**
   * A port of the loopback interface that was free a moment ago, another one each time. Any thread.
   *
   * @throws IOException when no free one was found
   */
  public static int free() throws IOException {
    for (int i = 0; i < TRIES; i++) {
      int port = LOWEST + Math.floorMod(NEXT.getAndAdd(STEP), COUNT);
      try (ServerSocket socket = new ServerSocket()) {
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1);
        return port;
      } catch (BindException taken) {
        // the next one
      }
    }
    throw new IOException("no free port between " + LOWEST + " and " + HIGHEST);
  }
}
