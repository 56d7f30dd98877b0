package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.settings.SecureTransport;
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
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Each variable that a mysqld has, in each form in which a scope is written, with its value taken
 * from where it is and by way of a user variable: with equal answers, word by word.
 */
@ExtendWith(Servers.Shared.class)
class VariableScopesIT {
  private static final String UNSUPPORTED = "1235 ";

  private final Servers servers;

  VariableScopesIT(Servers servers) {
    this.servers = servers;
  }

  private static String answer(Statement statement, String sql) {
    try {
      if (statement.execute(sql)) {
        try (ResultSet rows = statement.getResultSet()) {
          return rows.next() ? "a row" : "no row";
        }
      }
      return "done";
    } catch (SQLException e) {
      return e.getErrorCode() + " " + e.getMessage();
    }
  }

  /** What each server says to the last of some statements. */
  private List<String> differences(List<String> names, List<String> forms) throws SQLException {
    List<String> differences = new ArrayList<>();
    for (String name : names) {
      try (Connection one = MiniCluster.connect(servers.plain().port(), "", "");
          Connection two = MiniCluster.connect(servers.cluster().port(), "", "");
          Statement plain = one.createStatement();
          Statement alrai = two.createStatement()) {
        for (String form : forms) {
          String sql = form.replace("%", name);
          String expected = answer(plain, sql);
          String actual = answer(alrai, sql);
          if (!expected.equals(actual) && !isRefusal(name, actual)) {
            differences.add(sql + ": " + expected + " BUT " + actual);
          }
        }
      }
    }
    return differences;
  }

  /** Where Alrai says that it cannot, and its table of variables, too. */
  private static boolean isRefusal(String name, String answer) {
    return answer.startsWith(UNSUPPORTED)
        && (known(name).session() == InSession.FIXED
            || name.equals(SecureTransport.REQUIRED)
            || Set.of(InGlobal.FIXED, InGlobal.REFUSED).contains(known(name).global()));
  }

  private static KnownVariable known(String name) {
    return KnownVariables.of(VariableName.of(name))
        .orElseThrow(() -> new AssertionError(name + " is not in the table"));
  }

  private static boolean isOfSessions(String name) {
    return !Set.of(InSession.GLOBAL_ONLY, InSession.READ_ONLY).contains(known(name).session());
  }

  private static boolean isGlobal(String name) {
    return !Set.of(InGlobal.SESSION_ONLY, InGlobal.READ_ONLY).contains(known(name).global());
  }

  private List<String> names() throws SQLException {
    try (Connection plain = MiniCluster.connect(servers.plain().port(), "", "")) {
      List<String> names =
          Servers.column(
                  plain,
                  "SELECT VARIABLE_NAME FROM performance_schema.variables_metadata ORDER BY 1")
              .stream()
              .map(name -> name.toLowerCase(Locale.ROOT))
              .toList();
      assertTrue(names.size() > 600, "only " + names.size());
      return names;
    }
  }

  private void check(List<String> names, List<String> forms) throws SQLException {
    List<String> differences = differences(names, forms);
    assertEquals("", String.join("\n", differences));
  }

  @Test
  void whatIsReadInWhichScope() throws SQLException {
    check(
        names(),
        List.of(
            "SELECT @@%",
            "SELECT @@SESSION.%",
            "SELECT @@LOCAL.%",
            "SELECT @@GLOBAL.%",
            "SELECT @@`%`",
            "SELECT COUNT(*) FROM performance_schema.session_variables WHERE VARIABLE_NAME = '%'",
            "SHOW SESSION VARIABLES LIKE '%'",
            "SHOW GLOBAL VARIABLES LIKE '%'"));
  }

  @Test
  void sessionsDoNotSetWhatIsNotTheirs() throws SQLException {
    check(
        names().stream().filter(name -> !isOfSessions(name)).toList(),
        List.of(
            "SET % = 1",
            "SET % = DEFAULT",
            "SET SESSION % = 1",
            "SET SESSION % = @@GLOBAL.%",
            "SET LOCAL % = 'x'",
            "SET @@% = 1",
            "SET @@SESSION.% = DEFAULT",
            "SET @@LOCAL.% = NULL",
            "SET @x = 1, SESSION % = 1"));
  }

  @Test
  void whatIsNotGlobalIsNotSetSo() throws SQLException {
    check(
        names().stream().filter(name -> !isGlobal(name)).toList(),
        List.of(
            "SET GLOBAL % = 1",
            "SET GLOBAL % = DEFAULT",
            "SET @@GLOBAL.% = 1",
            "SET PERSIST % = 1",
            "SET PERSIST % = DEFAULT",
            "SET @@PERSIST.% = 1"));
  }

  @Test
  void valuesGoByWayOfUserVariables() throws SQLException {
    List<String> names = names();
    check(
        names.stream().filter(VariableScopesIT::isGlobal).toList(),
        List.of(
            "SET @o = @@GLOBAL.%",
            "SET GLOBAL % = @o",
            "SELECT @@GLOBAL.% INTO @p",
            "SET @@GLOBAL.% = @p",
            "SET GLOBAL % = (SELECT @@GLOBAL.%)",
            "SET PERSIST % = @o"));
    check(
        names.stream().filter(VariableScopesIT::isOfSessions).toList(),
        List.of(
            "SET @o = @@SESSION.%",
            "SET SESSION % = @o",
            "SELECT @@SESSION.% INTO @p",
            "SET @@SESSION.% = @p",
            "SET SESSION % = (SELECT @@SESSION.%)"));
    forget(names);
  }

  /** The plain server forgets what was persisted; sessions begin with the mysqlds' values again. */
  private void forget(List<String> names) throws SQLException {
    try (Connection one = MiniCluster.connect(servers.plain().port(), "", "");
        Connection two = MiniCluster.connect(servers.cluster().port(), "", "");
        Statement alrai = two.createStatement()) {
      Servers.run(one, "RESET PERSIST");
      for (String name : names) {
        if (known(name).global() == InGlobal.KEPT) {
          alrai.execute("SET GLOBAL " + name + " = DEFAULT");
        }
      }
    }
  }
}
