package io.alrai.e2e.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Sends what dashboards and alerts ask for to a Prometheus that reads a cluster. */
@EnabledIfSystemProperty(named = "ops.prometheus", matches = "true")
class PrometheusIT {
  /** Roles by the order of their ports. */
  private static final List<String> JOBS = List.of("cn", "dn", "dn", "columnar", "gms", "logger");

  @TempDir Path directory;

  @Test
  void everyPanelAndEveryRuleHasData() throws IOException, InterruptedException, SQLException {
    Path programs = Prometheus.programs(directory);
    Path log = directory.resolve("promtool.log");
    String promtool = programs.resolve("promtool").toString();
    assertEquals(
        0,
        Prometheus.run(Prometheus.RULES, log, promtool, "check", "rules", "alerts.yml"),
        () -> text(log));
    assertEquals(
        0,
        Prometheus.run(Prometheus.RULES, log, promtool, "test", "rules", "alerts-test.yml"),
        () -> text(log));
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
      try (Prometheus prometheus = Prometheus.start(programs, directory, metrics, JOBS)) {
        work(cluster.port());
        List<String> expressions = expressions();
        assertTrue(expressions.size() > 80, expressions.size() + " expressions");
        ClusterProcess.await(
            "every role is read", () -> prometheus.has("sum(up) == " + JOBS.size()));
        List<String> empty = new ArrayList<>();
        for (String expression : expressions) {
          try {
            ClusterProcess.await(expression, 20, () -> prometheus.has(expression));
          } catch (AssertionError none) {
            empty.add(expression + ": " + prometheus.ask(expression));
          }
        }
        assertEquals(List.of(), empty);
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

  /** Panels have the interval that Grafana puts in, alerts lack their bounds. */
  private static List<String> expressions() throws IOException {
    List<String> all = new ArrayList<>();
    try (Stream<Path> dashboards = Files.list(Prometheus.OPS.resolve("grafana"))) {
      for (Path dashboard : dashboards.sorted().toList()) {
        Pattern.compile("\"expr\": \"((?:[^\"\\\\]|\\\\.)*)\"")
            .matcher(Files.readString(dashboard))
            .results()
            .forEach(match ->
                all.add(match.group(1).replace("\\\"", "\"").replace("$__rate_interval", "30s")));
      }
    }
    Pattern.compile("expr: (.*?) (?:>|<|==) [0-9.]+(?: and .*)?$", Pattern.MULTILINE)
        .matcher(Files.readString(Prometheus.RULES.resolve("alerts.yml")))
        .results()
        .forEach(match -> all.add(match.group(1)));
    return all;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
