package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** EXPLAIN of names with their schema, with another current schema and without one. */
@ExtendWith(Servers.Shared.class)
class ExplainedNamesIT {
  private static final List<String> STATEMENTS =
      List.of(
          "SELECT * FROM named.t WHERE a = 1",
          "SELECT * FROM `named`.`t` WHERE 1=1",
          "SELECT x.b FROM named.t x JOIN named.u y ON x.a = y.a WHERE x.a IN (SELECT a FROM"
              + " named.u)",
          "SELECT named.t.b, named.plus(b) FROM named.t",
          "SELECT * FROM named.seen WHERE a = 3",
          "(SELECT a FROM named.t) UNION SELECT a FROM named.u ORDER BY a LIMIT 2",
          "WITH c AS (SELECT a FROM named.t) SELECT COUNT(*) FROM c",
          "UPDATE named.t SET b = 1 WHERE a = 2",
          "UPDATE named.seen SET b = 1",
          "UPDATE named.t JOIN named.u USING (a) SET t.b = u.b",
          "DELETE FROM named.t WHERE b > 1",
          "INSERT INTO named.t VALUES (9, 9)",
          "REPLACE INTO named.t SELECT * FROM named.u");

  @Test
  void namesAreTheClients(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "named", 6, 100);
    Servers.freshRows(port, "othernames", 1, 1);
    try (Connection connection = MiniCluster.connect(port, "named", "")) {
      Servers.run(
          connection,
          "CREATE TABLE u (a INT PRIMARY KEY, b INT)",
          "CREATE VIEW seen AS SELECT a, b FROM t",
          "CREATE FUNCTION plus(x INT) RETURNS INT DETERMINISTIC RETURN x + 1");
      explain(connection);
    }
    for (String schema : List.of("", "othernames")) {
      try (Connection connection = MiniCluster.connect(port, schema, "")) {
        explain(connection);
      }
    }
  }

  private static void explain(Connection connection) throws SQLException {
    for (String sql : STATEMENTS) {
      for (String format : List.of("", "FORMAT=TRADITIONAL ", "FORMAT=TREE ", "FORMAT=JSON ")) {
        assertFalse(Servers.column(connection, "EXPLAIN " + format + sql).isEmpty(), format + sql);
      }
    }
    try (Statement statement = connection.createStatement()) {
      assertEquals("6", Servers.only(statement, "SELECT COUNT(*) FROM named.t"));
    }
  }
}
