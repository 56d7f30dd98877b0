package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.variable.KnownVariable;
import io.alrai.cn.variable.KnownVariable.InGlobal;
import io.alrai.cn.variable.KnownVariable.InSession;
import io.alrai.cn.variable.KnownVariables;
import io.alrai.common.sql.VariableName;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every system variable that a mysqld has, in every scope: as there, and nobody else feels it. */
@ExtendWith(Servers.Shared.class)
class VariablesIT {
  private static final int NOT_SUPPORTED = 1235;

  /** What a client does beside. */
  private static final List<String> USES =
      List.of(
          "SHOW TABLES",
          "SELECT COUNT(*) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'variables'",
          "INSERT INTO t VALUES (100, 1), (101, 2)",
          "UPDATE t SET b = b + 1 WHERE a = 100",
          "SELECT COUNT(*) FROM t",
          "DELETE FROM t WHERE a >= 100");

  /** With definitions, which take longer. */
  private static final List<String> DDL =
      List.of(
          "SHOW TABLES",
          "SELECT COUNT(*) FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = 'variables'",
          "INSERT INTO t VALUES (100, 1), (101, 2)",
          "DELETE FROM t WHERE a >= 100",
          "CREATE TABLE other (a INT PRIMARY KEY)",
          "DROP TABLE other");

  /** A mysqld looks at the type of a value before it looks at privileges. */
  private static final List<String> DIFFERENT =
      List.of(
          "gtid_next: 1232 but 1231", "gtid_next: 1232 but 1227", "innodb_tmpdir: 1232 but 1227");

  /**
   * Bounds in time: 1 is a millisecond or a second, and what a slow machine does within that is not
   * to be compared.
   */
  private static final Set<String> BOUNDS_IN_TIME =
      Set.of(
          "innodb_lock_wait_timeout",
          "interactive_timeout",
          "lock_wait_timeout",
          "max_execution_time",
          "net_read_timeout",
          "net_write_timeout",
          "wait_timeout");

  private final Servers servers;

  VariablesIT(Servers servers) {
    this.servers = servers;
  }

  /** 0, or the error. */
  private static int errno(Statement statement, String sql) {
    try {
      if (statement.execute(sql)) {
        try (ResultSet rows = statement.getResultSet()) {
          while (rows.next()) {
            // all of them
          }
        }
      }
      return 0;
    } catch (SQLException e) {
      return e.getErrorCode() == 0 ? -1 : e.getErrorCode();
    }
  }

  private Map<String, String> scopes() throws SQLException {
    Map<String, String> scopes = new TreeMap<>();
    try (Connection plain = MiniCluster.connect(servers.plain().port(), "", "");
        Statement statement = plain.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT VARIABLE_NAME, VARIABLE_SCOPE FROM performance_schema.variables_metadata")) {
      while (rows.next()) {
        scopes.put(rows.getString(1).toLowerCase(Locale.ROOT), rows.getString(2));
      }
    }
    return scopes;
  }

  private static KnownVariable known(String name) {
    return KnownVariables.of(VariableName.of(name))
        .orElseThrow(() -> new AssertionError(name + " is not in the table"));
  }

  @Test
  void theTableHasWhatAMysqldHas() throws SQLException {
    Map<String, String> scopes = scopes();
    assertTrue(scopes.size() > 600, "only " + scopes.size());
    scopes.forEach((name, scope) -> {
      KnownVariable known = known(name);
      boolean session =
          !Set.of(InSession.GLOBAL_ONLY, InSession.READ_ONLY).contains(known.session());
      switch (scope) {
        case "GLOBAL" -> assertTrue(!session, name);
        case "SESSION" -> assertTrue(known.global() != InGlobal.SESSION_ONLY, name);
        case "SESSION_ONLY" -> assertEquals(InGlobal.SESSION_ONLY, known.global(), name);
        default -> throw new AssertionError(name + " " + scope);
      }
    });
  }

