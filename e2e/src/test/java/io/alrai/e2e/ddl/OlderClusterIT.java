package io.alrai.e2e.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.Servers;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.nio.file.Path;
import java.sql.Connection;
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
      try (DnDoors doors = doors(cluster)) {
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
      try (DnDoors doors = doors(cluster)) {
        for (String dn : DNS) {
          assertEquals(
              List.of(List.of("a_b")),
              doors.query(dn, "SELECT Db FROM mysql.db WHERE Db LIKE 'a%'"));
        }
      }
    }
  }

  private static DnDoors doors(MiniCluster cluster) {
    Path socket = cluster.cluster().agents().getFirst().supervisor().socketPath();
    return new DnDoors(socket.resolve("../..").normalize(), DNS);
  }
}
