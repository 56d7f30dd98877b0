package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said when something is missing. */
final class ShortageIT {
  private static final int OPEN_FILES = 600;
  private static final int LARGE = 30 << 20;
  private static final int LARGE_ROWS = 8; // nearly the heap
  private static final int NO_MEMORY = 1041;
  private static final int CLIENTS = OPEN_FILES - 512;

  @TempDir Path other;

  @Test
  void fewOpenFilesMeanFewClientsAndATakenPortIsNamed() throws Exception {
    try (ClusterProcess cluster = ClusterProcess.upWithOpenFiles(OPEN_FILES, "--dns", "1")) {
      assertTrue(
          cluster.output().contains("at most " + CLIENTS + " clients: raise the hard limit"),
          cluster.output());
      crowd(cluster.port());

      String port = Integer.toString(cluster.port());
      assertEquals(1, cluster.another("--dns", "1", "--port", port, "--data", other.toString()));
      String said = cluster.outputOfAnother();
      assertTrue(said.contains("alrai: cannot listen on 127.0.0.1:" + port), said);
      assertTrue(said.contains("Choose another port with --port"), said);

      String data = cluster.directory().toString();
      assertEquals(1, cluster.another("--port", "0", "--data", data));
      assertTrue(
          cluster.outputOfAnother().contains("runs already: process " + cluster.process().pid()),
          cluster.outputOfAnother());
      assertEquals(1, cluster.another("--processes", "--port", "0", "--data", data));
      assertTrue(
          cluster.outputOfAnother().contains("runs already: process " + cluster.process().pid()),
          cluster.outputOfAnother());
    }
  }

  private static void crowd(int port) throws SQLException {
    List<Connection> clients = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(MiniCluster.connect(port, "", ""));
      }
      for (int i = 0; i < 5; i++) {
        SQLException refused =
            assertThrows(SQLException.class, () -> MiniCluster.connect(port, "", "").close());
        assertEquals(1040, refused.getErrorCode(), refused.toString());
      }
      clients.removeFirst().close();
      ClusterProcess.await(
          "room for another client",
          () -> {
            try {
              return clients.add(MiniCluster.connect(port, "", ""));
            } catch (SQLException full) {
              return false;
            }
          });
      for (Connection client : clients) {
        assertTrue(client.isValid(30));
      }
    } finally {
      for (Connection client : clients) {
        client.close();
      }
    }
  }

  @Test
  void aColumnIndexThatFindsNoMemoryFailsAlone() throws Exception {
    try (ClusterProcess cluster = ClusterProcess.up(List.of());
        Connection client = MiniCluster.connect(cluster.port(), "", "");
        Statement statement = client.createStatement()) {
      statement.execute("CREATE DATABASE s");
      for (String table : List.of("s.large", "s.small")) {
        statement.execute("CREATE TABLE " + table + " (a INT PRIMARY KEY, b LONGTEXT)");
      }
      for (int a = 0; a < LARGE_ROWS; a++) {
        statement.execute("INSERT INTO s.large VALUES (" + a + ", REPEAT('x', " + LARGE + "))");
        statement.execute("INSERT INTO s.small VALUES (" + a + ", 'x')");
      }
      SQLException e =
          assertThrows(
              SQLException.class,
              () -> statement.execute("CREATE CLUSTERED COLUMNAR INDEX i ON s.large (a)"));
      assertEquals(NO_MEMORY, e.getErrorCode(), e.toString());
      statement.execute("CREATE CLUSTERED COLUMNAR INDEX i ON s.small (a)");
      try (ResultSet rows = statement.executeQuery("SELECT SUM(LENGTH(b)) FROM s.large")) {
        assertTrue(rows.next());
        assertEquals((long) LARGE_ROWS * LARGE, rows.getLong(1));
      }
    }
  }
}