  /** Else a connection on which it was set could not go to another session. */
  @Test
  void whatConnectionsAreToldCanBeUndone() throws SQLException {
    List<String> failed = new ArrayList<>();
    try (Connection plain = MiniCluster.connect(servers.plain().port(), "", "");
        Statement statement = plain.createStatement()) {
      for (String name : scopes().keySet()) {
        if (known(name).session() == InSession.BACKEND) {
          for (String begin : List.of("ROLLBACK", "BEGIN")) {
            errno(statement, begin);
            errno(statement, "SELECT COUNT(*) FROM mysql.user");
            int set = errno(statement, "SET SESSION " + name + " = @@SESSION." + name);
            int undone = errno(statement, "SET SESSION " + name + " = DEFAULT");
            if (set != 0 || undone != 0) {
              failed.add(name + " " + begin + " " + set + " " + undone);
            }
          }
        }
      }
    }
    assertEquals(List.of(), failed);
  }

  private static void prepare(int port) throws SQLException {
    Servers.freshSchema(port, "variables");
    try (Connection connection = MiniCluster.connect(port, "variables", "")) {
      Servers.run(
          connection,
          "CREATE TABLE t (a INT PRIMARY KEY, b INT)",
          "INSERT INTO t VALUES (1, 1), (2, 2)",
          "DROP USER IF EXISTS setter",
          "CREATE USER setter",
          "GRANT ALL ON variables.* TO setter");
    }
  }

  /** What is answered to a SET, and what comes of it in that session. */
  private static String answers(int port, String user, String set, List<String> uses)
      throws SQLException {
    try (Connection connection = MiniCluster.connect(port, "variables", "", user);
        Statement statement = connection.createStatement()) {
      StringBuilder answers = new StringBuilder().append(errno(statement, set));
      if (answers.toString().equals("0")) {
        for (String sql : uses) {
          int errno = errno(statement, sql);
          if (errno != 0) {
            answers.append(' ').append(sql, 0, sql.indexOf(' ')).append(' ').append(errno);
          }
        }
      }
      return answers.toString();
    }
  }

  private List<String> differences(List<String> names, String user, String form, List<String> uses)
      throws SQLException, ExecutionException, InterruptedException {
    List<String> differences = new ArrayList<>();
    try (ExecutorService plainly = Executors.newSingleThreadExecutor();
        Connection beside = MiniCluster.connect(servers.cluster().port(), "variables", "");
        Statement other = beside.createStatement()) {
      for (String name : names) {
        String set =
            form.replace("%", name)
                .replaceFirst("= 1$", BOUNDS_IN_TIME.contains(name) ? "= 100000" : "= 1");
        Future<String> expected =
            plainly.submit(() -> answers(servers.plain().port(), user, set, uses));
        String alrai = answers(servers.cluster().port(), user, set, uses);
        String plain = expected.get();
        if (!plain.equals(alrai)) {
          differences.add(name + ": " + plain + " but " + alrai);
        }
        for (String sql : uses.isEmpty() ? List.of("SELECT COUNT(*) FROM t") : USES) {
          int errno = errno(other, sql);
          if (errno != 0) {
            differences.add(set + " and another session's " + sql + ": " + errno);
          }
        }
      }
    }
    return differences;
  }

  /** Those where Alrai says that it cannot, by their names. */
  private static boolean isRefusal(String difference) {
    String name = difference.substring(0, difference.indexOf(':'));
    return difference.endsWith(" but " + NOT_SUPPORTED)
        && (known(name).session() == InSession.FIXED
            || Set.of(InGlobal.FIXED, InGlobal.REFUSED).contains(known(name).global()));
  }

