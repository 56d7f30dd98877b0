package io.alrai.e2e.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.ColumnIndexed;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What TRACE records, by the way that a statement takes. */
@ExtendWith(Servers.Shared.class)
class TraceIT {
  private static final String SCHEMA = "tr'a_c.e %";

  private record Step(
      String place, Long waited, Long first, Long micros, long rows, String error, String text) {}

  private Connection client;
  private Statement statement;

  @BeforeEach
  void begin(Servers servers) throws SQLException {
    Servers.freshSchema(servers.cluster().port(), SCHEMA);
    client = MiniCluster.connect(servers.cluster().port(), "", "&allowMultiQueries=true");
    statement = client.createStatement();
    statement.execute("USE `" + SCHEMA + "`");
    statement.execute(
        "CREATE TABLE `t 1` (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a) PARTITIONS 8");
    statement.execute(
        "INSERT INTO `t 1` VALUES (1,1),(2,2),(3,3),(4,4),(5,5),(6,6),(7,7),(8,8),(9,9),(10,10)");
  }

  @AfterEach
  void end() throws SQLException {
    client.close();
  }

  /** Connector/J looks at the first word before it lets a statement have a result. */
  private int rows(String sql) throws SQLException {
    assertTrue(statement.execute(sql));
    try (ResultSet rows = statement.getResultSet()) {
      int count = 0;
      while (rows.next()) {
        count++;
      }
      return count;
    }
  }

