package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mysql.cj.jdbc.JdbcConnection;
import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Temporary tables as drivers use them, and how they end. What SQL gives: temporary.test. */
@ExtendWith(Servers.Shared.class)
@Timeout(120)
class TemporaryTablesIT {
  private static final String SCHEMA = "temporary";
  private static final List<String> DNS = List.of("dn-1", "dn-2");
  private static final String LIVING = "SELECT NAME FROM information_schema.INNODB_TEMP_TABLE_INFO";

  /** Of sessions with the tables; a crowd is more than the connections for statements. */
  private static final int CROWD = 100;

  private int port;

  @BeforeEach
  void rows(Servers servers) throws SQLException {
    port = servers.cluster().port();
    Servers.freshRows(port, SCHEMA, 20, 7);
  }

  private Connection connect(String properties) throws SQLException {
    return MiniCluster.connect(port, SCHEMA, properties);
  }

  @Test
  void eachSessionHasItsOwn() throws SQLException {
    try (Connection one = connect("");
        Connection other = connect("")) {
      Servers.run(one, "CREATE TEMPORARY TABLE x (a INT)", "INSERT INTO x VALUES (1), (2)");
      assertEquals(1146, error(other, "SELECT * FROM x"));
      Servers.run(other, "CREATE TEMPORARY TABLE x (s VARCHAR(9))", "INSERT INTO x VALUES ('o')");
      assertEquals(List.of("o"), Servers.column(other, "SELECT * FROM x"));
      assertEquals(List.of("1", "2"), Servers.column(one, "SELECT a FROM x ORDER BY a"));
      assertEquals(List.of("7", "7"), Servers.column(one, "SELECT t.b FROM x JOIN t ON t.a = x.a"));
      Servers.run(one, "DROP TABLE x");
      assertEquals(List.of("o"), Servers.column(other, "SELECT * FROM x"));
    }
  }

  @Test
  void aViewDoesNotMeanThem() throws SQLException {
    try (Connection connection = connect("")) {
      Servers.run(
          connection,
          "CREATE VIEW v AS SELECT COUNT(*) AS c FROM t",
          "CREATE TEMPORARY TABLE x (a INT)");
      assertEquals(List.of("20"), Servers.column(connection, "SELECT c FROM v"));
      Servers.run(connection, "CREATE TEMPORARY TABLE t (a INT)");
      assertEquals(1235, error(connection, "SELECT c FROM v"));
      Servers.run(connection, "DROP TEMPORARY TABLE t");
      assertEquals(List.of("20"), Servers.column(connection, "SELECT c FROM v"));
    }
  }

  /** The CN has a mysqld convert it in one of its own. */
  @Test
  void aValueThatAVariableCannotHaveLeavesNone(Servers servers) throws SQLException {
    try (DnDoors doors = servers.cluster().doors();
        Connection connection = connect("")) {
      ClusterProcess.await("no temporary tables", 20, () -> living(doors) == 0);
      Servers.run(
          connection,
          "CREATE PROCEDURE p(x TEXT) BEGIN DECLARE v ENUM('a', 'b'); SET v = x; SELECT v; END");
      assertEquals(1265, error(connection, "CALL p('z')"));
      ClusterProcess.await("it is gone", 5, () -> living(doors) == 0);
      Servers.run(connection, "CALL p('b')", "DROP PROCEDURE p");
    }
  }

  @Test
  void theyEndWithTheSession(Servers servers) throws SQLException {
    try (DnDoors doors = servers.cluster().doors()) {
      ClusterProcess.await("no temporary tables", 20, () -> living(doors) == 0);
      try (Connection connection = connect("")) {
        Servers.run(connection, "CREATE TEMPORARY TABLE x (a INT)");
        assertEquals(1, living(doors));
        ((JdbcConnection) connection).resetServerState();
        assertEquals(1146, error(connection, "SELECT * FROM x"));
        ClusterProcess.await("no temporary tables", 20, () -> living(doors) == 0);
        Servers.run(connection, "CREATE TEMPORARY TABLE x (a INT)", "INSERT INTO x VALUES (1)");
        ((JdbcConnection) connection).changeUser("root", "");
        assertEquals(1146, error(connection, "SELECT * FROM " + SCHEMA + ".x"));
        Servers.run(connection, "CREATE TEMPORARY TABLE " + SCHEMA + ".x (a INT)");
        assertEquals(1, living(doors));
      }
      ClusterProcess.await("no temporary tables", 20, () -> living(doors) == 0);
    }
  }

  @Test
  void aSessionThatLostThemMustConnectAgain(Servers servers) throws SQLException {
    try (Connection connection = connect("");
        DnDoors doors = servers.cluster().doors()) {
      Servers.run(
          connection,
          "SET @temporary_victim = 1",
          "CREATE TEMPORARY TABLE x (a INT)",
          "INSERT INTO x VALUES (1)");
      for (String dn : DNS) {
        for (List<String> victim :
            doors.query(
                dn,
                "SELECT t.PROCESSLIST_ID FROM performance_schema.threads t JOIN"
                    + " performance_schema.user_variables_by_thread v USING (THREAD_ID) WHERE"
                    + " v.VARIABLE_NAME = 'temporary_victim'")) {
          doors.query(dn, "KILL " + victim.getFirst());
        }
      }
      ClusterProcess.await("no temporary tables", 20, () -> living(doors) == 0);
      assertThrows(SQLException.class, () -> Servers.column(connection, "SELECT * FROM x"));
      assertThrows(SQLException.class, () -> Servers.column(connection, "SELECT 1"));
    }
  }

