package io.alrai.e2e.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is shown of tables while one of two mysqlds is down: all but what only that one knows. */
class TableStatusIT {
  private static final String STATUS =
      "SELECT GROUP_CONCAT(CONCAT(COALESCE(TABLE_ROWS, '-'), IF(DATA_LENGTH > 0, '+', '-'),"
          + " COALESCE(AUTO_INCREMENT, '-')) ORDER BY TABLE_NAME) FROM information_schema.TABLES"
          + " WHERE TABLE_SCHEMA = 'shown'";

  /** Rows of partitions, cardinalities of indexes. */
  private static final String FIGURES =
      "SELECT CONCAT((SELECT GROUP_CONCAT(COALESCE(TABLE_ROWS, '-') ORDER BY TABLE_NAME)"
          + " FROM information_schema.PARTITIONS WHERE TABLE_SCHEMA = 'shown'), ' ',"
          + " (SELECT GROUP_CONCAT(COALESCE(CARDINALITY, '-') ORDER BY TABLE_NAME)"
          + " FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = 'shown'))";

  @Test
  void aDnThatIsDownLeavesNothingElseOut() throws Exception {
    try (MiniCluster cluster = MiniCluster.start(2);
        Connection connection = cluster.connect("");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE shown");
      statement.execute("USE shown");
      statement.execute(
          "CREATE TABLE p (id INT AUTO_INCREMENT PRIMARY KEY, b INT)"
              + " PARTITION BY KEY(id) PARTITIONS 4");
      for (String name : new String[] {"one", "two"}) {
        statement.execute("CREATE TABLE " + name + " (id INT AUTO_INCREMENT PRIMARY KEY) SINGLE");
        statement.execute("INSERT INTO " + name + " VALUES (NULL), (NULL)");
      }
      statement.execute("INSERT INTO p (b) VALUES (1), (2), (3), (4)");
      statement.execute("ANALYZE TABLE p, one, two");
      assertEquals("2+3,4+5,2+3", Servers.only(statement, STATUS));
      assertEquals("2,4,2 2,4,2", Servers.only(statement, FIGURES));
      dnsAreShown(connection);
      cluster.cluster().agents().get(1).supervisor().stop();
      String away = Servers.only(statement, STATUS); // waits for the mysqld as long as data would
      assertTrue(away.matches("(2\\+3|---),--5,(2\\+3|---)"), away);
      String rows = away.replace("2+3", "2").replace("---", "-").replace("--5", "-");
      assertEquals(rows + " " + rows, Servers.only(statement, FIGURES));
      assertTrue(definition(statement, "p").contains(" AUTO_INCREMENT=5 "));
    }
  }

  private static void dnsAreShown(Connection connection) throws SQLException {
    List<String> first = List.of("dn-1");
    assertEquals(first, Servers.column(connection, "SHOW STORAGE LIKE 'DN_1'"));
    assertEquals(first, Servers.column(connection, "SHOW FULL STORAGE REPLICAS LIKE 'dn%1'"));
    assertEquals(
        List.of("dn-1", "dn-2"),
        Servers.column(
            connection, "SHOW STORAGE WHERE MEMBERS_ALIVE = 1 AND TERM IS NULL AND MEMBERS > '0'"));
    assertEquals(
        List.of("dn-2"),
        Servers.column(
            connection,
            "SELECT r.NODE FROM information_schema.storage s JOIN information_schema.STORAGE_REPLICAS"
                + " r ON r.DN = s.STORAGE_INST_ID JOIN information_schema.SCHEMATA c WHERE r.ROLE ="
                + " 'LEADER' AND c.SCHEMA_NAME = 'shown' ORDER BY r.DN DESC LIMIT 1"));
    for (String none : List.of("'dn\\_1'", "''", "'\\\\'", "'dn-1'' '")) {
      assertEquals(List.of(), Servers.column(connection, "SHOW STORAGE LIKE " + none));
    }
    for (String unknown : List.of("SHOW STORAGE", "SELECT 1 FROM information_schema.STORAGE")) {
      SQLException refused =
          assertThrows(
              SQLException.class, () -> Servers.column(connection, unknown + " WHERE DN = 1"));
      assertEquals(1054, refused.getErrorCode());
    }
  }

  private static String definition(Statement statement, String table) throws SQLException {
    try (var row = statement.executeQuery("SHOW CREATE TABLE " + table)) {
      assertTrue(row.next());
      return row.getString(2);
    }
  }
}
