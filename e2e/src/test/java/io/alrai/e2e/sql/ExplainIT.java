package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** EXPLAIN tells what happens to the rows that there are. */
@ExtendWith(Servers.Shared.class)
class ExplainIT {
  private static final String SCHEMA = "explained";
  private static final int ROWS = 400;
  private static final String TABLE = "EXPLAIN FORMAT=TRADITIONAL ";

  /** What one place runs: as a plain mysqld with the same rows. */
  private static final List<String> AT_ONE_PLACE =
      List.of(
          "SELECT * FROM one WHERE id = 7",
          "SELECT * FROM one WHERE b BETWEEN 3 AND 5 ORDER BY c",
          "SELECT c, COUNT(*) FROM one GROUP BY c HAVING COUNT(*) > 1 LIMIT 3",
          "SELECT x.b, y.c FROM one x JOIN other y ON y.id = x.b WHERE x.id < 20",
          "SELECT x.b FROM one x WHERE EXISTS (SELECT 1 FROM other y WHERE y.b = x.c)",
          "(SELECT b FROM one WHERE id < 9) UNION SELECT b FROM other ORDER BY 1",
          "WITH w AS (SELECT b, MAX(id) m FROM one GROUP BY b) SELECT * FROM w JOIN other o ON o.id"
              + " = w.m",
          "SELECT * FROM seen WHERE b = 4",
          "SELECT explained.one.c FROM explained.one WHERE explained.one.b = 2",
          "UPDATE one SET c = c + 1 WHERE b = 3",
          "UPDATE one x JOIN other y ON y.id = x.b SET x.c = y.c WHERE y.b = 2",
          "DELETE FROM one WHERE id > 390",
          "INSERT INTO other SELECT id + 1000, b, c FROM one WHERE b = 2",
          "SELECT * FROM parts WHERE id = 7",
          "SELECT * FROM parts WHERE id = 7 AND c > 1",
          "UPDATE parts SET c = 1 WHERE id = 7",
          "DELETE FROM parts WHERE id = 7",
          "INSERT INTO parts VALUES (5000, 1, 1)");

  private static final List<String> AT_SEVERAL =
      List.of(
          "SELECT * FROM parts",
          "SELECT * FROM parts WHERE b = 3 ORDER BY c LIMIT 2",
          "SELECT c, SUM(b) FROM parts GROUP BY c",
          "SELECT COUNT(DISTINCT b) FROM parts",
          "SELECT p.c FROM parts p JOIN one o ON o.id = p.b",
          "SELECT p.c FROM parts p JOIN parts q ON q.b = p.c WHERE p.id < 9",
          "SELECT * FROM parts WHERE id IN (1, 2, 3, 4, 5, 6)",
          "UPDATE parts SET c = 1 WHERE b = 2",
          "UPDATE parts SET c = 1 WHERE b = 2 ORDER BY id LIMIT 1",
          "DELETE FROM parts WHERE b = 9",
          "DELETE FROM parts WHERE b IN (SELECT id FROM one)",
          "UPDATE parts SET id = id + 1000",
          "UPDATE everywhere SET b = 1",
          "INSERT INTO parts SELECT id + 2000, b, c FROM one",
          "INSERT INTO parts VALUES (6001, 1, 1), (6002, 1, 1), (6003, 1, 1), (6004, 1, 1)",
          "REPLACE INTO one SELECT * FROM parts");

  private static void fill(int port, boolean plain) throws SQLException {
    Servers.freshSchema(port, SCHEMA);
    try (Connection connection = MiniCluster.connect(port, SCHEMA, "")) {
      String columns = " (id INT PRIMARY KEY, b INT, c INT, KEY (b))";
      Servers.run(
          connection,
          "CREATE TABLE one" + columns + (plain ? "" : " SINGLE"),
          "CREATE TABLE other" + columns + (plain ? "" : " SINGLE"),
          "CREATE TABLE everywhere" + columns + (plain ? "" : " BROADCAST"),
          "CREATE TABLE parts" + columns + (plain ? "" : " PARTITION BY KEY(id) PARTITIONS 4"),
          "CREATE VIEW seen AS SELECT id, b FROM one WHERE c > 2");
      for (String table : List.of("one", "other", "everywhere", "parts")) {
        StringBuilder rows = new StringBuilder();
        for (int id = 1; id <= ROWS; id++) {
          rows.append(id == 1 ? "" : ",");
          rows.append('(').append(id).append(',').append(id % 50).append(',').append(id % 7);
          rows.append(')');
        }
        Servers.run(connection, "INSERT INTO " + table + " VALUES " + rows);
      }
      Servers.run(connection, "ANALYZE TABLE one, other, everywhere, parts");
    }
  }

