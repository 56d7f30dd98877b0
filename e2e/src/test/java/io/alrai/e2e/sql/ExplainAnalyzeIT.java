package io.alrai.e2e.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.alrai.e2e.Servers;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** EXPLAIN ANALYZE runs a statement as its client would have it, and says what that took. */
@ExtendWith(Servers.Shared.class)
class ExplainAnalyzeIT {
  private static final String SCHEMA = "explain 'ed`.%_é";
  private static final Pattern ROOT =
      Pattern.compile("-> [^\\n]*\\(actual time=[0-9.]+\\.\\.[0-9.]+ rows=(\\d+) loops=1\\)\\n");
  private static final Pattern OF_DN =
      Pattern.compile(
          "\\n    -> dn-\\d  \\(actual time=[0-9.]+\\.\\.[0-9.]+ rows=(\\d+) loops=\\d+\\)");

  private Connection client;
  private Statement statement;

  @BeforeEach
  void begin(Servers servers) throws SQLException {
    Servers.freshSchema(servers.cluster().port(), SCHEMA);
    client = MiniCluster.connect(servers.cluster().port(), "", "");
    statement = client.createStatement();
    statement.execute("USE `" + SCHEMA.replace("`", "``") + "`");
    statement.execute(
        "CREATE TABLE `t' 1` (a INT PRIMARY KEY, b INT) PARTITION BY KEY(a) PARTITIONS 8");
    statement.execute("CREATE TABLE one (a INT PRIMARY KEY, b INT) SINGLE");
    statement.execute(
        "INSERT INTO `t' 1` VALUES (1,1),(2,2),(3,3),(4,4),(5,5),(6,6),(7,7),(8,8),(9,9),(10,10)");
    statement.execute("INSERT INTO one SELECT * FROM `t' 1`");
  }

  @AfterEach
  void end() throws SQLException {
    client.close();
  }

  private String tree(String sql) throws SQLException {
    return Servers.only(statement, sql);
  }

  private static int rows(String tree) {
    Matcher root = ROOT.matcher(tree);
    assertTrue(root.lookingAt(), tree);
    return Integer.parseInt(root.group(1));
  }

  private static int rowsOfDns(String tree) {
    Matcher of = OF_DN.matcher(tree);
    int rows = 0;
    int dns = 0;
    while (of.find()) {
      rows += Integer.parseInt(of.group(1));
      dns++;
    }
    assertEquals(2, dns, tree);
    return rows;
  }

  @Test
  void aMergeHasTheRowsOfEachDn() throws SQLException {
    String tree = tree("EXPLAIN ANALYZE SELECT * FROM `t' 1` ORDER BY b");
    assertTrue(tree.startsWith("-> Merge rows of 8 partitions on dn-"), tree);
    assertEquals(10, rows(tree));
    assertEquals(10, rowsOfDns(tree));
    assertTrue(tree.contains("(cost="), tree);
    assertFalse(Pattern.compile("a\\d+_p\\d{5}").matcher(tree).find(), tree);
    String sum = tree("EXPLAIN ANALYZE SELECT SUM(b) FROM `t' 1`");
    assertEquals(1, rows(sum));
    assertEquals(10, rows(tree("EXPLAIN ANALYZE FORMAT=TREE SELECT b FROM `t' 1` FOR UPDATE")));
    assertEquals(0, rows(tree("EXPLAIN ANALYZE SELECT b FROM `t' 1` WHERE b > 99")));
  }

  @Test
  void joinsAndCopiesToo() throws SQLException {
    String join = tree("EXPLAIN ANALYZE SELECT x.b FROM `t' 1` x JOIN `t' 1` y ON y.a = x.b");
    assertEquals(10, rows(join));
    assertTrue(join.contains("\n        -> dn-1  (actual time="), join);
    String copies = tree("EXPLAIN ANALYZE SELECT GROUP_CONCAT(b) FROM `t' 1`");
    assertEquals(1, rows(copies));
    assertTrue(copies.contains("-> Read rows of t' 1 in 8 partitions"), copies);
  }

