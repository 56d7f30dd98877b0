package io.alrai.e2e.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
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
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Sends what dashboards and alerts ask for to a Prometheus that reads a cluster. */
@EnabledIfSystemProperty(named = "ops.prometheus", matches = "true")
class PrometheusIT {
  private static final Path OPS = Path.of("..", "ops").toAbsolutePath().normalize();
  private static final Path RULES = OPS.resolve("prometheus");

  /** Roles by the order of their ports. */
  private static final List<String> JOBS = List.of("cn", "dn", "dn", "columnar", "gms", "logger");

  @TempDir Path directory;

  /** Debian's package, unpacked; skipped with the reason where it cannot be had. */
  private Path programs() throws IOException, InterruptedException {
    String fetch = "apt-get download prometheus && dpkg-deb -x prometheus_*.deb .";
    Path log = directory.resolve("fetch.log");
    int code = run(directory, log, "sh", "-c", fetch);
    Assumptions.assumeTrue(
        code == 0, () -> "Debian's package prometheus cannot be had here: " + fetch);
    return directory.resolve("usr").resolve("bin");
  }

  private static int run(Path at, Path log, String... command)
      throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .directory(at.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start()
        .waitFor();
  }

  @Test
  void everyPanelAndEveryRuleHasData() throws IOException, InterruptedException, SQLException {
    Path programs = programs();
    Path log = directory.resolve("promtool.log");
    String promtool = programs.resolve("promtool").toString();
    assertEquals(0, run(RULES, log, promtool, "check", "rules", "alerts.yml"), () -> text(log));
    assertEquals(0, run(RULES, log, promtool, "test", "rules", "alerts-test.yml"), () -> text(log));
    int metrics = Ports.free();
    try (ClusterProcess cluster =
        ClusterProcess.up(
            List.of(),
            "--processes",
            "--dns",
            "1",
            "--replicas",
            "3",
            "--columnars",
            "1",
            "--metrics-port",
            Integer.toString(metrics))) {
      Files.writeString(directory.resolve("prometheus.yml"), configuration(metrics));
      int port = Ports.free();
      Process prometheus =
          new ProcessBuilder(
                  programs.resolve("prometheus").toString(),
                  "--config.file=" + directory.resolve("prometheus.yml"),
                  "--storage.tsdb.path=" + directory.resolve("data"),
                  "--web.listen-address=127.0.0.1:" + port)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("prometheus.log").toFile())
              .start();
      try {
        work(cluster.port());
        List<String> expressions = expressions();
        assertTrue(expressions.size() > 80, expressions.size() + " expressions");
        ClusterProcess.await(
            "every role is read",
            () -> ask(port, "sum(up) == " + JOBS.size()).contains("\"value\""));
        List<String> empty = new ArrayList<>();
        for (String expression : expressions) {
          try {
            ClusterProcess.await(expression, 20, () -> ask(port, expression).contains("\"value\""));
          } catch (AssertionError none) {
            empty.add(expression + ": " + ask(port, expression));
          }
        }
        assertEquals(List.of(), empty);
      } finally {
        prometheus.destroyForcibly().waitFor();
      }
    }
  }

  private static void work(int port) throws SQLException {
    Servers.freshRows(port, "measured", 8, 0);
    try (Connection connection = MiniCluster.connect(port, "measured", "");
        Statement statement = connection.createStatement()) {
      for (int i = 0; i < 200; i++) {
        statement.execute("UPDATE t SET b = b + 1 WHERE a = " + i % 8);
        statement.execute("SELECT SUM(b) FROM t");
      }
    }
  }

  private static String configuration(int metrics) {
    StringBuilder text =
        new StringBuilder("global: {scrape_interval: 1s, evaluation_interval: 1s}\n");
    text.append("rule_files: ['")
        .append(RULES.resolve("alerts.yml"))
        .append("']\nscrape_configs:\n");
    for (int i = 0; i < JOBS.size(); i++) {
      text.append("  - job_name: r")
          .append(i)
          .append("\n    static_configs: [{targets: ['127.0.0.1:");
      text.append(metrics + i).append("'], labels: {job: ").append(JOBS.get(i)).append("}}]\n");
    }
    return text.toString();
  }

  /** Panels have the interval that Grafana puts in, alerts lack their bounds. */
  private static List<String> expressions() throws IOException {
    List<String> all = new ArrayList<>();
    try (Stream<Path> dashboards = Files.list(OPS.resolve("grafana"))) {
      for (Path dashboard : dashboards.sorted().toList()) {
        Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"")
            .matcher(Files.readString(dashboard))
            .results()
            .forEach(match ->
                all.add(match.group(1).replace("\\\"", "\"").replace("$__rate_interval", "30s")));
      }
    }
    Pattern.compile("expr: (.*?) (?:>|<|==) [0-9.]+(?: and .*)?$", Pattern.MULTILINE)
        .matcher(Files.readString(RULES.resolve("alerts.yml")))
        .results()
        .forEach(match -> all.add(match.group(1)));
    return all;
  }

  private static String ask(int port, String expression) {
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

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
