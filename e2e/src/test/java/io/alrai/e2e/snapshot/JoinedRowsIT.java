package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Joins whose rows the CN holds: one snapshot for all tables, and KILL. */
@ExtendWith(Servers.Shared.class)
class JoinedRowsIT {
  private static final int READINGS = 300;
  private static final int INTERRUPTED = 1317;

  private static Connection open(Servers servers, String schema, String... statements)
      throws SQLException {
    int port = servers.cluster().port();
    Servers.freshSchema(port, schema);
    Connection connection = MiniCluster.connect(port, schema, "");
    Servers.run(connection, statements);
    return connection;
  }

  @Test
  void allTablesAreReadAtOneSnapshot(Servers servers) throws Exception {
    int port = servers.cluster().port();
    try (Connection reader =
            open(
                servers,
                "joinedbank",
                "CREATE TABLE a (id INT PRIMARY KEY, other INT, n INT) PARTITION BY KEY(id)"
                    + " PARTITIONS 4",
                "CREATE TABLE b (id INT PRIMARY KEY, n INT) PARTITION BY KEY(id) PARTITIONS 3",
                "INSERT INTO a VALUES (1, 11, 0), (2, 12, 0), (3, 13, 0), (4, 14, 0)",
                "INSERT INTO b VALUES (11, 0), (12, 0), (13, 0), (14, 0)");
        Connection writer = MiniCluster.connect(port, "joinedbank", "");
        ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor()) {
      AtomicBoolean stop = new AtomicBoolean();
      Future<Integer> written = runner.submit(() -> move(writer, stop));
      try {
        for (int i = 0; i < READINGS; i++) {
          untorn(reader, 1 + i % 4);
        }
      } finally {
        stop.set(true);
      }
      assertTrue(written.get() > 0);
    }
  }

  private static int move(Connection writer, AtomicBoolean stop) throws SQLException {
    int moves = 0;
    for (; !stop.get(); moves++) {
      int row = 1 + moves % 4;
      Servers.run(
          writer,
          "BEGIN",
          "UPDATE a SET n = n - 1 WHERE id = " + row,
          "UPDATE b SET n = n + 1 WHERE id = " + (row + 10),
          "COMMIT");
    }
    return moves;
  }

  private static void untorn(Connection reader, int row) throws SQLException {
    try (Statement statement = reader.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT a.n, b.n FROM a JOIN b ON b.id = a.other WHERE a.id = " + row)) {
      assertTrue(rows.next());
      assertEquals(0, rows.getInt(1) + rows.getInt(2));
    }
  }

  @Test
  void killEndsAJoinOfManyPairs(Servers servers) throws Exception {
    int port = servers.cluster().port();
    try (Connection victim =
            open(
                servers,
                "joinedkill",
                "CREATE TABLE t (id INT PRIMARY KEY, k INT) PARTITION BY KEY(id) PARTITIONS 4",
                "INSERT INTO t WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
                    + " WHERE i < 1000) SELECT i, 7 FROM n",
                "INSERT INTO t SELECT id + 1000, k FROM t");
        Connection killer = MiniCluster.connect(port, "joinedkill", "");
        ExecutorService runner = Executors.newVirtualThreadPerTaskExecutor();
        Statement statement = victim.createStatement()) {
      String id = Servers.only(statement, "SELECT CONNECTION_ID()");
      String pairs = "FROM t AS a JOIN t AS b ON b.k = a.k JOIN t AS c ON c.k = b.k";
      for (String query :
          new String[] {
            "SELECT COUNT(*) " + pairs, "SELECT a.id " + pairs + " ORDER BY c.id LIMIT 1"
          }) {
        Future<String> running = runner.submit(() -> Servers.only(statement, query));
        while (!running.isDone()) {
          Servers.run(killer, "KILL QUERY " + id);
        }
        SQLException error =
            (SQLException) assertThrows(ExecutionException.class, running::get).getCause();
        assertEquals(INTERRUPTED, error.getErrorCode(), error.getMessage());
      }
      assertEquals("2000", Servers.only(statement, "SELECT COUNT(*) FROM t"));
    }
  }
}
