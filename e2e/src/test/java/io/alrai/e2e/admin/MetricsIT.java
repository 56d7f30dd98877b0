package io.alrai.e2e.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.metrics.Metric;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.Ports;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

class MetricsIT {
  /** All but those of members of groups, and of processes. */
  private static final List<Metric> WITHOUT_GROUPS =
      Arrays.stream(Metric.values())
          .filter(metric -> metric.label().startsWith("alrai_"))
          .filter(metric -> !metric.label().startsWith("alrai_member_"))
          .toList();

  private static Map<String, String> show(Statement statement, String sql) throws SQLException {
    Map<String, String> rows = new LinkedHashMap<>();
    try (ResultSet answer = statement.executeQuery(sql)) {
      while (answer.next()) {
        rows.put(answer.getString(1), answer.getString(2));
      }
    }
    return rows;
  }

  private static double value(Statement statement, Metric metric) throws SQLException {
    String like = metric.statusName().replace("_", "\\_");
    return Double.parseDouble(
        show(statement, "SHOW STATUS LIKE '" + like + "'").get(metric.statusName()));
  }

  private static double finished(Statement statement) {
    try {
      return value(statement, Metric.TWO_PHASE_FINISHED);
    } catch (SQLException e) {
      throw new AssertionError("SHOW STATUS failed", e);
    }
  }

  private static double grown(Statement statement, Metric metric, String sql) throws SQLException {
    double before = value(statement, metric);
    statement.execute(sql);
    return value(statement, metric) - before;
  }

