package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.Servers;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Names that are statements, where one is missing its quotes. */
@ExtendWith(Servers.Shared.class)
@Timeout(120)
class HostileNamesIT {
  /** Reads another database's rows, where it stands in a FROM. */
  private static final String UNION = "z`.`t` UNION SELECT * FROM `victim`.`t";

  /** Ends the name and takes a table away. */
  private static final String DROPS = "t`; DROP TABLE t2; -- x";

  /** Ends a string where a backslash does not keep it open. */
  private static final String STRING = "z\\'); DROP DATABASE victim; -- x";

  private int port;

  @BeforeEach
  void open(Servers servers) throws SQLException {
    port = servers.cluster().port();
    close();
    Servers.freshRows(port, "victim", 4, 666);
  }

  @AfterEach
  void close() throws SQLException {
    try (Connection root = MiniCluster.connect(port, "", "")) {
      for (String name : List.of("victim", "hostile", UNION, STRING)) {
        Servers.run(root, "DROP DATABASE IF EXISTS " + Identifier.quote(name));
      }
    }
  }

  /** Under modes of the servers in which strings and names are written otherwise. */
  @Test
  void modesOfServersChangeNothing() throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "", "")) {
      String before = Servers.column(connection, "SELECT @@GLOBAL.sql_mode").getFirst();
      try {
        Servers.run(connection, "SET GLOBAL sql_mode = 'NO_BACKSLASH_ESCAPES,ANSI_QUOTES'");
        Servers.run(
            connection,
            "CREATE DATABASE " + Identifier.quote(STRING),
            "CREATE TABLE " + Identifier.quote(STRING) + ".t (a INT PRIMARY KEY, b INT)",
            "ALTER TABLE " + Identifier.quote(STRING) + ".t ADD KEY (b)",
            "ALTER DATABASE " + Identifier.quote(STRING) + " COLLATE utf8mb4_bin",
            "DROP DATABASE " + Identifier.quote(STRING));
        assertEquals(List.of("victim"), Servers.column(connection, "SHOW DATABASES LIKE 'victim'"));
      } finally {
        Servers.run(connection, "SET GLOBAL sql_mode = '" + before + "'");
      }
    }
  }

  /** Over all places, as text and prepared: each names the schema of each place. */
  @Test
  void databasesAreNoStatements() throws SQLException {
    String t = Identifier.quote(UNION) + ".t";
    try (Connection connection = MiniCluster.connect(port, "", "&useServerPrepStmts=true")) {
      Servers.run(
          connection,
          "CREATE DATABASE " + Identifier.quote(UNION),
          "CREATE TABLE " + t + " (a INT PRIMARY KEY, b INT) PARTITION BY KEY (a) PARTITIONS 4",
          "INSERT INTO " + t + " VALUES (1, 10), (2, 20), (3, 30), (4, 40), (5, 50)",
          "UPDATE " + t + " SET b = b + 1",
          "DELETE FROM " + t + " WHERE b = 51");
      assertEquals(
          List.of("1", "2", "3", "4"),
          Servers.column(connection, "SELECT a FROM " + t + " ORDER BY a"));
      try (PreparedStatement prepared =
          connection.prepareStatement("SELECT a FROM " + t + " WHERE b > ? ORDER BY a")) {
        for (int i = 0; i < 3; i++) {
          prepared.setInt(1, 15);
          try (ResultSet rows = prepared.executeQuery()) {
            for (int a = 2; a <= 4; a++) {
              assertEquals(true, rows.next());
              assertEquals(a, rows.getInt(1));
            }
            assertEquals(false, rows.next());
          }
        }
      }
    }
  }

  @Test
  void tablesOfMaintenanceAreNoStatements() throws SQLException {
    try (Connection connection = hostileTable()) {
      for (String verb : List.of("CHECK", "ANALYZE", "OPTIMIZE", "REPAIR")) {
        Servers.column(connection, verb + " TABLE " + Identifier.quote(DROPS));
        stillThere(connection);
      }
    }
  }

  @Test
  void tablesWhoseKeysAreSwitchedAreNoStatements() throws SQLException {
    try (Connection connection = hostileTable()) {
      String table = Identifier.quote(DROPS);
      Servers.run(
          connection,
          "LOCK TABLES " + table + " WRITE",
          "ALTER TABLE " + table + " DISABLE KEYS",
          "INSERT INTO " + table + " VALUES (2)",
          "ALTER TABLE " + table + " ENABLE KEYS",
          "UNLOCK TABLES");
      stillThere(connection);
    }
  }

  private Connection hostileTable() throws SQLException {
    Servers.freshSchema(port, "hostile");
    Connection connection = MiniCluster.connect(port, "hostile", "");
    Servers.run(
        connection,
        "CREATE TABLE t2 (a INT PRIMARY KEY) SINGLE",
        "CREATE TABLE " + Identifier.quote(DROPS) + " (a INT PRIMARY KEY) SINGLE",
        "INSERT INTO " + Identifier.quote(DROPS) + " VALUES (1)");
    return connection;
  }

  private static void stillThere(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      assertEquals("0", Servers.only(statement, "SELECT COUNT(*) FROM t2"));
    }
  }
}
