package io.alrai.e2e.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.e2e.Servers;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What older versions have left at the mysqlds is brought up to date at the first start. */
class OlderClusterIT {
  private static final List<String> DNS = List.of("dn-1", "dn-2");

  /** They granted shadows as patterns, with which no view of such a name could be opened. */
  @Test
  void shadowsAreGrantedByName() throws SQLException {
    try (MiniCluster cluster = MiniCluster.start(DNS.size())) {
      try (Connection connection = cluster.connect("")) {
        Servers.run(
            connection,
            "CREATE DATABASE a_b",
            "USE a_b",
            "CREATE TABLE t (a INT PRIMARY KEY)",
            "INSERT INTO t VALUES (1), (2), (3)",
            "CREATE VIEW v AS SELECT a FROM t");
      }
      try (DnDoors doors = cluster.doors()) {
        for (String dn : DNS) {
          doors.query(dn, "REVOKE ALL ON `a_b`.* FROM 'alrai_meta'@'localhost'");
          doors.query(
              dn,
              "GRANT SELECT, INSERT, UPDATE, DELETE, REFERENCES, SHOW VIEW, CREATE TEMPORARY TABLES,"
                  + " TRIGGER, EVENT, EXECUTE ON `a\\_b`.* TO 'alrai_meta'@'localhost'");
        }
      }
      cluster.restart();
      try (Connection connection = cluster.connect("a_b");
          Statement statement = connection.createStatement()) {
        assertEquals("6", Servers.only(statement, "SELECT SUM(a) FROM v"));
      }
      try (DnDoors doors = cluster.doors()) {
        for (String dn : DNS) {
          assertEquals(
              List.of(List.of("a_b")),
              doors.query(dn, "SELECT Db FROM mysql.db WHERE Db LIKE 'a%'"));
        }
      }
    }
  }

  /**
   * They named physical schemas after the database; such a one is made here as they did, by its
   * record in the catalog.
   */
  @Test
  void databasesKeepTheirPhysicalSchemas() throws SQLException {
    try (MiniCluster cluster = MiniCluster.start(DNS.size())) {
      try (DnDoors doors = cluster.doors()) {
        for (String dn : DNS) {
          doors.query(dn, "CREATE DATABASE a1");
          doors.query(dn, "CREATE DATABASE a1_b");
        }
      }
      cluster
          .cluster()
          .gms()
          .submit(new CatalogCommand.CreateSchema("a1", "a1", "utf8mb4", "utf8mb4_0900_ai_ci", 2));
      cluster.restart();
      try (Connection connection = cluster.connect("a1")) {
        Servers.run(
            connection,
            "CREATE TABLE t (a INT PRIMARY KEY, b INT)",
            "CREATE TABLE e (a INT PRIMARY KEY, b INT) BROADCAST",
            "INSERT INTO t VALUES (1, 1), (2, 2), (3, 3)",
            "INSERT INTO e SELECT * FROM t",
            "CREATE VIEW v AS SELECT t.a, e.b FROM t JOIN e USING (a)");
      }
      cluster.restart();
      try (Connection connection = cluster.connect("a1");
          Statement statement = connection.createStatement()) {
        assertEquals("6", Servers.only(statement, "SELECT SUM(b) FROM v"));
        SQLException refused =
            assertThrows(SQLException.class, () -> statement.execute("INSERT INTO t VALUES (1)"));
        assertEquals(1136, refused.getErrorCode());
        refused =
            assertThrows(
                SQLException.class, () -> statement.execute("INSERT INTO a1.u VALUES (1)"));
        assertEquals("Table 'a1.u' doesn't exist", refused.getMessage());
        statement.execute("CREATE DATABASE newer");
        statement.execute("CREATE TABLE newer.t (a INT PRIMARY KEY, b INT)");
        statement.execute("INSERT INTO newer.t SELECT * FROM t");
        assertEquals("6", Servers.only(statement, "SELECT SUM(b) FROM newer.t"));
        assertEquals("a1_p00001", physical(statement, "SHOW TOPOLOGY FROM t"));
        statement.execute("DROP DATABASE a1");
        assertEquals("6", Servers.only(statement, "SELECT SUM(b) FROM newer.t"));
        statement.execute("CREATE DATABASE a1");
        statement.execute("CREATE TABLE a1.t (a INT PRIMARY KEY)");
        assertEquals("0", Servers.only(statement, "SELECT COUNT(*) FROM a1.t"));
      }
    }
  }

  private static String physical(Statement statement, String show) throws SQLException {
    try (ResultSet rows = statement.executeQuery(show)) {
      rows.next();
      return rows.getString("PHYSICAL_SCHEMA");
    }
  }
}