  @Test
  void allNamesInAllScopes() throws SQLException, ExecutionException, InterruptedException {
    for (int port : List.of(servers.plain().port(), servers.cluster().port())) {
      prepare(port);
    }
    List<String> names = List.copyOf(scopes().keySet());
    List<String> ofSessions =
        names.stream()
            .filter(name ->
                !Set.of(InSession.GLOBAL_ONLY, InSession.READ_ONLY).contains(known(name).session()))
            .toList();
    List<String> others = names.stream().filter(name -> !ofSessions.contains(name)).toList();
    List<String> found = new ArrayList<>();
    found.addAll(differences(others, "root", "SET SESSION % = DEFAULT", List.of()));
    found.addAll(differences(ofSessions, "root", "SET SESSION % = DEFAULT", USES));
    found.addAll(differences(ofSessions, "root", "SET SESSION % = @@SESSION.%", USES));
    found.addAll(differences(ofSessions, "root", "SET SESSION % = 1", DDL));
    found.addAll(differences(ofSessions, "setter", "SET SESSION % = 1", List.of()));
    found.addAll(differences(names, "setter", "SET GLOBAL % = 1", List.of()));
    found.addAll(differences(names, "root", "SET GLOBAL % = @@GLOBAL.%", List.of()));
    begin(ofSessions);
    for (int port : List.of(servers.plain().port(), servers.cluster().port())) {
      try (Connection connection = MiniCluster.connect(port, "", "")) {
        Servers.run(connection, "DROP USER setter");
      }
    }
    found.removeIf(VariablesIT::isRefusal);
    assertEquals(DIFFERENT, found);
  }

  /** {@code completion_type = RELEASE}: the commit is answered, and then the client is alone. */
  @Test
  void commitEndsTheConnection() throws SQLException {
    for (int port : List.of(servers.plain().port(), servers.cluster().port())) {
      Servers.freshSchema(port, "released");
      try (Connection connection = MiniCluster.connect(port, "released", "");
          Statement statement = connection.createStatement()) {
        Servers.run(
            connection,
            "CREATE TABLE t (a INT PRIMARY KEY)",
            "SET completion_type = 2",
            "BEGIN",
            "INSERT INTO t VALUES (1)",
            "COMMIT");
        assertTrue(errno(statement, "SELECT 1") != 0, "still there");
      }
      try (Connection connection = MiniCluster.connect(port, "released", "")) {
        assertEquals(List.of("1"), Servers.column(connection, "SELECT a FROM t"));
      }
    }
  }

  @Test
  void whereServersHaveTheirFilesIsNotForEverybody() throws SQLException {
    int port = servers.cluster().port();
    try (Connection root = MiniCluster.connect(port, "", "")) {
      Servers.run(root, "DROP USER IF EXISTS curious", "CREATE USER curious");
      try (Connection curious = MiniCluster.connect(port, "", "", "curious");
          Statement statement = curious.createStatement()) {
        for (String query :
            List.of(
                "SELECT CONCAT(@@datadir, @@GLOBAL.socket, @@gtid_executed, @@pid_file)",
                "SELECT GROUP_CONCAT(VARIABLE_VALUE SEPARATOR '') FROM"
                    + " performance_schema.global_variables WHERE VARIABLE_NAME IN"
                    + " ('datadir', 'socket', 'gtid_executed', 'pid_file')")) {
          assertEquals("", Servers.only(statement, query), query);
        }
        try (ResultSet rows = statement.executeQuery("SHOW GLOBAL VARIABLES LIKE 'datadir'")) {
          assertTrue(rows.next());
          assertEquals("", rows.getString(2));
        }
        assertTrue(!Servers.only(statement, "SELECT @@sql_mode").isEmpty());
      }
      Servers.run(root, "DROP USER curious");
    }
  }

  /** Sessions begin with the mysqlds' values again. */
  private void begin(List<String> names) throws SQLException {
    try (Connection connection = MiniCluster.connect(servers.cluster().port(), "", "");
        Statement statement = connection.createStatement()) {
      for (String name : names) {
        if (known(name).global() == InGlobal.KEPT) {
          errno(statement, "SET GLOBAL " + name + " = DEFAULT");
        }
      }
    }
  }
}
