package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.ColumnIndexed;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** SELECTs over column indexes that need ten times the memory that one may have. */
@Tag("alone")
@ExtendWith(Servers.Shared.class)
final class ColumnSpillIT {
  private static final int ROWS = 1_600;
  private static final long MEMORY = 16L << 20;
  private static final String TWO_MILLION = "SELECT a.k x, b.k y, a.p FROM t a, t b";

  private static final String GROUPS =
      "COUNT(*), SUM(c), SUM(x * y), MAX(m) FROM (SELECT a.k x, b.k y, COUNT(*) c, SUM(a.p) s,"
          + " MAX(b.s) m FROM t a, t b GROUP BY a.k, b.k) d";

  private static final String ORDER =
      "x, y FROM (" + TWO_MILLION + ") d ORDER BY x * 7 % 11, y DESC, x LIMIT 2000000, 15";

  private static final String JOIN =
      "COUNT(*), SUM(d.x), SUM(e.y), SUM(e.p) FROM ("
          + TWO_MILLION
          + ") d JOIN ("
          + TWO_MILLION
          + ") e ON d.x = e.y AND d.y = e.x";

  private static Connection indexed(int port, String schema) throws SQLException {
    Servers.freshSchema(port, schema);
    Connection connection = MiniCluster.connect(port, schema, "");
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t (id INT PRIMARY KEY, k INT NOT NULL, p DECIMAL(9,2), s VARCHAR(20))"
              + " PARTITION BY KEY (id) PARTITIONS 4");
      StringBuilder insert = new StringBuilder("INSERT INTO t VALUES ");
      for (int i = 0; i < ROWS; i++) {
        insert.append(i == 0 ? "" : ", ");
        String price = i % 13 == 0 ? "NULL" : i + ".25";
        insert.append("(" + i + ", " + i + ", " + price + ", 's" + i % 97 + "')");
      }
      statement.execute(insert.toString());
    }
    ColumnIndexed.create(connection, "t", "id");
    return connection;
  }

  private static List<List<String>> rows(Statement statement, String store, String select)
      throws SQLException {
    List<List<String>> rows = new ArrayList<>();
    long start = System.nanoTime();
    try (ResultSet result =
        statement.executeQuery("SELECT /*+ WORKLOAD_TYPE(" + store + ") */ " + select)) {
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getString(i));
        }
        rows.add(row);
      }
    }
    System.out.println(store + " " + (System.nanoTime() - start) / 1_000_000 + " ms: " + select);
    return rows;
  }

  private static long status(int port, String name) {
    try {
      return ColumnIndexed.status(port, name);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** The cluster serves other tests too. */
  private static void reset(Statement statement) throws SQLException {
    statement.execute(
        "SET GLOBAL ap_query_memory_limit = DEFAULT, GLOBAL ap_spill_limit = DEFAULT");
  }

  @Test
  void groupsOrdersAndJoinsFinishWithATenthOfTheirMemory(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    try (Connection connection = indexed(port, "colspill");
        Statement statement = connection.createStatement()) {
      statement.execute("SET GLOBAL ap_query_memory_limit = " + MEMORY);
      try {
        for (String select : List.of(GROUPS, ORDER, JOIN)) {
          long answered = ColumnIndexed.answered(port);
          long written = status(port, "Alrai_ap_spilled_bytes_total");
          List<List<String>> rows = rows(statement, "AP", select);
          assertEquals(1, ColumnIndexed.answered(port) - answered, select);
          assertTrue(status(port, "Alrai_ap_spilled_bytes_total") - written > 6 * MEMORY, select);
          assertEquals(rows(statement, "TP", select), rows, select);
          ClusterProcess.await("the disk", () -> status(port, "Alrai_ap_disk_bytes") == 0);
        }
        String explained = "";
        try (ResultSet lines =
            statement.executeQuery("EXPLAIN ANALYZE SELECT /*+ WORKLOAD_TYPE(AP) */ " + ORDER)) {
          while (lines.next()) {
            explained += lines.getString(1) + "\n";
          }
        }
        assertTrue(explained.matches("(?s).*spilled: [1-9]\\d{7,} bytes to disk.*"), explained);
      } finally {
        reset(statement);
      }
    }
  }

  @Test
  void killFreesMemoryAndDisk(Servers servers) throws Exception {
    int port = servers.cluster().port();
    try (Connection connection = indexed(port, "colspillkill");
        Statement statement = connection.createStatement();
        Connection other = MiniCluster.connect(port, "colspillkill", "");
        Statement killer = other.createStatement()) {
      String id = Servers.only(statement, "SELECT CONNECTION_ID()");
      killer.execute("SET GLOBAL ap_query_memory_limit = " + MEMORY);
      try {
        List<Long> millis = new ArrayList<>();
        for (String select : List.of(GROUPS, ORDER, JOIN)) {
          CompletableFuture<SQLException> victim =
              CompletableFuture.supplyAsync(
                  () ->
                      assertThrows(SQLException.class, () -> rows(statement, "AP", select), select),
                  task -> Thread.ofPlatform().start(task));
          ClusterProcess.await("rows on disk", () -> status(port, "Alrai_ap_disk_bytes") > MEMORY);
          long start = System.nanoTime();
          killer.execute("KILL QUERY " + id);
          assertEquals(1317, victim.get().getErrorCode());
          millis.add((System.nanoTime() - start) / 1_000_000);
          ClusterProcess.await("the memory", () -> status(port, "Alrai_ap_memory_bytes") == 0);
          ClusterProcess.await("the disk", () -> status(port, "Alrai_ap_disk_bytes") == 0);
        }
        System.out.println("KILL QUERY ended queries that spill within " + millis + " ms");
        assertTrue(millis.stream().min(Long::compare).orElseThrow() < 100, millis.toString());
      } finally {
        reset(killer);
      }
    }
  }

  @Test
  void theDiskOfAQueryIsBounded(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    try (Connection connection = indexed(port, "colspillmost");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "SET GLOBAL ap_query_memory_limit = " + MEMORY + ", GLOBAL ap_spill_limit = 30000000");
      try {
        SQLException e = assertThrows(SQLException.class, () -> rows(statement, "AP", GROUPS));
        assertEquals(1114, e.getErrorCode());
        assertTrue(e.getMessage().contains("ap_spill_limit"), e.getMessage());
        assertEquals(0, status(port, "Alrai_ap_disk_bytes"));
        assertEquals(
            "" + ROWS, Servers.only(statement, "SELECT /*+ WORKLOAD_TYPE(AP) */ COUNT(*) FROM t"));
        statement.execute("SET GLOBAL ap_spill_limit = 0");
        long answered = ColumnIndexed.answered(port);
        assertEquals(1, rows(statement, "AP", GROUPS).size());
        assertEquals(answered, ColumnIndexed.answered(port));
      } finally {
        reset(statement);
      }
    }
  }
}
