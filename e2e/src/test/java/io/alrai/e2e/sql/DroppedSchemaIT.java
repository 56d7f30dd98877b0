package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What connections to a mysqld keep of a schema that is gone is nobody's business. */
@ExtendWith(Servers.Shared.class)
class DroppedSchemaIT {
  private static final int ROUNDS = 8;

  @Test
  void preparedStatementsHaveNoWarningsOfIt(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    Servers.freshRows(port, "staying", 20, 1);
    for (int round = 0; round < ROUNDS; round++) {
      Servers.freshRows(port, "leaving", 20, 1);
      try (Connection connection =
              MiniCluster.connect(port, "leaving", "&useServerPrepStmts=true&cachePrepStmts=true");
          Statement statement = connection.createStatement()) {
        execute(connection, 20);
        statement.execute("DROP DATABASE leaving");
        statement.execute("USE staying");
        execute(connection, 20);
        Servers.only(statement, "SELECT b FROM t WHERE a = 1");
        execute(connection, 20);
      }
    }
  }

  /** A mysqld comes back to the schema of the connection after a function of another one. */
  @Test
  void functionsOfTheServerHaveNoWarningsOfIt(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    for (int round = 0; round < ROUNDS; round++) {
      Servers.freshRows(port, "leaving", 20, 1);
      try (Connection connection = MiniCluster.connect(port, "leaving", "");
          Statement statement = connection.createStatement()) {
        for (int a = 1; a <= 20; a++) {
          Servers.only(statement, "SELECT b FROM t WHERE a = " + a);
        }
        statement.execute("DROP DATABASE leaving");
        for (int i = 0; i < 20; i++) {
          assertEquals("1", Servers.only(statement, "SELECT sys.version_major() > 0"));
          assertNull(statement.getWarnings());
          assertEquals("0", Servers.only(statement, "SELECT @@warning_count"));
        }
      }
    }
  }

  /** Errors of what has no table name the session's schema, whatever the connection had. */
  @Test
  void anUnknownFunctionIsOfTheSessionsSchema(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    for (String schema : new String[] {"former", "latter", "former"}) {
      Servers.freshRows(port, schema, 20, 1);
      for (int round = 0; round < ROUNDS; round++) {
        try (Connection connection = MiniCluster.connect(port, schema, "");
            Statement statement = connection.createStatement()) {
          for (String select : List.of("SELECT nofunction(1)", "SELECT nofunction(a) FROM t")) {
            SQLException refused =
                assertThrows(SQLException.class, () -> statement.execute(select));
            assertEquals("FUNCTION " + schema + ".nofunction does not exist", refused.getMessage());
          }
          Servers.only(statement, "SELECT b FROM t WHERE a = " + (round + 1));
        }
      }
      try (Connection connection = MiniCluster.connect(port, "", "");
          Statement statement = connection.createStatement()) {
        statement.execute("DROP DATABASE " + schema);
      }
    }
  }

  private static void execute(Connection connection, int times) throws SQLException {
    for (int i = 0; i < times; i++) {
      try (PreparedStatement select = connection.prepareStatement("SELECT 4711")) {
        read(select);
      }
      try (PreparedStatement rows = connection.prepareStatement("SELECT b FROM t WHERE a = ?")) {
        rows.setInt(1, i % 20 + 1);
        read(rows);
      }
    }
  }

  private static void read(PreparedStatement select) throws SQLException {
    select.executeQuery().close();
    SQLWarning warning = select.getWarnings();
    assertNull(warning, () -> warning.getMessage());
  }
}
