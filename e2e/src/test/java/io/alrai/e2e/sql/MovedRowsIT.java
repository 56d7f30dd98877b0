package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An UPDATE of the partition key takes rows to the places of their new keys. */
@ExtendWith(Servers.Shared.class)
class MovedRowsIT {
  private static final int DUPLICATE = 1062;
  private static final int NOT_SUPPORTED = 1235;

  private static String value(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return String.valueOf(rows.getString(1));
    }
  }

  @Test
  void everyRowIsFoundByItsNewKeyAndWhole(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshSchema(port, "moved");
    try (Connection connection = MiniCluster.connect(port, "moved", "");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t (a INT PRIMARY KEY, f FLOAT, d DOUBLE, b VARBINARY(9), j JSON,"
              + " s VARCHAR(20) CHARACTER SET latin1, x BIT(9), g INT AS (a + 1) STORED,"
              + " ts TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3)"
              + " ON UPDATE CURRENT_TIMESTAMP(3)) PARTITION BY KEY(a) PARTITIONS 8");
      StringBuilder rows = new StringBuilder();
      for (int a = 1; a <= 50; a++) {
        rows.append(a == 1 ? "" : ",")
            .append(
                "(" + a + ", 1.0e-7/3, 1/3, X'00FF27', '{\"k\": [1, \"\\\\\"\"]}', 'é''', 257)");
      }
      statement.execute("INSERT INTO t (a, f, d, b, j, s, x) VALUES " + rows);
      statement.execute("UPDATE t SET f = 1.0e-7 / 3 + a / 1e9");
      List<String> before = new ArrayList<>();
      for (int a = 1; a <= 50; a++) {
        before.add(row(statement, a));
      }
      assertEquals(50, statement.executeUpdate("UPDATE t SET a = a + 1000"));
      assertEquals("0", value(statement, "SELECT COUNT(*) FROM t WHERE a < 1000"));
      for (int a = 1; a <= 50; a++) {
        assertEquals(before.get(a - 1), row(statement, 1000 + a));
      }
      assertEquals(1, statement.executeUpdate("UPDATE t SET a = 1 WHERE a = 1001"));
      assertEquals(before.getFirst(), row(statement, 1));
      assertEquals("50", value(statement, "SELECT COUNT(*) FROM t"));
    }
  }

  private static String row(Statement statement, int a) throws SQLException {
    return value(
        statement,
        "SELECT CONCAT_WS('/', CAST(f AS DOUBLE), d, HEX(b), j, HEX(s), x + 0, g - a) FROM t"
            + " WHERE a = "
            + a);
  }

  @Test
  void allOrNothing(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshSchema(port, "movedone");
    try (Connection connection = MiniCluster.connect(port, "movedone", "");
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE t (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a) PARTITIONS 8");
      statement.execute("INSERT INTO t VALUES (1,1),(2,2),(3,3),(4,4),(5,5),(6,6),(107,7)");
      SQLException duplicate =
          assertThrows(
              SQLException.class,
              () -> statement.executeUpdate("UPDATE t SET a = b + 101 WHERE a <= 6"));
      assertEquals(DUPLICATE, duplicate.getErrorCode(), duplicate.getMessage());
      assertEquals("128", value(statement, "SELECT SUM(a) FROM t"));
      assertEquals(3, statement.executeUpdate("UPDATE t SET a = a + 200 WHERE a <= 3"));
      assertEquals("606", value(statement, "SELECT SUM(a) FROM t WHERE a > 200"));
      statement.execute("BEGIN");
      assertEquals(3, statement.executeUpdate("UPDATE t SET a = a - 200 WHERE a > 200"));
      assertEquals("128", value(statement, "SELECT SUM(a) FROM t"));
      statement.execute("ROLLBACK");
      assertEquals("606", value(statement, "SELECT SUM(a) FROM t WHERE a > 200"));
    }
  }

  @Test
  void rowsThatOthersReferToStay(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshSchema(port, "movedfk");
    try (Connection connection = MiniCluster.connect(port, "movedfk", "");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE p (a INT PRIMARY KEY) PARTITION BY KEY(a) PARTITIONS 8");
      statement.execute(
          "CREATE TABLE c (a INT, b INT, PRIMARY KEY (a, b), FOREIGN KEY (a) REFERENCES p (a)"
              + " ON DELETE CASCADE ON UPDATE CASCADE) PARTITION BY KEY(a) PARTITIONS 8");
      statement.execute("INSERT INTO p VALUES (1),(2),(3),(4)");
      statement.execute("INSERT INTO c VALUES (1,1),(2,2),(3,3),(4,4)");
      SQLException refused =
          assertThrows(
              SQLException.class, () -> statement.executeUpdate("UPDATE p SET a = a + 10"));
      assertEquals(NOT_SUPPORTED, refused.getErrorCode(), refused.getMessage());
      assertEquals("4", value(statement, "SELECT COUNT(*) FROM c WHERE a = b"));
    }
  }

  @Test
  void rowsThatAreCopiedStayWhole(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshSchema(port, "copied");
    try (Connection connection = MiniCluster.connect(port, "copied", "");
        Statement statement = connection.createStatement()) {
      String columns = " (a INT PRIMARY KEY, f FLOAT, s VARCHAR(20) CHARACTER SET latin1)";
      statement.execute("CREATE TABLE t" + columns + " PARTITION BY KEY(a) PARTITIONS 8");
      statement.execute("CREATE TABLE u" + columns + " PARTITION BY KEY(a) PARTITIONS 3");
      statement.execute("INSERT INTO t VALUES (1,1e-7/3,'é'),(2,1e-7/3,'é'),(3,1e-7/3,'é')");
      statement.execute("INSERT INTO u SELECT a + 10, 0, s FROM t");
      assertEquals("3", value(statement, "SELECT COUNT(*) FROM u WHERE HEX(s) = 'E9'"));
      assertEquals(
          "1/1",
          value(
              statement,
              "SELECT CONCAT(COUNT(DISTINCT CAST(t.f AS DOUBLE)), '/', COUNT(DISTINCT t.s))"
                  + " FROM t, u"));
    }
  }
}