  private static List<List<String>> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return rows(result);
    }
  }

  private static List<List<String>> rows(ResultSet result) throws SQLException {
    List<List<String>> rows = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
      names.add(result.getMetaData().getColumnLabel(i));
    }
    rows.add(names);
    while (result.next()) {
      List<String> row = new ArrayList<>();
      for (int i = 1; i <= names.size(); i++) {
        row.add(String.valueOf(result.getString(i)));
      }
      rows.add(row);
    }
    return rows;
  }

  /** Without what depends on the pages of a table. */
  private static String withoutCosts(List<List<String>> rows) {
    return rows.toString()
        .replaceAll("cost=[0-9.e+]+", "cost")
        .replaceAll("rows=[0-9.e+]+", "rows")
        .replaceAll("\"[a-z_]*(cost|rows|data)[a-z_]*\": \"?[0-9.e+KMG]+\"?", "figure")
        .replaceAll("\"filtered\": \"?[0-9.]+\"?", "figure");
  }

  @Test
  void oneServersPlanIsThatOfAPlainOne(Servers servers) throws SQLException {
    fill(servers.plain().port(), true);
    fill(servers.cluster().port(), false);
    List<String> differences = new ArrayList<>();
    try (Connection plain = MiniCluster.connect(servers.plain().port(), SCHEMA, "");
        Connection alrai = MiniCluster.connect(servers.cluster().port(), SCHEMA, "")) {
      for (String sql : AT_ONE_PLACE) {
        boolean parts = sql.contains("parts");
        for (String format : List.of("", "FORMAT=TRADITIONAL ", "FORMAT=TREE ", "FORMAT=JSON ")) {
          String explain = "EXPLAIN " + format + sql;
          List<List<String>> right = rows(plain, explain);
          List<List<String>> found = rows(alrai, explain);
          if (!withoutCosts(right).equals(withoutCosts(found))) {
            differences.add(explain + "\n  " + right + "\n  " + found);
          }
          List<List<String>> notes = rows(plain, "SHOW WARNINGS");
          List<List<String>> toldNotes = rows(alrai, "SHOW WARNINGS");
          if (!parts && !sql.contains("seen") && !notes.equals(toldNotes)) {
            differences.add("warnings of " + explain + "\n  " + notes + "\n  " + toldNotes);
          }
        }
      }
      assertEquals(List.of(), differences);
      assertEquals(
          List.of(Integer.toString(ROWS)), Servers.column(alrai, "SELECT COUNT(*) FROM one"));
    }
  }

  @Test
  void stepsOfSeveralServersAreShownInEachFormat(Servers servers) throws Exception {
    int port = servers.cluster().port();
    fill(port, false);
    fill(servers.plain().port(), true);
    Pattern physical = Pattern.compile("a\\d+_(p\\d{5}|b\\b)");
    try (Connection alrai = MiniCluster.connect(port, SCHEMA, "");
        Connection plain = MiniCluster.connect(servers.plain().port(), SCHEMA, "")) {
      for (String sql : AT_SEVERAL) {
        List<List<String>> table = rows(alrai, TABLE + sql);
        String notes = rows(alrai, "SHOW WARNINGS").toString();
        assertEquals(rows(plain, TABLE + sql).getFirst(), table.getFirst(), sql);
        assertTrue(table.size() > 1, sql);
        assertTrue(
            table.toString().contains(" on dn-") || table.toString().contains("every DN"),
            sql + table);
        assertTrue(notes.contains("-> "), sql + notes);
        String tree = rows(alrai, "EXPLAIN FORMAT=TREE " + sql).get(1).getFirst();
        assertTrue(tree.startsWith("-> "), tree);
        assertTrue(tree.contains("\n    "), tree);
        String json = rows(alrai, "EXPLAIN FORMAT=JSON " + sql).get(1).getFirst();
        JsonNode parsed = parse(json);
        assertTrue(parsed.path("cluster").has("step"), json);
        assertTrue(parsed.size() > 1, json);
        for (String shown : List.of(table.toString(), notes, tree, json)) {
          assertFalse(physical.matcher(shown).find(), sql + "\n" + shown);
        }
      }
      assertEquals(
          List.of(Integer.toString(ROWS)), Servers.column(alrai, "SELECT COUNT(*) FROM parts"));
    }
  }

  @Test
  void aWayThatIsNotTakenHasItsReason(Servers servers) throws SQLException {
    fill(servers.cluster().port(), false);
    Map<String, String> reasons =
        Map.of(
            "SELECT p.c FROM parts p JOIN parts q ON q.b < p.c",
            "(no merge: parts and parts are not joined on their partition keys; no join by the CN: a"
                + " condition that is neither of one table nor an equality of two columns)",
            "SELECT GROUP_CONCAT(b) FROM parts",
            "(no merge: GROUP_CONCAT over groups that cross shards; no groups of places:"
                + " GROUP_CONCAT, of which places cannot give parts)",
            "INSERT INTO parts SELECT id + 2000, b, c FROM one",
            "(no mysqld runs all of it: rows of one place that go to several)",
            "UPDATE parts SET c = 1 WHERE b = 2 ORDER BY id LIMIT 1",
            "(no mysqld runs all of it: LIMIT over several places)",
            "DELETE FROM parts WHERE b IN (SELECT id FROM one)",
            "(no mysqld runs all of it: one is at one place, parts is not)",
            "INSERT INTO one SELECT * FROM parts",
            "(no mysqld runs all of it: rows of other places than the table's)");
    try (Connection alrai = MiniCluster.connect(servers.cluster().port(), SCHEMA, "")) {
      for (Map.Entry<String, String> each : reasons.entrySet()) {
        String tree = rows(alrai, "EXPLAIN FORMAT=TREE " + each.getKey()).get(1).getFirst();
        assertTrue(tree.lines().findFirst().orElse("").contains(each.getValue()), tree);
      }
      String merged = rows(alrai, "EXPLAIN FORMAT=TREE SELECT SUM(b) FROM parts").get(1).getFirst();
      assertFalse(merged.contains("(no "), merged);
    }
  }

  private static JsonNode parse(String json) throws IOException {
    return new ObjectMapper().readTree(json);
  }

  @Test
  void theRowsThatThereAreCount(Servers servers) throws SQLException {
    fill(servers.cluster().port(), false);
    try (Connection alrai = MiniCluster.connect(servers.cluster().port(), SCHEMA, "")) {
      List<String> row = rows(alrai, TABLE + "SELECT * FROM parts WHERE b = 3 ORDER BY c").get(1);
      assertEquals("ref", row.get(4));
      assertEquals("b", row.get(6));
      String extra = row.get(11);
      assertTrue(extra.contains("4 partitions on dn-"), extra);
      assertEquals("const", rows(alrai, TABLE + "SELECT * FROM parts WHERE id = 3").get(1).get(4));
      Servers.run(alrai, "BEGIN", "INSERT INTO parts VALUES (9000, 1, 1)");
      assertEquals(
          "const", rows(alrai, TABLE + "SELECT * FROM parts WHERE id = 9000").get(1).get(4));
      Servers.run(alrai, "ROLLBACK");
      assertEquals(
          "null", rows(alrai, TABLE + "SELECT * FROM parts WHERE id = 9000").get(1).get(4));
      Servers.run(alrai, "LOCK TABLES parts WRITE");
      assertEquals("ref", rows(alrai, TABLE + "SELECT * FROM parts WHERE b = 1").get(1).get(4));
      Servers.run(alrai, "UNLOCK TABLES");
    }
  }

  @Test
  void preparedOnesToo(Servers servers) throws SQLException {
    fill(servers.cluster().port(), false);
    String options = "&useServerPrepStmts=true";
    try (Connection alrai = MiniCluster.connect(servers.cluster().port(), SCHEMA, options);
        PreparedStatement byKey =
            alrai.prepareStatement(TABLE + "SELECT * FROM parts WHERE id = ?");
        PreparedStatement several =
            alrai.prepareStatement("EXPLAIN FORMAT=TREE SELECT * FROM parts WHERE b = ?")) {
      byKey.setInt(1, 5);
      try (ResultSet result = byKey.executeQuery()) {
        assertEquals("const", rows(result).get(1).get(4));
      }
      several.setInt(1, 5);
      try (ResultSet result = several.executeQuery()) {
        String tree = rows(result).get(1).getFirst();
        assertTrue(tree.startsWith("-> Merge rows of 4 partitions on dn-"), tree);
        assertTrue(tree.contains("= 5"), tree);
      }
    }
  }

  @Test
  void mistakesAreToldInTheClientsNames(Servers servers) throws SQLException {
    fill(servers.cluster().port(), false);
    try (Connection alrai = MiniCluster.connect(servers.cluster().port(), SCHEMA, "")) {
      SQLException unknown =
          assertThrows(SQLException.class, () -> rows(alrai, "EXPLAIN SELECT nothing FROM one"));
      assertEquals("Unknown column 'nothing' in 'field list'", unknown.getMessage());
      SQLException connection =
          assertThrows(SQLException.class, () -> rows(alrai, "EXPLAIN FOR CONNECTION 1"));
      assertTrue(
          connection.getMessage().contains("SHOW FULL PROCESSLIST"), connection.getMessage());
    }
  }
}