  @Test
  @ExtendWith(Servers.Shared.class)
  void whatClientsDoIsCounted(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "counted", 8, 0);
    try (Connection connection = MiniCluster.connect(port, "counted", "");
        Statement statement = connection.createStatement()) {
      // the statement, and the SHOW STATUS after it
      assertEquals(2, grown(statement, Metric.STATEMENTS, "SELECT b FROM t WHERE a = 1"));
      assertEquals(0, grown(statement, Metric.SNAPSHOTS, "SELECT b FROM t WHERE a = 1"));
      assertEquals(1, grown(statement, Metric.SNAPSHOTS, "SELECT SUM(b) FROM t"));
      assertEquals(2, grown(statement, Metric.GATE_OPENS, "SELECT SUM(b) FROM t"));
      assertTrue(grown(statement, Metric.GATE_WAITS, "SELECT SUM(b) FROM t") > 0);
      assertEquals(0, grown(statement, Metric.TWO_PHASE_DECIDED, "UPDATE t SET b=1 WHERE a=1"));
      String everywhere = "UPDATE t SET b = b + 1";
      for (Metric once :
          List.of(Metric.TWO_PHASE_COMMITS, Metric.TWO_PHASE_PREPARED, Metric.TWO_PHASE_DECIDED)) {
        assertEquals(1, grown(statement, once, everywhere), once.label());
      }
      // the client is answered before
      double decided = value(statement, Metric.TWO_PHASE_DECIDED);
      ClusterProcess.await("the end of all commits", () -> finished(statement) == decided);
      assertTrue(grown(statement, Metric.TWO_PHASE_DECISIONS, everywhere) > 0);
      assertEquals(0, grown(statement, Metric.STATEMENT_ERRORS, everywhere));
      double errors = value(statement, Metric.STATEMENT_ERRORS);
      List<String> wrong =
          List.of(
              "SELEC 1", "SELECT nothing FROM t", "SELECT nothing FROM t WHERE a = 1", "KILL 0");
      for (String sql : wrong) {
        assertThrows(SQLException.class, () -> statement.execute(sql), sql);
      }
      assertEquals(errors + wrong.size(), value(statement, Metric.STATEMENT_ERRORS));
      assertTrue(value(statement, Metric.CONNECTIONS) >= 1);
      assertTrue(value(statement, Metric.BACKEND_CONNECTIONS) >= 2);
      assertEquals(0, value(statement, Metric.IN_DOUBT_BRANCHES));
    }
  }

  @Test
  @ExtendWith(Servers.Shared.class)
  void showStatusHasThemAmongTheRowsOfTheServer(Servers servers) throws SQLException {
    try (Connection connection = servers.cluster().connect("");
        Statement statement = connection.createStatement()) {
      Map<String, String> all = show(statement, "SHOW GLOBAL STATUS");
      List<String> names = new ArrayList<>(all.keySet());
      assertTrue(all.containsKey("Threads_connected"));
      for (Metric metric : WITHOUT_GROUPS) {
        assertTrue(all.containsKey(metric.statusName()), metric.statusName());
      }
      assertTrue(names.indexOf("Alrai_statements_total") > names.indexOf("Aborted_clients"));
      assertTrue(names.indexOf("Alrai_statements_total") < names.indexOf("Binlog_cache_use"));
      assertEquals(WITHOUT_GROUPS.size(), show(statement, "SHOW STATUS LIKE 'alrai\\_%'").size());
      assertEquals(
          List.of("Alrai_gate_opens_total"),
          List.copyOf(
              show(
                      statement,
                      "SHOW SESSION STATUS WHERE Variable_name = 'Alrai_gate_opens_total' AND Value"
                          + " >= 0")
                  .keySet()));
      assertFalse(show(statement, "SHOW STATUS LIKE 'Threads%'").containsKey("Alrai_connections"));
    }
  }

  @Test
  @ExtendWith(Servers.Shared.class)
  void showVariablesHasAlraisOwn(Servers servers) throws SQLException {
    try (Connection connection = servers.cluster().connect("");
        Statement statement = connection.createStatement()) {
      statement.execute("SET read_consistency = 'eventual'");
      assertEquals(
          Map.of("read_consistency", "eventual"),
          show(statement, "SHOW VARIABLES LIKE 'read_consistency'"));
      String stamp = show(statement, "SHOW VARIABLES LIKE 'alrai%'").get("alrai_session_stamp");
      assertTrue(Pattern.matches("\\d+", stamp), stamp);
      List<String> names = new ArrayList<>(show(statement, "SHOW VARIABLES").keySet());
      assertTrue(names.indexOf("read_consistency") > names.indexOf("read_buffer_size"));
      assertTrue(names.indexOf("read_consistency") < names.indexOf("read_only"));
      assertEquals(Map.of(), show(statement, "SHOW GLOBAL VARIABLES LIKE 'read_consistency'"));
      assertEquals(
          Map.of("snapshot_isolation_conflicts", "OFF"),
          show(statement, "SHOW GLOBAL VARIABLES LIKE 'snapshot\\_isolation%'"));
    }
  }

  @Test
  void prometheusReadsEveryRole() throws SQLException, IOException, InterruptedException {
    int metrics = Ports.free();
    try (ClusterProcess cluster =
            ClusterProcess.up(
                List.of(),
                "--processes",
                "--dns",
                "1",
                "--metrics-port",
                Integer.toString(metrics));
        Connection connection = MiniCluster.connect(cluster.port(), "", "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE m");
      String cn = get(metrics);
      String dn = get(metrics + 1);
      String gms = get(metrics + 2);
      for (int port = metrics; port < metrics + 3; port++) {
        assertEquals("\nalive\n", get(port, "/healthz"));
        int asked = port; // a lease may run out on a machine that has much else to do
        ClusterProcess.await("ready", () -> status(asked, "/readyz").equals("200 ready\n"));
      }
      assertTrue(gms.contains("\nalrai_gms_leads 1\n"), gms);
      assertTrue(cn.contains("\nalrai_connections 1\n"), cn);
      assertTrue(cn.contains("\nalrai_backend_connections{dn=\"dn-1\"} "), cn);
      assertTrue(dn.contains("\nalrai_gate_transactions_total{dn=\"dn-1\"} "), dn);
      for (Metric metric : WITHOUT_GROUPS) {
        String line = "\n" + metric.label();
        assertTrue(cn.contains(line) || dn.contains(line) || gms.contains(line), metric.label());
      }
      for (String role : List.of(cn, dn, gms)) {
        assertTrue(role.contains("\njvm_memory_used_bytes{area=\"heap\"} "), role);
        assertTrue(role.contains("\nprocess_resident_memory_bytes "), role);
      }
      ClusterProcess.await("the mysqld's status", () -> read(metrics + 1, "mysqld_up") == 1);
      assertTrue(read(metrics + 1, "mysqld_threads_connected") > 1);
      assertTrue(read(metrics + 1, "mysqld_questions_total") > 1);
      assertTrue(read(metrics + 1, "mysqld_answer_seconds") > 0);
      letsItsClientsGo(cluster, metrics);
    }
  }

  /** A CN that ends: not ready first, then no new clients, and transactions end. */
  private static void letsItsClientsGo(ClusterProcess cluster, int metrics)
      throws SQLException, IOException, InterruptedException {
    Path file = cluster.directory().resolve("etc").resolve("cn-1.properties");
    Files.writeString(
        file, "drain.listen.seconds = 1\ndrain.seconds = 20\n", StandardOpenOption.APPEND);
    ProcessHandle first = cluster.role("cn-1").orElseThrow();
    first.destroy();
    ClusterProcess.await(
        "the CN with its new file",
        () -> !first.isAlive() && status(metrics, "/readyz").equals("200 ready\n"));
    try (Connection busy = MiniCluster.connect(cluster.port(), "m", "");
        Statement statement = busy.createStatement()) {
      statement.execute("CREATE TABLE t (a INT PRIMARY KEY)");
      statement.execute("BEGIN");
      statement.execute("INSERT INTO t VALUES (1)");
      cluster.role("cn-1").orElseThrow().destroy();
      ClusterProcess.await(
          "503", () -> status(metrics, "/readyz").startsWith("503 it is stopping\n"));
      assertEquals("200 alive\n", status(metrics, "/healthz"));
      MiniCluster.connect(cluster.port(), "m", "").close();
      ClusterProcess.await("no new clients", () -> !listens(cluster.port()));
      statement.execute("INSERT INTO t VALUES (2)");
      statement.execute("COMMIT");
      SQLException over =
          assertThrows(SQLException.class, () -> statement.execute("SELECT * FROM t"));
      assertEquals(1053, over.getErrorCode(), over.getMessage());
    }
    ClusterProcess.await("the next CN", () -> status(metrics, "/readyz").equals("200 ready\n"));
    try (Connection after = MiniCluster.connect(cluster.port(), "m", "");
        Statement statement = after.createStatement()) {
      assertEquals(Map.of("2", "2"), show(statement, "SELECT COUNT(*), MAX(a) FROM t"));
    }
  }

  private static double read(int port, String metric) {
    Pattern line = Pattern.compile("\nalrai_" + metric + "\\{dn=\"dn-1\"} (\\S+)\n");
    return line.matcher("\n" + status(port, "/metrics"))
        .results()
        .mapToDouble(found -> Double.parseDouble(found.group(1)))
        .sum();
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      return socket.isConnected();
    } catch (IOException refused) {
      return false;
    }
  }

  private static String status(int port, String path) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + port + path);
      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    } catch (IOException nobody) {
      return "";
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String get(int port) throws IOException, InterruptedException {
    return get(port, "/metrics");
  }

  private static String get(int port, String path) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI uri = URI.create("http://127.0.0.1:" + port + path);
      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
      assertEquals(200, answer.statusCode());
      return "\n" + answer.body();
    }
  }
}
