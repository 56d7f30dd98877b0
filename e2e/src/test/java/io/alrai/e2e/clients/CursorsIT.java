package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.wire.Capability;
import io.alrai.common.wire.Command;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Cursors of prepared statements: the same packets as those of a plain mysqld, and more rows. */
@ExtendWith(Servers.Shared.class)
class CursorsIT {
  private static final String SCHEMA = "cursors";
  private static final String BY_FETCH = "&useServerPrepStmts=true&useCursorFetch=true";
  private static final String T = "SELECT a, b FROM cursors.t ORDER BY a";

  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20), c DECIMAL(9,2) DEFAULT 1.5)"
              + " /*alrai PARTITION BY KEY(a) PARTITIONS 4 */",
          "INSERT INTO t (a, b) VALUES (1, 'one'), (2, NULL), (3, 'three'), (4, 'four'), (5, '')",
          "CREATE TABLE one (a INT PRIMARY KEY, f FLOAT, g DOUBLE NOT NULL, d DATETIME(3), t TIME,"
              + " e ENUM('x','y'), j JSON, u BIGINT UNSIGNED, x BLOB, y YEAR, z BIT(5))"
              + " /*alrai SINGLE */",
          "INSERT INTO one VALUES (1, 1.1, 2.2, '2026-01-02 03:04:05.678', '-11:12:13', 'y',"
              + " '{\"a\": 1}', 18446744073709551615, 'x', 2026, 3), (2, NULL, 0, NULL, NULL, NULL,"
              + " NULL, NULL, NULL, NULL, NULL)",
          "CREATE VIEW v AS SELECT b, COUNT(*) n FROM t GROUP BY b",
          "CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END");

  private static void fill(int port) throws SQLException {
    Servers.freshSchema(port, SCHEMA);
    try (Connection connection = MiniCluster.connect(port, SCHEMA, "")) {
      Servers.run(connection, TABLES.toArray(String[]::new));
    }
  }

  private static BinaryScript script(String title) {
    return new BinaryScript(title).query("USE cursors");
  }

  private static BinaryScript opened(String title) {
    return script(title).prepare(T).execute(1, BinaryScript.CURSOR);
  }

  private static List<BinaryScript> scripts() {
    return List.of(
        opened("to the end").fetch(1, 2).fetch(1, 2).fetch(1, 2).fetch(1, 2).fetch(7, 1),
        opened("as many as there are").fetch(1, 5).fetch(1, 5).fetch(1, 5),
        opened("all at once").fetch(1, 100).fetch(1, 1),
        opened("none").fetch(1, 0).fetch(1, 1).fetch(1, 0),
        opened("beside others")
            .query("SELECT 1")
            .fetch(1, 1)
            .prepare("SELECT a FROM one ORDER BY a")
            .execute(2, BinaryScript.CURSOR)
            .fetch(2, 1)
            .fetch(1, 1)
            .fetch(2, 1)
            .fetch(2, 1)
            .fetch(1, 9),
        opened("reset").fetch(1, 1).reset(1).fetch(1, 1).reset(9),
        opened("closed").close(1).fetch(1, 1).execute(1, 1),
        opened("executed again").fetch(1, 1).execute(1, 1).fetch(1, 1),
        script("of no rows")
            .prepare(T.replace("ORDER", "WHERE a > 9 ORDER"))
            .execute(1, 1)
            .fetch(1, 3));
  }

  private static List<BinaryScript> besideChanges() {
    return List.of(
        script("of a transaction")
            .query("BEGIN")
            .prepare(T)
            .execute(1, 1)
            .fetch(1, 1)
            .query("UPDATE t SET b = 'changed' WHERE a > 0")
            .fetch(1, 1)
            .query("COMMIT")
            .fetch(1, 1)
            .query("UPDATE t SET b = 'again' WHERE a > 1")
            .fetch(1, 1)
            .query("SET autocommit = 0")
            .execute(1, 1)
            .query("ROLLBACK")
            .fetch(1, 9),
        script("of a table that goes")
            .query("CREATE TABLE going (a INT PRIMARY KEY, b INT)")
            .query("INSERT INTO going VALUES (1, 1), (2, 2), (3, 3)")
            .prepare("SELECT a, b FROM going ORDER BY a")
            .execute(1, 1)
            .fetch(1, 1)
            .query("ALTER TABLE going ADD COLUMN c INT FIRST")
            .fetch(1, 1)
            .query("DROP TABLE going")
            .fetch(1, 1)
            .fetch(1, 1),
        script("of a temporary table")
            .query("CREATE TEMPORARY TABLE tt (a INT PRIMARY KEY)")
            .query("INSERT INTO tt VALUES (1), (2)")
            .prepare("SELECT a FROM tt")
            .execute(1, 1)
            .query("DROP TEMPORARY TABLE tt")
            .fetch(1, 3),
        script("with a parameter")
            .prepare("SELECT b FROM t WHERE a > ? ORDER BY a")
            .execute(1, 1, 2)
            .fetch(1, 1)
            .execute(1, 1, 3)
            .fetch(1, 9),
        script("of a session that is reset")
            .prepare(T)
            .execute(1, 1)
            .command(Unpooled.buffer().writeByte(Command.RESET_CONNECTION))
            .fetch(1, 1));
  }

  private static List<BinaryScript> statements() {
    List<BinaryScript> scripts = new ArrayList<>();
    for (String sql :
        List.of(
            "SELECT 1, 'x', NULL, 1.50, NOW() > '2000-01-01'",
            "SELECT -1, 12345678901, 1e0, PI(), a + 1, g * 2, f + 1 FROM one ORDER BY a",
            "SELECT CURDATE() > 0, CAST('2026-01-02' AS DATE), CAST('10:11' AS TIME(2)),"
                + " CAST('2026-01-02 03:04:05' AS DATETIME), CAST(x AS BINARY), CAST(2 AS UNSIGNED),"
                + " REPEAT(x, 300), IF(a = 1, e, NULL), a = 1, y, z + 0, u, j,"
                + " COALESCE(f, 1), CASE WHEN a = 1 THEN d END FROM one ORDER BY a",
            "SELECT * FROM one ORDER BY a",
            "SELECT * FROM t WHERE a = 3",
            "SELECT SUM(a), AVG(c), MAX(b), COUNT(DISTINCT b) FROM t",
            "SELECT b, COUNT(*) FROM t GROUP BY b ORDER BY b",
            "SELECT * FROM v ORDER BY b",
            "SELECT a FROM t UNION SELECT a FROM one ORDER BY a LIMIT 3",
            "WITH q AS (SELECT a, c FROM t) SELECT q.a, c, g FROM q JOIN one USING (a) ORDER BY q.a",
            "TABLE t ORDER BY a LIMIT 2",
            "SELECT a FROM t ORDER BY a FOR UPDATE",
            "SELECT a FROM t WHERE a = 1 INTO @b",
            "INSERT INTO t (a, b) VALUES (100, 'x')",
            "DELETE FROM t WHERE a = 100",
            "SHOW VARIABLES LIKE 'autocommit'",
            "CALL p()",
            "SELECT a FROM one WHERE a = (SELECT MAX(a) FROM t)")) {
      scripts.add(script(sql).prepare(sql).execute(1, 1).fetch(1, 2).fetch(1, 10));
    }
    return scripts;
  }

  @Test
  void packetsAreThoseOfAPlainServer(Servers servers) throws SQLException, IOException {
    compare(servers, scripts());
    compare(servers, besideChanges());
  }

  @Test
  void anyStatementMayAskForACursor(Servers servers) throws SQLException, IOException {
    compare(servers, statements());
  }

  private static void compare(Servers servers, List<BinaryScript> scripts)
      throws SQLException, IOException {
    fill(servers.plain().port());
    fill(servers.cluster().port());
    List<String> differences = new ArrayList<>();
    for (int capability : new int[] {0, Capability.DEPRECATE_EOF}) {
      for (BinaryScript script : scripts) {
        differences.addAll(
            script.differences(servers.plain().port(), servers.cluster().port(), capability));
      }
    }
    assertTrue(differences.isEmpty(), () -> String.join("\n", differences));
  }

  /** Where a mysqld goes on to keep rows for whoever asked for a cursor once. */
  @Test
  void anExecutionWithoutACursorHasItsRowsAtOnce(Servers servers) throws SQLException, IOException {
    int port = servers.cluster().port();
    fill(port);
    List<String> again = opened("").fetch(1, 1).execute(1, 0).fetch(1, 1).answers(port, 0);
    List<String> first = script("").prepare(T).execute(1, 0).fetch(1, 1).answers(port, 0);
    assertEquals(first.subList(5, first.size()), again.subList(11, again.size()));
    assertTrue(again.getLast().endsWith("The statement (1) has no open cursor."), again.getLast());
  }

  @Test
  void otherStatementsMayAskForOne(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    fill(port);
    try (Connection connection = MiniCluster.connect(port, SCHEMA, BY_FETCH)) {
      for (String sql :
          List.of(
              "SHOW TABLES",
              "SHOW COLUMNS FROM t",
              "SHOW CREATE TABLE t",
              "SELECT @a := a FROM t",
              "EXPLAIN SELECT a FROM t",
              "SELECT TABLE_NAME FROM information_schema.TABLES",
              "CALL p()",
              "DO 1",
              "UPDATE t SET b = 1")) {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
          statement.setFetchSize(1);
          for (int time = 0; time < 2; time++) {
            if (statement.execute()) {
              try (ResultSet rows = statement.getResultSet()) {
                assertTrue(rows.next(), sql);
              }
            }
          }
        }
      }
    }
  }

  @Test
  void rowsAreThoseOfOneMoment(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "moment", 2_000, 0);
    try (Connection connection = MiniCluster.connect(port, "moment", BY_FETCH);
        Connection other = MiniCluster.connect(port, "moment", "");
        PreparedStatement select = connection.prepareStatement("SELECT a, b FROM t ORDER BY a");
        PreparedStatement second = connection.prepareStatement("SELECT SUM(b) FROM t")) {
      select.setFetchSize(7);
      try (ResultSet rows = select.executeQuery()) {
        for (int a = 1; a <= 2_000; a++) {
          assertTrue(rows.next());
          assertEquals(a, rows.getInt(1));
          assertEquals(0, rows.getInt(2));
          if (a == 10) {
            Servers.run(other, "UPDATE t SET b = 1", "ALTER TABLE t ADD COLUMN c INT FIRST");
            try (ResultSet sum = second.executeQuery()) {
              assertTrue(sum.next());
              assertEquals(2_000, sum.getInt(1));
            }
          } else if (a == 100) {
            Servers.run(other, "DROP TABLE t");
          }
        }
        assertFalse(rows.next());
      }
    }
  }

  @Test
  void nothingIsLeftOfClientsThatVanish(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "vanished", 5_000, 0);
    try (Connection watcher = MiniCluster.connect(port, "vanished", "");
        Statement status = watcher.createStatement()) {
      Connection vanishing = MiniCluster.connect(port, "vanished", BY_FETCH);
      Connection killed = MiniCluster.connect(port, "vanished", BY_FETCH);
      long id = Long.parseLong(Servers.column(killed, "SELECT CONNECTION_ID()").getFirst());
      for (Connection each : List.of(vanishing, killed)) {
        for (int i = 0; i < 3; i++) {
          PreparedStatement select = each.prepareStatement("SELECT a, b, " + i + " FROM t");
          select.setFetchSize(3);
          assertTrue(select.executeQuery().next());
        }
      }
      assertEquals(6, value(status, "Alrai_cursors"));
      assertTrue(value(status, "Alrai_cursor_disk_bytes") > 100_000);
      vanishing.abort(Runnable::run);
      status.execute("KILL " + id);
      ClusterProcess.await("the end of all cursors", () -> noneIsLeft(status));
      killed.abort(Runnable::run);
    }
  }

  private static boolean noneIsLeft(Statement status) {
    try {
      return value(status, "Alrai_cursors") == 0 && value(status, "Alrai_cursor_disk_bytes") == 0;
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static long value(Statement statement, String name) throws SQLException {
    try (ResultSet row = statement.executeQuery("SHOW STATUS LIKE '" + name + "'")) {
      assertTrue(row.next());
      return row.getLong(2);
    }
  }
}
