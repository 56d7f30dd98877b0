package io.alrai.e2e.ops;

import io.alrai.testing.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/** Debian's Prometheus with the rules of {@code ops}, which reads a cluster every second. */
final class Prometheus implements AutoCloseable {
  static final Path OPS = Path.of("..", "ops").toAbsolutePath().normalize();
  static final Path RULES = OPS.resolve("prometheus");

  private final Process process;
  private final int port;

  private Prometheus(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** The directory of the programs; skips the test with the reason where they cannot be had. */
  static Path programs(Path directory) throws IOException, InterruptedException {
    String fetch = "apt-get download prometheus && dpkg-deb -x prometheus_*.deb .";
    int code = run(directory, directory.resolve("fetch.log"), "sh", "-c", fetch);
    Assumptions.assumeTrue(
        code == 0, () -> "Debian's package prometheus cannot be had here: " + fetch);
    return directory.resolve("usr").resolve("bin");
  }

  /** Runs a command to its end, with what it says in a file. */
  static int run(Path at, Path log, String... command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .directory(at.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start()
        .waitFor();
  }

  /**
   * Starts one.
   *
   * @param first port of the metrics
   * @param jobs the roles by the order of their ports
   */
  static Prometheus start(Path programs, Path directory, int first, List<String> jobs)
      throws IOException {
    Files.writeString(directory.resolve("prometheus.yml"), configuration(first, jobs));
    int port = Ports.free();
    Process process =
        new ProcessBuilder(
                programs.resolve("prometheus").toString(),
                "--config.file=" + directory.resolve("prometheus.yml"),
                "--storage.tsdb.path=" + directory.resolve("data"),
                "--web.listen-address=127.0.0.1:" + port)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("prometheus.log").toFile())
            .start();
    return new Prometheus(process, port);
  }

  private static String configuration(int metrics, List<String> jobs) {
    StringBuilder text =
        new StringBuilder("global: {scrape_interval: 1s, evaluation_interval: 1s}\n");
    text.append("rule_files: ['")
        .append(RULES.resolve("alerts.yml"))
        .append("']\nscrape_configs:\n");
    for (int i = 0; i < jobs.size(); i++) {
      text.append("  - job_name: r")
          .append(i)
          .append("\n    static_configs: [{targets: ['127.0.0.1:");
      text.append(metrics + i).append("'], labels: {job: ").append(jobs.get(i)).append("}}]\n");
    }
    return text.toString();
  }

  /** Whether an expression gives anything. */
  boolean has(String expression) {
    return ask(expression).contains("\"value\"");
  }

  /** What it answers to an expression; empty while it does not. */
  String ask(String expression) {
    URI uri =
        URI.create(
            "http://127.0.0.1:"
                + port
                + "/api/v1/query?query="
                + URLEncoder.encode(expression, StandardCharsets.UTF_8));
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException notYet) {
      return "";
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    try {
      process.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
