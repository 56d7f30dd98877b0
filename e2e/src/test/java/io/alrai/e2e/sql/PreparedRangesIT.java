package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

/** Prepared SELECTs over several DNs, whose rows come from the DNs in binary form as well. */
@ExtendWith(Servers.Shared.class)
class PreparedRangesIT {
  private static final String SCHEMA = "ranges";
  private static final String PREPARED = "&useServerPrepStmts=true&cachePrepStmts=true";

  private static final String TABLE =
      "CREATE TABLE v (a INT PRIMARY KEY, ti TINYINT, tu TINYINT UNSIGNED, si SMALLINT,"
          + " mi MEDIUMINT, bi BIGINT, bu BIGINT UNSIGNED, d DECIMAL(20,4), f FLOAT, g DOUBLE,"
          + " y YEAR, da DATE, dt DATETIME, dm DATETIME(6), ts TIMESTAMP(3) NULL, t TIME,"
          + " tm TIME(6), s VARCHAR(40), b VARBINARY(40), j JSON, e ENUM('x','y'), bt BIT(9))";

  private static final String[] ROWS = {
    "(1, -128, 255, -32768, -8388608, -9223372036854775808, 18446744073709551615, -0.0001, 1.5,"
        + " 1e300, 1901, '1000-01-01', '2026-11-21 00:00:00', '2026-11-21 10:11:12.000001',"
        + " '2026-11-21 10:11:12.120', '-838:59:59', '-00:00:00.5', 'ärger', x'00ff', '[1]', 'x',"
        + " b'101010101')",
    "(2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '9999-12-31', '9999-12-31 23:59:59',"
        + " '2000-01-01', '2000-01-01', '00:00:00', '24:00:01', '', '', '{}', 'y', 0)",
    "(3, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,"
        + " NULL, NULL, NULL, NULL, NULL, NULL)",
    "(4, 1, 1, 1, 1, 1, 1, 1.5, -2.25, 0.1, 2155, '2024-02-29', '2024-02-29 12:00:00',"
        + " '2024-02-29 12:00:00.5', '2024-02-29 12:00:00.5', '12:00:00', '100:00:00.25', 'z', 'z',"
        + " '\"s\"', 'x', 1)",
  };

  private static Connection connect(int port) throws SQLException {
    return MiniCluster.connect(port, SCHEMA, PREPARED);
  }

  private static void fill(int port) throws SQLException {
    Servers.freshSchema(port, SCHEMA);
    try (Connection connection = connect(port);
        Statement statement = connection.createStatement()) {
      statement.execute(TABLE + " /*alrai PARTITION BY KEY(a) PARTITIONS 4 */");
      for (String row : ROWS) {
        statement.execute("INSERT INTO v VALUES " + row);
      }
    }
  }

  private static List<String> answers(Connection connection, String select, Object... values)
      throws SQLException {
    List<String> rows = new ArrayList<>();
    try (PreparedStatement prepared = connection.prepareStatement(select)) {
      for (int time = 0; time < 3; time++) {
        for (int i = 0; i < values.length; i++) {
          prepared.setObject(i + 1, values[i]);
        }
        try (ResultSet result = prepared.executeQuery()) {
          while (result.next()) {
            StringBuilder row = new StringBuilder();
            for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
              row.append(result.getString(i)).append('|');
            }
            rows.add(row.toString());
          }
        }
      }
    }
    return rows;
  }

  private static List<String> all(int port) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = connect(port);
        Statement statement = connection.createStatement()) {
      rows.addAll(answers(connection, "SELECT * FROM v WHERE a >= ? ORDER BY a", 0));
      rows.addAll(answers(connection, "SELECT * FROM v WHERE a < ? ORDER BY dm DESC, a", 9L));
      rows.addAll(answers(connection, "SELECT g, f, a FROM v WHERE d > ? ORDER BY g", -1.25));
      rows.addAll(answers(connection, "SELECT DISTINCT ti > 0 FROM v WHERE a <> ? ORDER BY 1", 3));
      rows.addAll(answers(connection, "SELECT SUM(bi), AVG(d), MAX(tm) FROM v WHERE a > ?", 1));
      rows.addAll(
          answers(connection, "SELECT a FROM v WHERE s = ? OR y = ? ORDER BY a", "ÄRGER", 2155));
      rows.addAll(answers(connection, "SELECT a FROM v WHERE da > ? ORDER BY a", "2020-01-01"));
      String again = "SELECT a, s, dm FROM v WHERE a >= ? ORDER BY a";
      rows.addAll(answers(connection, again, 0));
      statement.execute("ALTER TABLE v ADD COLUMN more INT DEFAULT 7 FIRST");
      rows.addAll(answers(connection, again, 0));
      rows.addAll(answers(connection, "SELECT * FROM v WHERE a > ? ORDER BY a", 1));
      statement.execute("ALTER TABLE v DROP COLUMN more");
    }
    return rows;
  }

  @Test
  void answersAreThoseOfAPlainServer(Servers servers) throws SQLException {
    fill(servers.plain().port());
    fill(servers.cluster().port());
    List<String> expected = all(servers.plain().port());
    List<String> actual = all(servers.cluster().port());
    for (int i = 0; i < Math.min(expected.size(), actual.size()); i++) {
      assertEquals(expected.get(i), actual.get(i), "row " + i);
    }
    assertEquals(expected.size(), actual.size());
  }

  @Test
  void parametersInTheListHaveTheirValue(Servers servers) throws SQLException {
    fill(servers.cluster().port());
    try (Connection connection = connect(servers.cluster().port())) {
      for (int time = 0; time < 3; time++) {
        try (PreparedStatement prepared =
            connection.prepareStatement("SELECT ? + ?, ABS(?), a FROM v WHERE a > ? ORDER BY a")) {
          prepared.setInt(1, 1);
          prepared.setInt(2, 2);
          prepared.setInt(3, -3);
          prepared.setInt(4, 0);
          try (ResultSet rows = prepared.executeQuery()) {
            for (int a = 1; a <= ROWS.length; a++) {
              assertTrue(rows.next());
              assertEquals(3, rows.getDouble(1));
              assertEquals(3, rows.getDouble(2));
              assertEquals(a, rows.getInt(3));
            }
            assertFalse(rows.next());
          }
        }
      }
    }
  }
}