  @Test
  void preparedOnTheServer() throws SQLException {
    try (Connection connection = connect("&useServerPrepStmts=true&cachePrepStmts=true")) {
      Servers.run(connection, "CREATE TEMPORARY TABLE x (a INT PRIMARY KEY, d DECIMAL(10,2))");
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO x (a, d) VALUES (?, ?)")) {
        for (int a = 1; a <= 5; a++) {
          insert.setInt(1, a);
          insert.setBigDecimal(2, new BigDecimal("1.25"));
          insert.addBatch();
        }
        assertEquals(5, insert.executeBatch().length);
      }
      try (PreparedStatement select =
          connection.prepareStatement(
              "SELECT x.a, x.d, t.b FROM x JOIN t USING (a) WHERE x.a > ? ORDER BY x.a")) {
        ResultSetMetaData columns = select.getMetaData();
        assertEquals(Types.DECIMAL, columns.getColumnType(2));
        for (int from = 3; from <= 4; from++) {
          select.setInt(1, from);
          try (ResultSet rows = select.executeQuery()) {
            assertEquals("b", rows.getMetaData().getColumnName(3));
            assertEquals("t", rows.getMetaData().getTableName(3));
            assertTrue(rows.next());
            assertEquals(from + 1, rows.getInt(1));
            assertEquals(7, rows.getInt(3));
          }
        }
      }
      try (PreparedStatement one = connection.prepareStatement("SELECT d FROM x WHERE a = ?")) {
        for (int a = 1; a <= 3; a++) {
          one.setInt(1, a);
          try (ResultSet rows = one.executeQuery()) {
            assertTrue(rows.next());
            assertEquals("1.25", rows.getString(1));
          }
        }
        Servers.run(connection, "DROP TABLE x");
        assertEquals(1146, assertThrows(SQLException.class, one::executeQuery).getErrorCode());
      }
    }
  }

  @Test
  void anUpdateCountsMatches() throws SQLException {
    try (Connection connection = connect("");
        Connection changes = connect("&useAffectedRows=true")) {
      for (Connection each : List.of(connection, changes)) {
        Servers.run(each, "CREATE TEMPORARY TABLE x (a INT)", "INSERT INTO x VALUES (1), (2)");
      }
      assertEquals(2, update(connection, "UPDATE x SET a = 1"));
      assertEquals(1, update(changes, "UPDATE x SET a = 1"));
      assertEquals(2, update(connection, "UPDATE x JOIN t ON t.a = x.a SET x.a = t.a"));
      assertEquals(0, update(changes, "UPDATE x JOIN t ON t.a = x.a SET x.a = t.a"));
    }
  }

  @Test
  void whoMayMakeThemMayDoAllWithThem() throws SQLException {
    try (Connection root = connect("")) {
      Servers.run(
          root,
          "DROP USER IF EXISTS maker, reader",
          "CREATE USER maker, reader",
          "GRANT CREATE TEMPORARY TABLES ON temporary.* TO maker",
          "GRANT SELECT ON temporary.t TO maker, reader");
    }
    try (Connection maker = MiniCluster.connect(port, SCHEMA, "", "maker");
        Connection reader = MiniCluster.connect(port, SCHEMA, "", "reader")) {
      Servers.run(
          maker,
          "CREATE TEMPORARY TABLE x (a INT)",
          "INSERT INTO x SELECT a FROM t WHERE a < 4",
          "UPDATE x SET a = a + 1",
          "ALTER TABLE x ADD COLUMN b INT",
          "DELETE FROM x WHERE a = 4");
      assertEquals(List.of("2", "3"), Servers.column(maker, "SELECT a FROM x ORDER BY a"));
      assertEquals(1142, error(maker, "INSERT INTO t SELECT a + 100, 1 FROM x"));
      Servers.run(maker, "TRUNCATE TABLE x", "DROP TABLE x");
      assertEquals(1142, error(maker, "SELECT * FROM x"));
      assertEquals(1044, error(reader, "CREATE TEMPORARY TABLE x (a INT)"));
    }
  }

  @Test
  void aFileIsLoaded(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("rows.txt");
    Files.writeString(file, "1\tone\n2\ttwo\n3\t\\N\n");
    try (Connection connection = connect("")) {
      Servers.run(
          connection,
          "CREATE TEMPORARY TABLE x (id INT AUTO_INCREMENT PRIMARY KEY, n INT, s VARCHAR(9))",
          "LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE x (n, s)");
      assertEquals(
          List.of("1:1:one", "2:2:two", "3:3:-"),
          Servers.column(
              connection, "SELECT CONCAT(id, ':', n, ':', IFNULL(s, '-')) FROM x ORDER BY id"));
    }
  }

  @Test
  void aCrowdWithTablesKeepsNobodyFromWorking() throws SQLException {
    List<Connection> crowd = new ArrayList<>();
    try {
      for (int i = 0; i < CROWD; i++) {
        Connection connection = connect("");
        crowd.add(connection);
        Servers.run(connection, "CREATE TEMPORARY TABLE x (a INT)", "INSERT INTO x VALUES (1)");
      }
      try (Connection other = connect("")) {
        assertEquals(List.of("140"), Servers.column(other, "SELECT SUM(b) FROM t"));
        assertEquals(
            List.of("7"),
            Servers.column(crowd.getFirst(), "SELECT t.b FROM t JOIN x ON x.a = t.a"));
      }
    } finally {
      for (Connection connection : crowd) {
        connection.close();
      }
    }
  }

  private static int update(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  private static int error(Connection connection, String sql) {
    return assertThrows(SQLException.class, () -> Servers.run(connection, sql)).getErrorCode();
  }

  /** How many there are on all DNs. */
  private static int living(DnDoors doors) {
    return DNS.stream().mapToInt(dn -> doors.query(dn, LIVING).size()).sum();
  }
}