  @Test
  void onePlaceIsAsOnAPlainMysqld(Servers servers) throws SQLException {
    String one = tree("EXPLAIN ANALYZE SELECT * FROM one WHERE b < 5");
    assertTrue(one.startsWith("-> Filter: (`one`.b < 5)"), one);
    assertTrue(one.contains("(actual time="), one);
    Servers.freshSchema(servers.plain().port(), SCHEMA);
    try (Connection plain = MiniCluster.connect(servers.plain().port(), "", "");
        Statement theirs = plain.createStatement()) {
      theirs.execute("USE `" + SCHEMA.replace("`", "``") + "`");
      theirs.execute("CREATE TABLE one (a INT PRIMARY KEY, b INT)");
      theirs.execute("CREATE TABLE `t' 1` (a INT PRIMARY KEY, b INT)");
      for (String sql :
          List.of(
              "EXPLAIN ANALYZE FORMAT=TRADITIONAL SELECT * FROM @",
              "EXPLAIN ANALYZE FORMAT=JSON SELECT * FROM @",
              "EXPLAIN ANALYZE FORMAT=JSON INTO @x SELECT * FROM @",
              "EXPLAIN ANALYZE INTO @x SELECT * FROM @",
              "EXPLAIN ANALYZE SELECT nothing FROM @",
              "EXPLAIN ANALYZE FORMAT=TREE SELECT * FROM @",
              "EXPLAIN ANALYZE TABLE @",
              "EXPLAIN ANALYZE SELECT 1")) {
        for (String table : List.of("one", "`t' 1`")) {
          String text =
              sql.replace("@", "\u0000").replace("\u0000x", "@x").replace("\u0000", table);
          assertEquals(error(theirs, text), error(statement, text), text);
        }
      }
    }
  }

  private static String error(Statement of, String sql) {
    try {
      of.execute(sql);
      return "";
    } catch (SQLException e) {
      return e.getErrorCode() + " " + e.getMessage();
    }
  }

  @Test
  void jsonHasTheFigures() throws Exception {
    statement.execute("SET explain_json_format_version = 2");
    JsonNode json =
        new ObjectMapper().readTree(tree("EXPLAIN ANALYZE FORMAT=JSON SELECT * FROM `t' 1`"));
    JsonNode cluster = json.path("cluster");
    assertEquals(10, cluster.path("actual_rows").asInt(), json::toString);
    assertEquals(2, cluster.path("asked").size(), json::toString);
  }

  @Test
  void itRunsOnceWithinTheTransaction() throws SQLException {
    statement.execute("BEGIN");
    statement.execute("INSERT INTO `t' 1` VALUES (11, 11)");
    assertEquals(11, rows(tree("EXPLAIN ANALYZE SELECT b FROM `t' 1`")));
    statement.execute("ROLLBACK");
    assertTrue(statement.execute("TRACE EXPLAIN ANALYZE SELECT b FROM `t' 1`"));
    int ran = 0;
    try (ResultSet steps = statement.executeQuery("SHOW TRACE")) {
      assertTrue(steps.next(), "the statement itself");
      while (steps.next()) {
        String text = steps.getString("STATEMENT");
        assertFalse(text.startsWith("EXPLAIN ANALYZE"), text);
        ran += text.contains("UNION ALL") && !text.contains("EXPLAIN") ? 1 : 0;
      }
    }
    assertTrue(ran >= 2, "ran " + ran); // again, where a gate refused its snapshot
    assertEquals(10, rows(tree("EXPLAIN ANALYZE SELECT b FROM `t' 1`")));
  }

  /** What it did would stay with a connection that others get. */
  @Test
  void whatItWouldKeepForTheSessionIsRefused(Servers servers) throws SQLException {
    for (String sql :
        List.of(
            "SELECT @a := b FROM `t' 1`",
            "SELECT @a := b FROM one",
            "SELECT GET_LOCK('analyzed', 0)",
            "SELECT RELEASE_ALL_LOCKS()")) {
      SQLException refused =
          assertThrows(SQLException.class, () -> statement.execute("EXPLAIN ANALYZE " + sql));
      assertEquals(1235, refused.getErrorCode(), sql);
      assertTrue(statement.execute("EXPLAIN " + sql), sql);
    }
    try (Connection other = MiniCluster.connect(servers.cluster().port(), "", "");
        Statement theirs = other.createStatement()) {
      assertEquals("1", Servers.only(theirs, "SELECT IS_FREE_LOCK('analyzed')"));
    }
  }

  @Test
  void itBeginsATransactionAsItsSelectDoes(Servers servers) throws SQLException {
    statement.execute("SET autocommit = 0");
    tree("EXPLAIN ANALYZE SELECT b FROM `t' 1` FOR UPDATE");
    try (Connection other = MiniCluster.connect(servers.cluster().port(), "", "");
        Statement theirs = other.createStatement()) {
      theirs.execute("USE `" + SCHEMA.replace("`", "``") + "`");
      SQLException locked =
          assertThrows(
              SQLException.class,
              () -> theirs.execute("SELECT b FROM `t' 1` WHERE a = 3 FOR UPDATE NOWAIT"));
      assertEquals(3572, locked.getErrorCode(), locked.getMessage());
    }
    statement.execute("ROLLBACK");
  }

