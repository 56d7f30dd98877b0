package io.alrai.e2e.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import io.alrai.testing.ClusterProcess;
import io.alrai.testing.MiniCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Groups of members in zones: {@code -Dgroup.zones=true}. */
@EnabledIfSystemProperty(named = "group.zones", matches = "true")
@Tag("faults")
final class ZonesIT {
  private static final String HERE = "Zürich 'b' \"_%\"";

  private static final String AT_WORK =
      "SELECT DISTINCT NODE FROM information_schema.STORAGE_REPLICAS"
          + " WHERE STATE IN ('LEADING', 'FOLLOWING') AND LAST_ERROR = ''";

  private static final Map<String, String> ZONES =
      Map.of("dn-1-a", "a", "dn-1-b", HERE, "dn-2-a", "a", "dn-2-b", HERE, "logger-1", "c");

  @Test
  void leadersAreWhereTheyAreWanted() throws Exception {
    try (ClusterProcess cluster =
        ClusterProcess.up(List.of(), "--dns", "2", "--processes", "--replicas", "3")) {
      assertEquals(0, cluster.command("down"));
      ClusterProcess.await("the end of all", () -> cluster.processes().isEmpty());
      for (Map.Entry<String, String> member : ZONES.entrySet()) {
        say(cluster, member.getKey(), member.getValue());
      }
      cluster.startAgain();
      try (Connection connection = MiniCluster.connect(cluster.port(), "", "");
          Statement statement = connection.createStatement()) {
        ClusterProcess.await("all zones", 30, 250, () -> known(connection).equals(known()));
        lead(connection, statement, HERE);
        SQLException wrong =
            assertThrows(
                SQLException.class,
                () -> statement.execute("ALTER SYSTEM SET CONFIG PRIMARY_ZONE = 'nowhere'"));
        assertEquals(1231, wrong.getErrorCode());
        assertTrue(wrong.getMessage().contains(HERE), wrong.getMessage());
        lead(connection, statement, "a");
        statement.execute("ALTER SYSTEM SET CONFIG PRIMARY_ZONE = " + quoted(HERE));
        assertTrue(statement.execute("ALTER SYSTEM GET CONFIG PRIMARY_ZONE"));
        try (ResultSet primary = statement.getResultSet()) {
          assertTrue(primary.next());
          assertEquals(HERE, primary.getString("VALUE"));
        }
        ClusterProcess.await("the primary zone", 60, 250, () -> lead(connection, "b"));
        ClusterProcess.kill(cluster.role("dn-1-b").orElseThrow());
        ClusterProcess.await("a failover", 30, 50, () -> leaders(connection).contains("dn-1-a"));
        ClusterProcess.await("the primary zone", 60, 250, () -> lead(connection, "b"));
      }
    }
  }

  private static void say(ClusterProcess cluster, String member, String zone) throws IOException {
    Path file = cluster.directory().resolve("etc").resolve(member + ".properties");
    Files.writeString(file, "zone = " + zone + "\n", StandardOpenOption.APPEND);
  }

  private static List<String> known() {
    return ZONES.entrySet().stream().map(e -> e.getKey() + "," + e.getValue()).sorted().toList();
  }

  private static List<String> known(Connection connection) {
    return column(
        connection,
        "SELECT DISTINCT CONCAT(NODE, ',', ZONE) FROM information_schema.STORAGE_REPLICAS ORDER BY 1");
  }

  private static void lead(Connection connection, Statement statement, String zone)
      throws SQLException {
    ClusterProcess.await("all members", 60, 250, () -> column(connection, AT_WORK).size() == 5);
    statement.execute("ALTER SYSTEM CHANGE_ROLE ZONE " + quoted(zone) + " TO LEADER");
    assertTrue(lead(connection, zone.equals("a") ? "a" : "b"), leaders(connection).toString());
  }

  private static boolean lead(Connection connection, String letter) {
    return leaders(connection).equals(List.of("dn-1-" + letter, "dn-2-" + letter));
  }

  /** Of whom there is one just now. */
  private static List<String> leaders(Connection connection) {
    return column(connection, "SELECT LEADER_NODE FROM information_schema.STORAGE ORDER BY 1");
  }

  /** Nothing while nobody can be asked. */
  private static List<String> column(Connection connection, String query) {
    try {
      return Servers.column(connection, query);
    } catch (SQLException e) {
      System.out.println(e);
      return List.of();
    }
  }

  private static String quoted(String zone) {
    return "'" + zone.replace("'", "''") + "'";
  }
}
