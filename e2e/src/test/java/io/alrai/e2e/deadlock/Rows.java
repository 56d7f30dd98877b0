package io.alrai.e2e.deadlock;

import io.alrai.e2e.Servers;
import io.alrai.testing.DnDoors;
import io.alrai.testing.MiniCluster;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a table {@code t (a, b)} with a from 1 to 40 and b = 0, by their DN.
 *
 * @param one all a of dn-1
 * @param two all a of dn-2
 */
record Rows(List<Integer> one, List<Integer> two) {
  private static final int COUNT = 40;

  /**
   * Makes the table anew.
   *
   * @param directory of the cluster
   */
  static Rows fresh(int port, String schema, Path directory) throws SQLException {
    Servers.freshSchema(port, schema);
    List<Integer> one = new ArrayList<>();
    List<Integer> two = new ArrayList<>();
    try (Connection connection = MiniCluster.connect(port, schema, "");
        Statement statement = connection.createStatement();
        DnDoors doors = new DnDoors(directory, List.of("dn-1", "dn-2"))) {
      statement.execute(
          "CREATE TABLE t (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a) PARTITIONS 4");
      for (int a = 1; a <= COUNT; a++) {
        statement.execute("INSERT INTO t VALUES (" + a + ", 0)");
      }
      try (ResultSet places = statement.executeQuery("SHOW TOPOLOGY FROM t")) {
        while (places.next()) {
          String dn = places.getString("DN");
          String sql = "SELECT a FROM " + places.getString("PHYSICAL_SCHEMA") + ".t";
          for (List<String> row : doors.query(dn, sql)) {
            (dn.equals("dn-1") ? one : two).add(Integer.valueOf(row.getFirst()));
          }
        }
      }
    }
    return new Rows(one, two);
  }
}
