package io.alrai.e2e.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Databases of any name that MySQL takes have all that databases have. */
@ExtendWith(Servers.Shared.class)
class DatabaseNamesIT {
  static List<String> names() {
    return List.of(
        "a_b",
        "%x",
        "a\\_b",
        "it's",
        "\"told\"",
        "two words",
        "a.b",
        "größe東京",
        "Upper",
        "select",
        "semi;colon",
        "-- x",
        "l" + "o".repeat(55) + "g");
  }

  private static String quote(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  @ParameterizedTest
  @MethodSource("names")
  void viewsAreReadAndWritten(String name, Servers servers) throws SQLException {
    try (Connection connection = MiniCluster.connect(servers.cluster().port(), "", "");
        Statement statement = connection.createStatement()) {
      String schema = quote(name);
      statement.execute("DROP DATABASE IF EXISTS " + schema);
      statement.execute("CREATE DATABASE " + schema);
      statement.execute(
          "CREATE TABLE " + schema + ".t (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a)");
      statement.execute(
          "CREATE VIEW "
              + schema
              + ".v AS SELECT a, b FROM "
              + schema
              + ".t WHERE b < 10 WITH"
              + " CHECK OPTION");
      statement.execute("INSERT INTO " + schema + ".v VALUES (1, 1), (2, 2), (3, 3)");
      assertEquals("6", Servers.only(statement, "SELECT SUM(b) FROM " + schema + ".v"));
      statement.execute("USE " + schema);
      assertEquals("6", Servers.only(statement, "SELECT SUM(b) FROM v"));
      assertEquals("2", Servers.only(statement, "SELECT b FROM v WHERE a = 2"));
      statement.execute("CREATE VIEW w AS SELECT a + 1 AS c FROM v");
      statement.execute("CREATE FUNCTION f() RETURNS INT READS SQL DATA RETURN 7");
      assertEquals("9", Servers.only(statement, "SELECT SUM(c) FROM w"));
      assertEquals("7", Servers.only(statement, "SELECT f()"));
      assertEquals("w", Servers.only(statement, "SHOW CREATE VIEW w"));
      assertEquals(List.of("c"), Servers.column(connection, "SHOW FIELDS FROM w"));
      assertEquals(List.of("t", "v", "w"), Servers.column(connection, "SHOW TABLES"));
      statement.execute("DROP DATABASE " + schema);
      assertEquals(
          List.of(),
          Servers.column(
              connection,
              "SELECT TABLE_NAME FROM information_schema.TABLES WHERE"
                  + " TABLE_SCHEMA = DATABASE() OR TABLE_NAME = 'w'"));
    }
  }
}
