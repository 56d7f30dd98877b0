package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows that the CN reads from one shard and writes into another keep every character and byte,
 * whatever character set the session speaks.
 */
@ExtendWith(Servers.Shared.class)
class CopiedTextIT {
  private static final int ROWS = 12;
  private static final String WHOLE =
      "CONCAT_WS('/', HEX(s), HEX(l), HEX(g), SHA2(b, 256), HEX(j->>'$.k'), HEX(e))";
  private static final String COLUMNS =
      " (a INT PRIMARY KEY, s VARCHAR(40), l VARCHAR(40) CHARACTER SET latin1,"
          + " g VARCHAR(40) CHARACTER SET gbk, b BLOB, j JSON, e ENUM('漢字','é'))"
          + " PARTITION BY KEY(a) PARTITIONS ";

  private static List<String> rows(Statement statement, String table, int from)
      throws SQLException {
    List<String> rows = new ArrayList<>();
    try (ResultSet found =
        statement.executeQuery(
            "SELECT CONCAT_WS('/', a - "
                + from
                + ", "
                + WHOLE
                + ") FROM "
                + table
                + " WHERE a > "
                + from
                + " AND a < "
                + (from + 100)
                + " ORDER BY a")) {
      while (found.next()) {
        rows.add(found.getString(1));
      }
    }
    return rows;
  }

