package io.alrai.common.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;

/**
 * Serves {@code GET /metrics} to Prometheus. One thread of its own listens; each request is
 * answered on a virtual thread.
 */
public final class MetricsPort implements AutoCloseable {
  private static final int OK = 200;
  private static final int METHOD_NOT_ALLOWED = 405;

  private final HttpServer server;

  private MetricsPort(HttpServer server) {
    this.server = server;
  }

  /**
   * Opens the port.
   *
   * @param port 0 for any free one
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE when it is taken
   */
  public static MetricsPort open(Metrics metrics, String host, int port) {
    HttpServer server;
    try {
      server = HttpServer.create(new InetSocketAddress(host, port), 0);
    } catch (IOException e) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE,
          "the port of the metrics, " + host + ":" + port + ", cannot be opened: " + e.getMessage(),
          e);
    }
    Executor virtual = Thread::startVirtualThread;
    server.setExecutor(virtual);
    server.createContext("/metrics", exchange -> answer(exchange, metrics));
    server.start();
    return new MetricsPort(server);
  }

  private static void answer(HttpExchange exchange, Metrics metrics) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("GET")) {
        exchange.sendResponseHeaders(METHOD_NOT_ALLOWED, -1);
        return;
      }
      byte[] body = PrometheusText.of(metrics.samples()).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", PrometheusText.CONTENT_TYPE);
      exchange.sendResponseHeaders(OK, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** Where it listens. */
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
