package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.variable.KnownVariables;
import io.alrai.e2e.Servers;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Many servers, one value: of whatever two DNs' mysqlds say differently, a client hears one value,
 * in each way in which it may ask, and wherever its statement runs.
 */
@ExtendWith(Servers.Shared.class)
class ServersValuesIT {
  private static final int ROWS = 8;
  private static final int SESSIONS = 2;

  private static Map<String, String> values(DnDoors doors, String dn) {
    return doors
        .query(dn, "SELECT VARIABLE_NAME, VARIABLE_VALUE FROM performance_schema.global_variables")
        .stream()
        .collect(Collectors.toMap(row -> row.get(0).toLowerCase(Locale.ROOT), row -> row.get(1)));
  }

  /** What the mysqlds of a cluster do not agree on. */
  private static Set<String> different(DnDoors doors) {
    Map<String, String> one = values(doors, "dn-1");
    Map<String, String> other = values(doors, "dn-2");
    assertTrue(one.size() > 500, "only " + one.size());
    Set<String> names = new TreeSet<>(one.keySet());
    names.removeIf(name -> one.get(name).equals(other.get(name)));
    return names;
  }

  private static Set<String> answers(int port, String account, String name) throws SQLException {
    Set<String> answers = new TreeSet<>();
    for (int i = 0; i < SESSIONS; i++) {
      try (Connection connection = MiniCluster.connect(port, "values of servers", "", account);
          Statement statement = connection.createStatement()) {
        answers.add(Servers.only(statement, "SELECT @@GLOBAL." + name));
        answers.add(Servers.only(statement, "SELECT @@" + name));
        answers.add(
            Servers.only(
                statement,
                "SELECT VARIABLE_VALUE FROM performance_schema.global_variables"
                    + " WHERE VARIABLE_NAME = '"
                    + name
                    + "'"));
        for (int row = 1; row <= ROWS; row++) {
          answers.add(
              Servers.only(statement, "SELECT @@GLOBAL." + name + " FROM t WHERE a = " + row));
        }
        answers.addAll(Servers.column(connection, "SELECT @@GLOBAL." + name + " FROM t"));
      }
    }
    return answers;
  }

  @Test
  void eachHasOneValue(Servers servers) throws SQLException {
    int port = servers.cluster().port();
    try (Connection root = MiniCluster.connect(port, "", "");
        DnDoors doors = servers.cluster().doors()) {
      Servers.run(
          root,
          "CREATE DATABASE `values of servers`",
          "CREATE TABLE `values of servers`.t (a INT PRIMARY KEY) PARTITION BY HASH(a) PARTITIONS 8",
          "INSERT INTO `values of servers`.t VALUES (1), (2), (3), (4), (5), (6), (7), (8)",
          "CREATE USER 'sees nothing'@'%'",
          "GRANT SELECT ON `values of servers`.* TO 'sees nothing'@'%'");
      try {
        Map<String, Set<String>> several = new TreeMap<>();
        for (String name : different(doors)) {
          Set<String> answers = answers(port, "sees nothing", name);
          if (answers.size() > 1) {
            several.put(name, answers);
          }
          Set<String> ofRoot = answers(port, "root", name);
          // it may see servers, and sees one
          if (ofRoot.size() > 1 && !KnownVariables.hidden().contains(name)) {
            several.put("root's " + name, ofRoot);
          }
        }
        assertEquals(Map.of(), several, "of " + List.copyOf(different(doors)));
      } finally {
        Servers.run(root, "DROP DATABASE `values of servers`", "DROP USER 'sees nothing'@'%'");
      }
    }
  }
}
