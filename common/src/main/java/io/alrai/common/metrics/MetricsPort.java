package io.alrai.common.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Serves {@code GET /metrics} to Prometheus, {@code /healthz} to whoever watches that the process
 * lives and {@code /readyz} to load balancers. One thread of its own listens; each request is
 * answered on a virtual thread.
 */
public final class MetricsPort implements AutoCloseable {
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int UNAVAILABLE = 503;
  private static final String PLAIN = "text/plain; charset=utf-8";

  private final HttpServer server;

  private MetricsPort(HttpServer server) {
    this.server = server;
  }

  private record Answer(int status, String type, String text) {}

  /**
   * Opens the port.
   *
   * @param readiness of the process
   * @param port 0 for any free one
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE when it is taken
   */
  public static MetricsPort open(Metrics metrics, Readiness readiness, String host, int port) {
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
    server.createContext(
        "/",
        exchange ->
            answer(
                exchange,
                switch (exchange.getRequestURI().getPath()) {
                  case "/metrics" -> metrics(metrics, exchange);
                  case "/healthz" -> new Answer(OK, PLAIN, "alive\n");
                  case "/readyz" -> ready(readiness);
                  default ->
                      new Answer(NOT_FOUND, PLAIN, "there are /metrics, /healthz and /readyz\n");
                }));
    server.start();
    return new MetricsPort(server);
  }

  /**
   * Opens the port unless it is 0.
   *
   * @param opened gets it, to close it
   * @return what it says of the process from now on
   */
  public static Readiness openIfWanted(
      Metrics metrics, String host, int port, Consumer<MetricsPort> opened) {
    Readiness readiness = new Readiness();
    if (port > 0) {
      ProcessMetrics.register(metrics);
      opened.accept(open(metrics, readiness, host, port));
    }
    return readiness;
  }

  private static Answer metrics(Metrics metrics, HttpExchange exchange) {
    PrometheusText.Format format =
        PrometheusText.Format.of(exchange.getRequestHeaders().get("Accept"));
    return new Answer(OK, format.contentType(), PrometheusText.of(metrics.samples(), format));
  }

  private static Answer ready(Readiness readiness) {
    List<String> missing = readiness.missing();
    return missing.isEmpty()
        ? new Answer(OK, PLAIN, "ready\n" + lines(readiness.amiss()))
        : new Answer(UNAVAILABLE, PLAIN, lines(missing));
  }

  private static String lines(List<String> sentences) {
    return sentences.stream().map(sentence -> sentence + "\n").collect(Collectors.joining());
  }

  /** HEAD is answered as GET is, without the text: load balancers ask so. */
  private static void answer(HttpExchange exchange, Answer answer) throws IOException {
    try (exchange) {
      boolean head = exchange.getRequestMethod().equals("HEAD");
      if (!head && !exchange.getRequestMethod().equals("GET")) {
        exchange.sendResponseHeaders(METHOD_NOT_ALLOWED, -1);
        return;
      }
      byte[] body = answer.text().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.type());
      exchange.sendResponseHeaders(answer.status(), head ? -1 : body.length);
      if (!head) {
        exchange.getResponseBody().write(body);
      }
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
