package io.alrai.e2e.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import io.alrai.testing.SqlScript;
import io.alrai.testing.StatementAnswer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        "tick`tick",
        "`;SELECT 1;`",
        "a1_p0001",
        "l" + "o".repeat(62) + "g");
  }

  private static String quote(String name) {
    return "`" + name.replace("`", "``") + "`";
  }

  /** Errors, also those that tell of foreign keys, have the database's name in them. */
  @ParameterizedTest
  @MethodSource("names")
  void errorsAreMysqls(String name, Servers servers) throws SQLException {
    String schema = quote(name);
    List<String> statements =
        List.of(
            "DROP DATABASE IF EXISTS " + schema,
            "CREATE DATABASE " + schema,
            "USE " + schema,
            "CREATE TABLE p (a INT PRIMARY KEY, b INT) /*alrai BROADCAST*/",
            "CREATE TABLE s (a INT PRIMARY KEY, b INT, UNIQUE KEY k (b)) /*alrai SINGLE*/",
            "CREATE TABLE c (a INT, sa INT, CONSTRAINT f FOREIGN KEY (sa) REFERENCES s (a))",
            "INSERT INTO s VALUES (1, 1), (2, 2)",
            "INSERT INTO p VALUES (1, 1), (2, 2)",
            "INSERT INTO c VALUES (1, 1)",
            "INSERT INTO c VALUES (1, 7)",
            "DELETE FROM s WHERE a = 1",
            "INSERT INTO s VALUES (3, 1)",
            "SELECT * FROM nothing",
            "SELECT nothing()",
            "SELECT nothing FROM p",
            "CALL nothing()",
            "SELECT s.a, p.b, c.sa FROM s JOIN p USING (a) JOIN c ON sa = s.a",
            "SELECT a, b FROM " + schema + ".s WHERE a = 2",
            "UPDATE " + schema + ".p JOIN s USING (a) SET p.b = s.b + 1",
            "SELECT a, b FROM p ORDER BY a",
            "SHOW CREATE TABLE c",
            "CHECK TABLE p, s",
            "CHECKSUM TABLE p",
            "SHOW TABLES",
            "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()"
                + " ORDER BY 1",
            "SELECT DATABASE()",
            "SELECT * FROM information_schema.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_SCHEMA ="
                + " DATABASE()",
            "DROP TABLE nothing",
            "CREATE DATABASE " + schema,
            "DROP DATABASE " + schema,
            "SHOW TABLES FROM " + schema);
    SqlScript script = SqlScript.parse(name, String.join(";\n", statements) + ";\n");
    for (String properties : List.of("", "&useServerPrepStmts=true")) {
      try (Connection plain = MiniCluster.connect(servers.plain().port(), "", properties);
          Connection alrai = MiniCluster.connect(servers.cluster().port(), "", properties)) {
        // tests beside this one have databases of these names, on each server as they left them
        Servers.run(plain, "DROP DATABASE IF EXISTS " + schema);
        Servers.run(alrai, "DROP DATABASE IF EXISTS " + schema);
        for (SqlScript.Statement statement : script.statements()) {
          boolean prepared = !properties.isEmpty();
          StatementAnswer expected =
              StatementAnswer.of(plain, statement.plain(), statement, prepared);
          StatementAnswer actual =
              StatementAnswer.of(alrai, statement.alrai(), statement, prepared);
          assertEquals("", expected.difference(actual), statement.sql());
        }
      }
    }
  }

  /** As no mysqld may take them. */
  @ParameterizedTest
  @ValueSource(strings = {"blank ", ""})
  void badNames(String name, Servers servers) throws SQLException {
    try (Connection connection = MiniCluster.connect(servers.cluster().port(), "", "")) {
      SQLException refused =
          assertThrows(
              SQLException.class, () -> Servers.run(connection, "CREATE DATABASE " + quote(name)));
      assertEquals(1102, refused.getErrorCode());
      refused =
          assertThrows(
              SQLException.class,
              () -> Servers.run(connection, "CREATE DATABASE " + "x".repeat(65)));
      assertEquals(1059, refused.getErrorCode());
    }
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
              "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = '"
                  + name.replace("\\", "\\\\").replace("'", "''")
                  + "'"));
    }
  }
}
