package io.alrai.e2e.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.ColumnIndexed;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The only column node of a cluster: it has everything, or the row store answers. */
class OneColumnNodeIT {
  private static final String LONG =
      "SELECT /*+ WORKLOAD_TYPE(AP) */ COUNT(*) FROM t a, t b, t c, t d, t e"
          + " WHERE a.b + b.b + c.b + d.b + e.b = 7 AND e.a <= 10";
  private static final String SUM = "SELECT /*+ WORKLOAD_TYPE(AP) */ SUM(b) FROM t";

  /** How long after its death a node is asked again, at the latest. */
  private static final long AGAIN_SECONDS = 30;

  @Test
  void itAnswersDiesAndIsRefused() throws Exception {
    try (NodeCluster cluster = NodeCluster.start(1)) {
      TpchOnNodes.answersAreTheKnownOnes(cluster);
      Servers.freshRows(cluster.port(0), "one", 40, 10);
      try (Connection connection = cluster.connect(0, "one");
          Statement statement = connection.createStatement()) {
        notIndexed(statement);
        refusedForAValue(connection);
        ColumnIndexed.create(connection, "t", "a");
        diesInTheMiddle(cluster, statement);
        assertEquals("400", Servers.only(statement, SUM));
        ColumnIndexed.awaitReady(cluster.port(0), "one", "t");
        assertEquals("400", Servers.only(statement, SUM));
        assertEquals("40", Servers.only(statement, SUM.replace("SUM(b)", "COUNT(*)")));
        List<String> measured = new ArrayList<>();
        ClusterProcess.await(
            () -> "an answer of the column node, not " + measured + ",",
            AGAIN_SECONDS,
            100,
            () -> {
              measured.clear();
              measured.addAll(explained(connection));
              return measured.toString().contains("; on a column node");
            });
        assertTrue(measured.contains("rows: 1"), measured.toString());
        statement.execute("ALTER TABLE t ADD COLUMN c INT NOT NULL DEFAULT 2");
        ColumnIndexed.awaitReady(cluster.port(0), "one", "t");
        assertEquals("80", Servers.only(statement, SUM.replace("(b)", "(c)")));
      }
      assertEquals(0, cluster.processes().command("status"));
      assertEquals(0, cluster.processes().command("down"));
      assertFalse(cluster.processes().role("columnar-1").isPresent());
    }
  }

  private static List<String> explained(Connection connection) {
    try {
      return Servers.column(connection, "EXPLAIN ANALYZE " + SUM);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a node cannot read goes to the rows as a whole, and EXPLAIN says why. */
  private static void notIndexed(Statement statement) throws SQLException {
    String joined =
        "SELECT /*+ WORKLOAD_TYPE(AP) */ COUNT(*) FROM t JOIN tpchnode.lineitem ON a = l_orderkey";
    String why = Servers.only(statement, "EXPLAIN COST " + joined);
    assertTrue(why.contains("column nodes read indexes only"), why);
    assertTrue(Long.parseLong(Servers.only(statement, joined)) > 0);
  }

  /** What no index can hold takes the statement back, as on a CN that has its own indexes. */
  private static void refusedForAValue(Connection connection) throws SQLException {
    Servers.run(
        connection,
        "SET sql_mode = ''",
        "CREATE TABLE z (a INT PRIMARY KEY, d DATE)",
        "INSERT INTO z VALUES (1, '0000-00-00')",
        "SET sql_mode = DEFAULT");
    SQLException refused =
        assertThrows(SQLException.class, () -> ColumnIndexed.create(connection, "z", "a"));
    assertEquals(1235, refused.getErrorCode(), refused.getMessage());
    Servers.run(connection, "DROP TABLE z"); // which waits for no job
  }

  /** Nothing of 25 million rows has been sent: the row store looks at them again. */
  private static void diesInTheMiddle(NodeCluster cluster, Statement statement)
      throws SQLException {
    long left = ColumnIndexed.status(cluster.port(0), "Alrai_column_selects_left_total");
    CompletableFuture<String> victim =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return Servers.only(statement, LONG);
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            },
            task -> Thread.ofPlatform().start(task));
    ClusterProcess.await("the query's begin", () -> cluster.queryBytes(1) > 0);
    ClusterProcess.kill(cluster.node(1));
    assertEquals("0", victim.join());
    assertEquals(
        left + 1, ColumnIndexed.status(cluster.port(0), "Alrai_column_selects_left_total"));
  }
}