  @Test
  void writesAreRefusedAndDoNothing() throws SQLException {
    for (String sql :
        List.of(
            "UPDATE `t' 1` SET b = 99",
            "DELETE FROM `t' 1`",
            "INSERT INTO `t' 1` VALUES (20, 99)",
            "INSERT INTO `t' 1` SELECT a + 100, 99 FROM one")) {
      SQLException refused =
          assertThrows(SQLException.class, () -> statement.execute("EXPLAIN ANALYZE " + sql));
      assertEquals(1235, refused.getErrorCode(), sql);
    }
    assertEquals("10", Servers.only(statement, "SELECT COUNT(*) FROM `t' 1` WHERE b < 99"));
  }

  @Test
  void theDeadlineEndsIt() throws SQLException {
    statement.execute("SET max_execution_time = 300");
    SQLException late =
        assertThrows(
            SQLException.class,
            () -> statement.execute("EXPLAIN ANALYZE SELECT SLEEP(2) FROM `t' 1`"));
    assertEquals(3024, late.getErrorCode(), late.getMessage());
    statement.execute("SET max_execution_time = 0");
    assertEquals(10, rows(tree("EXPLAIN ANALYZE SELECT b FROM `t' 1`")));
  }

  @Test
  void rulesHoldForIt() throws SQLException {
    String rule =
        "CREATE CCL_RULE explained ON `" + SCHEMA.replace("`", "``") + "`.one FOR SELECT ";
    statement.execute(rule + "WITH MAX_CONCURRENCY = 0, WAIT_QUEUE_SIZE = 0");
    try {
      for (String analyze : List.of("EXPLAIN ANALYZE ", "explain /* */ analyze format=tree ")) {
        SQLException refused =
            assertThrows(SQLException.class, () -> tree(analyze + "SELECT * FROM one"));
        assertEquals(3009, refused.getErrorCode(), refused.getMessage());
      }
      assertTrue(tree("EXPLAIN FORMAT=TREE SELECT * FROM one").startsWith("-> "));
      assertEquals(10, rows(tree("EXPLAIN ANALYZE SELECT b FROM `t' 1`")));
    } finally {
      statement.execute("DROP CCL_RULE explained");
    }
  }

  @Test
  void killEndsIt(Servers servers) throws Exception {
    String id = Servers.only(statement, "SELECT CONNECTION_ID()");
    AtomicLong killedAt = new AtomicLong();
    Thread killer =
        Thread.ofVirtual()
            .start(() -> {
              try (Connection other = MiniCluster.connect(servers.cluster().port(), "", "");
                  Statement theirs = other.createStatement()) {
                String find =
                    "SELECT COUNT(*) FROM information_schema.processlist WHERE id = "
                        + id
                        + " AND info LIKE '%SLEEP(%'";
                while (Servers.only(theirs, find).equals("0")) {
                  Thread.onSpinWait();
                }
                killedAt.set(System.nanoTime());
                theirs.execute("KILL QUERY " + id);
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    SQLException killed =
        assertThrows(
            SQLException.class,
            () -> statement.execute("EXPLAIN ANALYZE SELECT SLEEP(9) FROM `t' 1`"));
    killer.join();
    assertTrue(System.nanoTime() - killedAt.get() < 8_000_000_000L);
    assertEquals(1317, killed.getErrorCode(), killed.getMessage());
    assertEquals(10, rows(tree("EXPLAIN ANALYZE SELECT b FROM `t' 1`")));
  }

  @Test
  void textsBesideTheStepsAreForWhoHasProcess(Servers servers) throws SQLException {
    String mine = tree("EXPLAIN ANALYZE SELECT b FROM `t' 1`");
    assertTrue(Pattern.compile("-> dn-\\d: ").matcher(mine).find(), mine);
    statement.execute("DROP USER IF EXISTS analyst");
    statement.execute("CREATE USER analyst IDENTIFIED BY 'x'");
    statement.execute("GRANT SELECT ON `t' 1` TO analyst");
    try (Connection other = MiniCluster.connect(servers.cluster().port(), "", "", "analyst", "x");
        Statement theirs = other.createStatement()) {
      theirs.execute("USE `" + SCHEMA.replace("`", "``") + "`");
      String tree = Servers.only(theirs, "EXPLAIN ANALYZE SELECT b FROM `t' 1`");
      assertEquals(10, rows(tree));
      assertFalse(Pattern.compile("-> dn-\\d: ").matcher(tree).find(), tree);
      assertTrue(tree.contains(", beside the steps  (actual"), tree);
      SQLException denied =
          assertThrows(
              SQLException.class, () -> theirs.execute("EXPLAIN ANALYZE SELECT b FROM one"));
      assertEquals(1142, denied.getErrorCode());
    } finally {
      statement.execute("DROP USER analyst");
    }
  }
}