  private static void fill(Connection connection) throws SQLException {
    byte[] bytes = new byte[256];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) i;
    }
    try (Statement statement = connection.createStatement();
        PreparedStatement insert =
            connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?, ?, ?, ?, '漢字')")) {
      statement.execute("CREATE TABLE t" + COLUMNS + "8");
      statement.execute("CREATE TABLE u" + COLUMNS + "3");
      for (int a = 1; a <= ROWS; a++) {
        insert.setInt(1, a);
        insert.setString(2, "漢'\\é😀誠" + a);
        insert.setString(3, "é€\\ß");
        insert.setString(4, "誠'\\漢");
        insert.setBytes(5, bytes);
        insert.setString(6, "{\"k\": \"漢\\\\😀\"}");
        insert.executeUpdate();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SET NAMES utf8mb4",
        "SET NAMES latin1",
        "SET NAMES gbk",
        "SET NAMES sjis",
        "SET NAMES binary",
        "SET NAMES ascii",
        "SET character_set_connection = latin1",
        "SET character_set_connection = ucs2",
        "SET sql_mode = 'ONLY_FULL_GROUP_BY', character_set_connection = ucs2",
        "SET character_set_client = latin1",
        "SET character_set_results = latin1",
        "SET character_set_results = NULL",
        "SET sql_mode = 'NO_BACKSLASH_ESCAPES', character_set_connection = latin1"
      })
  void everyCharacterArrives(String set, Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshSchema(port, "copiedtext");
    try (Connection plain = MiniCluster.connect(port, "copiedtext", "");
        Statement check = plain.createStatement();
        Connection connection = MiniCluster.connect(port, "copiedtext", "");
        Statement statement = connection.createStatement()) {
      fill(plain);
      List<String> before = rows(check, "t", 0);
      assertEquals(ROWS, before.size());
      statement.execute(set);

      statement.execute("INSERT INTO u SELECT a + 100, s, l, g, b, j, e FROM t");
      assertEquals(before, rows(check, "u", 100), "INSERT ... SELECT");
      statement.execute("REPLACE INTO u SELECT a + 100, s, l, g, b, j, e FROM t");
      assertEquals(before, rows(check, "u", 100), "REPLACE ... SELECT");
      statement.execute(
          "INSERT INTO u SELECT t.a + 200, t.s, t.l, t.g, t.b, t.j, t.e FROM t JOIN u"
              + " ON t.s = u.s AND t.a + 100 = u.a");
      assertEquals(before, rows(check, "u", 200), "INSERT ... SELECT of a join");
      assertEquals(ROWS, statement.executeUpdate("UPDATE u SET a = a + 100 WHERE a > 200"));
      assertEquals(before, rows(check, "u", 300), "UPDATE of the key");
      assertEquals(
          ROWS,
          statement.executeUpdate(
              "UPDATE u SET s = CONCAT((SELECT s FROM t ORDER BY a LIMIT 1), 'x') WHERE a > 300"));
      assertEquals(
          before.size(),
          count(
              check,
              "SELECT COUNT(*) FROM u WHERE a > 300 AND s = '漢''\\\\é😀誠1x' COLLATE utf8mb4_bin"));
      assertEquals(5, statement.executeUpdate("DELETE FROM u WHERE a > 300 ORDER BY s LIMIT 5"));
    }
  }

  private static int count(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  @Test
  void rowsWithTextKeysMoveAndAreFound(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshSchema(port, "movedtext");
    try (Connection plain = MiniCluster.connect(port, "movedtext", "");
        Statement check = plain.createStatement();
        Connection connection = MiniCluster.connect(port, "movedtext", "");
        Statement statement = connection.createStatement()) {
      check.execute(
          "CREATE TABLE t (k VARCHAR(40) PRIMARY KEY, n INT) PARTITION BY KEY(k) PARTITIONS 8");
      check.execute("CREATE TABLE u LIKE t");
      check.execute("INSERT INTO t VALUES ('漢1',1),('漢2',2),('漢3',3),('誠4',4),('é5',5),('😀6',6)");
      statement.execute("SET NAMES latin1");
      statement.execute("INSERT INTO u SELECT CONCAT(k, 'x'), n FROM t");
      assertEquals(6, statement.executeUpdate("UPDATE u SET k = CONCAT(k, 'y')"));
      String[] keys = {"漢1xy", "漢2xy", "漢3xy", "誠4xy", "é5xy", "😀6xy"};
      for (int n = 1; n <= keys.length; n++) {
        String sql = "SELECT COALESCE(MAX(n), 0) FROM u WHERE k = '" + keys[n - 1] + "'";
        assertEquals(n, count(check, sql), keys[n - 1]);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Cp1252:é€ß", "GBK:誠漢é", "Big5:功許", "Shift_JIS:表能ソ", "EUC_KR:한"})
  void keysFindTheirShardInEveryCharacterSet(String encodingAndKeys, Servers servers)
      throws SQLException {
    String encoding = encodingAndKeys.substring(0, encodingAndKeys.indexOf(':'));
    String[] keys = encodingAndKeys.substring(encodingAndKeys.indexOf(':') + 1).split("");
    int port = servers.cluster().port();
    Servers.freshSchema(port, "textkeys");
    for (String prepared : List.of("", "&useServerPrepStmts=true")) {
      try (Connection plain = MiniCluster.connect(port, "textkeys", "");
          Statement check = plain.createStatement();
          Connection connection =
              MiniCluster.connect(port, "textkeys", "&characterEncoding=" + encoding + prepared);
          Statement statement = connection.createStatement()) {
        check.execute("DROP TABLE IF EXISTS t");
        check.execute(
            "CREATE TABLE t (k VARCHAR(40) PRIMARY KEY, n INT) PARTITION BY KEY(k) PARTITIONS 8");
        int n = 0;
        for (String key : keys) {
          statement.execute("INSERT INTO t VALUES ('" + key + "', " + ++n + ")");
          assertEquals(n, count(check, "SELECT MAX(n) FROM t WHERE k = '" + key + "'"), key);
          statement.execute("INSERT INTO t VALUES ('" + key + "a', 0), ('" + key + "b', 0)");
          assertEquals(1, count(check, "SELECT COUNT(*) FROM t WHERE k = '" + key + "b'"), key);
          assertEquals(n, count(statement, "SELECT MAX(n) FROM t WHERE k = '" + key + "'"), key);
          assertEquals(2, count(statement, "SELECT COUNT(*) FROM t WHERE k LIKE '" + key + "_'"));
          try (PreparedStatement insert =
              connection.prepareStatement("INSERT INTO t VALUES (?, ?), (?, ?)")) {
            insert.setString(1, key + "p");
            insert.setInt(2, 7);
            insert.setString(3, key + "q'");
            insert.setInt(4, 8);
            insert.executeUpdate();
          }
          assertEquals(8, count(check, "SELECT MAX(n) FROM t WHERE k = '" + key + "q'''"), key);
          assertEquals(7, count(check, "SELECT MAX(n) FROM t WHERE k = '" + key + "p'"), key);
        }
      }
    }
  }
}