  private List<Step> shown() throws SQLException {
    List<Step> steps = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery("SHOW TRACE")) {
      while (rows.next()) {
        assertEquals(steps.size(), rows.getInt("ID"));
        assertTrue(rows.getLong("START_US") >= 0);
        steps.add(
            new Step(
                rows.getString("PLACE"),
                (Long) rows.getObject("WAIT_US"),
                (Long) rows.getObject("FIRST_US"),
                (Long) rows.getObject("TIME_US"),
                rows.getLong("ROWS_READ"),
                rows.getString("ERROR"),
                rows.getString("STATEMENT")));
      }
    }
    return steps;
  }

  private static long dns(List<Step> steps) {
    return steps.stream().skip(1).map(Step::place).distinct().count();
  }

  private static String texts(List<Step> steps) {
    return steps.stream().skip(1).map(Step::text).collect(Collectors.joining("\n"));
  }

  /** A wait for what a DN has yet to apply answers a row, too. */
  private static long rowsOfTheTable(List<Step> steps) {
    return steps.stream()
        .skip(1)
        .filter(step -> step.text().contains("`t 1`"))
        .mapToLong(Step::rows)
        .sum();
  }

  @Test
  void aReadByKeyHasOneStep() throws SQLException {
    assertEquals(1, rows("TRACE SELECT b FROM `t 1` WHERE a = 3"));
    List<Step> steps = shown();
    Step whole = steps.get(0);
    assertEquals("PINNED", whole.place());
    assertEquals("SELECT b FROM `t 1` WHERE a = 3", whole.text());
    assertEquals(1, whole.rows());
    Step read = steps.getLast();
    assertEquals("SELECT b FROM `t 1` WHERE a = 3", read.text());
    assertEquals(1, read.rows());
    assertTrue(read.first() <= read.micros() && read.micros() <= whole.micros(), steps::toString);
    assertTrue(steps.get(1).waited() >= 0, steps::toString);
  }

  @Test
  void severalShardsHaveStepsOfTheirOwn() throws SQLException {
    assertEquals(10, rows("TRACE SELECT * FROM `t 1`"));
    List<Step> steps = shown();
    assertEquals(10, steps.get(0).rows());
    assertEquals(2, dns(steps), steps::toString);
    assertEquals(10, rowsOfTheTable(steps), steps::toString);
  }

  @Test
  void aCommitOverTwoDnsIsAPartOfIt() throws SQLException {
    statement.execute("TRACE UPDATE `t 1` SET b = b + 1");
    List<Step> steps = shown();
    assertEquals(2, dns(steps), steps::toString);
    assertTrue(texts(steps).contains("XA PREPARE"), steps::toString);
  }

  @Test
  void inATransactionOneStatementIsRecorded() throws SQLException {
    statement.execute("BEGIN");
    assertEquals(1, rows("SELECT b FROM `t 1` WHERE a = 3 FOR UPDATE"));
    assertEquals(1, rows("TRACE SELECT b FROM `t 1` WHERE a = 3 FOR UPDATE"));
    assertEquals(1, rows("SELECT b + 1 FROM `t 1` WHERE a = 3 FOR UPDATE"));
    statement.execute("COMMIT");
    List<Step> steps = shown();
    assertEquals(2, steps.size(), steps::toString);
    assertEquals("SELECT b FROM `t 1` WHERE a = 3 FOR UPDATE", steps.get(1).text());
    assertEquals(null, steps.get(1).waited());
  }

  @Test
  void errorsAreShown() throws SQLException {
    assertThrows(SQLException.class, () -> rows("TRACE SELECT nothing FROM `t 1` WHERE a = 3"));
    List<Step> steps = shown();
    assertEquals("error 1054", steps.get(0).error());
    assertThrows(SQLException.class, () -> rows("TRACE SELEC 1"));
    assertEquals("error 1064", shown().get(0).error());
    SQLException none = assertThrows(SQLException.class, () -> rows("TRACE"));
    assertEquals(1064, none.getErrorCode());
    assertEquals("SELEC 1", shown().get(0).text());
  }

  @Test
  void eachStatementOfATextMayBeTraced() throws SQLException {
    statement.execute("SELECT 1; trace\nSELECT b FROM `t 1` WHERE a = 2; SELECT 3;");
    while (statement.getMoreResults() || statement.getUpdateCount() >= 0) {
      // all are read
    }
    assertEquals("SELECT b FROM `t 1` WHERE a = 2", shown().get(0).text());
    assertEquals(1, rows("TRACE SELECT b FROM `t 1` WHERE a = 4;"));
    assertEquals("SELECT b FROM `t 1` WHERE a = 4;", shown().get(0).text());
  }

  @Test
  void routinesWithABodyAreTraced() throws SQLException {
    statement.execute("TRACE CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END");
    assertEquals("ADMIN", shown().get(0).place());
    statement.execute("TRACE DROP PROCEDURE p; SELECT 1");
    assertTrue(statement.getMoreResults());
    assertEquals("DROP PROCEDURE p", shown().get(0).text());
  }

  @Test
  void preparedOnesAreTracedEachTime(Servers servers) throws SQLException {
    try (Connection other =
            MiniCluster.connect(servers.cluster().port(), "", "&useServerPrepStmts=true");
        Statement theirs = other.createStatement()) {
      theirs.execute("USE `" + SCHEMA + "`");
      try (PreparedStatement traced =
          other.prepareStatement("TRACE SELECT b FROM `t 1` WHERE a = ?")) {
        for (int key : List.of(3, 4)) {
          traced.setInt(1, key);
          assertTrue(traced.execute());
          traced.getResultSet().close();
          try (ResultSet steps = theirs.executeQuery("SHOW TRACE")) {
            assertTrue(steps.next());
            assertEquals("SELECT b FROM `t 1` WHERE a = ?", steps.getString("STATEMENT"));
            assertTrue(steps.next());
          }
        }
      }
    }
  }

  @Test
  void aPlanOverColumnsIsAStep(Servers servers) throws SQLException {
    ColumnIndexed.create(client, "`t 1`", "a");
    ColumnIndexed.awaitReady(servers.cluster().port(), SCHEMA, "`t 1`");
    assertEquals(1, rows("TRACE SELECT /*+ WORKLOAD_TYPE(AP) */ SUM(b) FROM `t 1`"));
    List<Step> steps = shown();
    assertEquals("COLUMNS", steps.get(0).place());
    Step plan = steps.getLast();
    assertEquals("COLUMNS", plan.place());
    assertEquals("a plan over columns of " + SCHEMA + ".t 1", plan.text());
    assertEquals(1, plan.rows());
    assertTrue(plan.first() <= plan.micros(), steps::toString);
  }

  /** A definer's view is expanded into what is sent. */
  @Test
  void textsAreForWhoHasProcess(Servers servers) throws SQLException {
    statement.execute("CREATE VIEW hidden AS SELECT b FROM `t 1` WHERE a = 4711 - 4708");
    statement.execute("DROP USER IF EXISTS traced");
    statement.execute("CREATE USER traced IDENTIFIED BY 'x'");
    statement.execute("GRANT SELECT ON hidden TO traced");
    try (Connection other = MiniCluster.connect(servers.cluster().port(), "", "", "traced", "x");
        Statement theirs = other.createStatement()) {
      assertTrue(theirs.execute("TRACE SELECT * FROM `" + SCHEMA + "`.hidden"));
      try (ResultSet steps = theirs.executeQuery("SHOW TRACE")) {
        assertTrue(steps.next());
        assertEquals("SELECT * FROM `" + SCHEMA + "`.hidden", steps.getString("STATEMENT"));
        assertTrue(steps.next());
        do {
          assertEquals(null, steps.getString("STATEMENT"));
          assertTrue(steps.getLong("TIME_US") >= 0);
        } while (steps.next());
      }
    } finally {
      statement.execute("DROP USER traced");
    }
  }

  @Test
  void othersSeeNothingOfIt(Servers servers) throws SQLException {
    assertEquals(1, rows("TRACE SELECT b FROM `t 1` WHERE a = 3"));
    try (Connection other = MiniCluster.connect(servers.cluster().port(), "", "");
        Statement theirs = other.createStatement();
        ResultSet none = theirs.executeQuery("SHOW TRACE")) {
      assertFalse(none.next());
    }
    assertEquals(1, rows("SELECT b FROM `t 1` WHERE a = 5"));
    assertEquals("SELECT b FROM `t 1` WHERE a = 3", shown().get(0).text());
  }
}
