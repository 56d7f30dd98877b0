package io.alrai.e2e.clients;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Limits of accounts: a plain mysqld and Alrai say the same. */
@ExtendWith(Servers.Shared.class)
class AccountLimitsIT {
  private static final String USER = "_%'\"` é漢.x limited";
  private static final String ACCOUNT = "'" + USER.replace("'", "''") + "'@'%'";

  private static final String SCHEMA = "limited";

  private final Servers servers;

  AccountLimitsIT(Servers servers) {
    this.servers = servers;
  }

  private List<Integer> ports() {
    return List.of(servers.plain().port(), servers.cluster().port());
  }

  private static Connection connect(int port, String user) throws SQLException {
    Properties login = new Properties();
    login.put("user", user);
    login.put("password", user.equals("root") ? "" : "p");
    login.put("allowPublicKeyRetrieval", "true");
    login.put("useSSL", "false");
    return DriverManager.getConnection("jdbc:mysql://127.0.0.1:" + port + "/" + SCHEMA, login);
  }

  private static String cells(ResultSet row) throws SQLException {
    String first = row.getString(1);
    return row.getMetaData().getColumnCount() == 1 ? first : first + " " + row.getString(2);
  }

  private static String asRoot(int port, String... statements) throws SQLException {
    try (Connection root = connect(port, "root")) {
      return told(root, statements);
    }
  }

  /** What each statement gives: its first cell, or its error. */
  private static String told(Connection connection, String... statements) throws SQLException {
    List<String> told = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        try {
          boolean rows = statement.execute(sql);
          try (ResultSet row = rows ? statement.getResultSet() : null) {
            told.add(row == null ? "ok" : row.next() ? cells(row) : "none");
          }
        } catch (SQLException e) {
          told.add(e.getErrorCode() + " " + e.getSQLState() + " " + e.getMessage());
        }
      }
    }
    return String.join("\n", told);
  }

  @BeforeEach
  void schema() throws SQLException {
    for (int port : ports()) {
      Servers.freshSchema(port, SCHEMA);
    }
  }

  @AfterEach
  void drop() throws SQLException {
    for (int port : ports()) {
      asRoot(port, "DROP USER IF EXISTS " + ACCOUNT);
    }
  }

  /** The answers that a client gets, or why it is not let in. */
  private static String session(int port, String... statements) {
    try (Connection connection = connect(port, USER)) {
      return told(connection, statements);
    } catch (SQLException e) {
      return e.getErrorCode() + " " + e.getSQLState() + " " + e.getMessage();
    }
  }

  private void sameAccount(String limits) throws SQLException {
    List<String> told = new ArrayList<>();
    for (int port : ports()) {
      told.add(
          asRoot(
              port,
              "DROP USER IF EXISTS " + ACCOUNT,
              "CREATE USER " + ACCOUNT + " IDENTIFIED BY 'p' " + limits,
              "GRANT ALL ON *.* TO " + ACCOUNT,
              "FLUSH USER_RESOURCES"));
    }
    assertEquals(told.getFirst(), told.getLast());
  }

  @Test
  void sessionsAtATime() throws SQLException {
    sameAccount("WITH MAX_USER_CONNECTIONS 2");
    List<String> told = new ArrayList<>();
    for (int port : ports()) {
      Connection one = connect(port, USER);
      try (Connection two = connect(port, USER)) {
        String[] shown = {
          "SELECT @@max_user_connections",
          "SELECT @@SESSION.max_user_connections",
          "SELECT @@GLOBAL.max_user_connections",
          "SHOW VARIABLES WHERE Variable_name = 'max_user_connections'",
          "SHOW GLOBAL VARIABLES WHERE Variable_name = 'max_user_connections'",
          "SET max_user_connections = 3",
          "SET SESSION max_user_connections = 3"
        };
        told.add(told(two, shown) + "\n" + session(port, "SELECT 3"));
        one.close();
        ClusterProcess.await("the end of one is seen", () -> session(port, "SELECT 3").equals("3"));
      }
    }
    assertEquals(told.getFirst(), told.getLast());
  }

  @Test
  void loginsOfAnHour() throws SQLException {
    sameAccount("WITH MAX_CONNECTIONS_PER_HOUR 3");
    List<String> told = new ArrayList<>();
    for (int port : ports()) {
      List<String> answers = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        answers.add(session(port, "SELECT " + i));
      }
      for (String flush : List.of("FLUSH USER_RESOURCES", "FLUSH PRIVILEGES")) {
        asRoot(port, flush);
        answers.add(session(port, "SELECT 'flushed'"));
        answers.add(session(port, "SELECT 2"));
      }
      asRoot(port, "ALTER USER " + ACCOUNT + " WITH MAX_CONNECTIONS_PER_HOUR 1");
      answers.add(session(port, "SELECT 'other limits'"));
      answers.add(session(port, "SELECT 2"));
      told.add(String.join("\n", answers));
    }
    assertEquals(told.getFirst(), told.getLast());
  }

  /** A driver asks for much at a login: these are counted from there. */
  @Test
  void statementsOfAnHour() throws SQLException {
    sameAccount("");
    List<String> told = new ArrayList<>();
    for (int port : ports()) {
      asRoot(port, "ALTER USER " + ACCOUNT + " WITH MAX_UPDATES_PER_HOUR 3");
      try (Connection one = connect(port, USER)) {
        asRoot(port, "FLUSH USER_RESOURCES");
        told.add(
            told(
                one,
                "CREATE TEMPORARY TABLE limited_t (a INT)",
                "BEGIN",
                "SET @a = 1",
                "no statement",
                "CALL no_procedure()",
                "COMMIT",
                "INSERT INTO limited_t VALUES (1)",
                "UPDATE limited_t SET a = 2",
                "DELETE FROM limited_t",
                "SELECT a FROM limited_t",
                "DROP TEMPORARY TABLE limited_t"));
        asRoot(
            port, "ALTER USER " + ACCOUNT + " WITH MAX_QUERIES_PER_HOUR 2 MAX_UPDATES_PER_HOUR 0");
        told.add(told(one, "SELECT 1", "no statement", "SET @a = 2", "SELECT 3", "COMMIT"));
      }
    }
    assertEquals(told.subList(0, 2), told.subList(2, 4));
  }

  @Test
  void theVariableForAll() throws SQLException {
    sameAccount("");
    List<String> told = new ArrayList<>();
    for (int port : ports()) {
      told.add(
          asRoot(
              port,
              "SET GLOBAL max_user_connections = 4294967296",
              "SELECT @@GLOBAL.max_user_connections",
              "SET GLOBAL max_user_connections = 'x'",
              "SET GLOBAL max_user_connections = 5000",
              "SELECT @@max_user_connections",
              "SET GLOBAL max_user_connections = DEFAULT",
              "SELECT @@max_user_connections"));
    }
    assertEquals(told.getFirst(), told.getLast());
  }
}
