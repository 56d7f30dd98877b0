package io.alrai.e2e.deadlock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.testing.ClusterProcess;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** What sessions of one CN see of those of another, and do to them. */
final class SeenSessions {
  private static final String USER = "_%'\"` é漢.x";
  private static final String MARK = "/* _%'\"` é漢 \\ */";
  private static final long SOON_MILLIS = 2_500;

  /** ALRAI_NODE_UNAVAILABLE: somebody has not answered within a second. */
  private static final int SILENT = 8501;

  /** How often all are asked again because somebody was late, as on a busy machine. */
  private static final int MOST_TURNS = 20;

  private final String schema;
  private final int one;
  private final int two;

  SeenSessions(int one, int two, String schema) {
    this.one = one;
    this.two = two;
    this.schema = schema;
  }

  void check() throws Exception {
    try (Connection root = connect(one, "root", "");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      String quoted = "'" + USER.replace("'", "''") + "'@'%'";
      run(root, "CREATE USER " + quoted + " IDENTIFIED BY 'p'");
      run(root, "GRANT SELECT, UPDATE ON " + schema + ".* TO " + quoted);
      ClusterProcess.await("the account at the other CN", () -> known(two));
      processlists(root, threads);
      rights(root);
      transactions(root);
      lockWaits(root, threads);
      digests(root);
    }
  }

  private boolean known(int port) {
    try (Connection connection = connect(port, USER, "p")) {
      return !rows(connection, "SELECT a FROM " + schema + ".t").isEmpty();
    } catch (SQLException e) {
      return false;
    }
  }

  private void processlists(Connection root, ExecutorService threads) throws Exception {
    try (Connection other = connect(two, USER, "p")) {
      long id = id(other);
      String sql = "SELECT SLEEP(30) " + MARK;
      Future<List<List<String>>> asleep = threads.submit(() -> rows(other, sql));
      ClusterProcess.await("the statement at the other CN", () -> sees(root, id, sql));
      for (String table : List.of("information_schema", "performance_schema")) {
        String query = "SELECT ID, USER, INFO FROM " + table + ".processlist WHERE USER = ?";
        try (PreparedStatement statement = root.prepareStatement(query)) {
          statement.setString(1, USER);
          assertEquals(List.of(List.of("" + id, USER, sql)), whole(root, statement), table);
        }
      }
      List<List<String>> cut =
          whole(root, "SHOW PROCESSLIST").stream()
              .filter(row -> row.get(0).equals("" + id))
              .toList();
      assertEquals(List.of(sql), List.of(cut.getFirst().get(7)));
      assertTrue(
          rows(root, "SHOW NODES").stream()
              .filter(row -> row.get(0).equals("cn-2"))
              .allMatch(row -> in(row.get(4), id)));
      try (Connection same = connect(one, USER, "p")) {
        assertEquals(
            List.of(USER, USER),
            whole(same, "SHOW PROCESSLIST").stream().map(r -> r.get(1)).toList());
        kill(same, "KILL QUERY " + id); // its own
      }
      assertEquals(List.of(List.of("1")), asleep.get(10, TimeUnit.SECONDS));
      kill(root, "KILL " + id);
      ClusterProcess.await("the end of the session", () -> !other(other));
      assertEquals(1094, error(root, "KILL " + id));
    }
  }

  private static boolean other(Connection connection) {
    try {
      return connection.isValid(1);
    } catch (SQLException e) {
      return false;
    }
  }

  private boolean sees(Connection root, long id, String sql) {
    try {
      return rows(root, "SHOW FULL PROCESSLIST").stream()
          .anyMatch(row -> row.get(0).equals("" + id) && sql.equals(row.get(7)));
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private static boolean in(String range, long id) {
    String[] ends = range.split("-");
    return Long.parseLong(ends[0]) <= id && id <= Long.parseLong(ends[1]);
  }

  private void rights(Connection root) throws Exception {
    try (Connection strange = connect(one, USER, "p");
        Connection victim = connect(two, "root", "")) {
      assertEquals(1095, error(strange, "KILL " + id(victim)));
      assertEquals(1095, error(strange, "KILL QUERY " + id(victim)));
      assertEquals(1094, error(root, "KILL " + (id(victim) + 1_000)));
      assertEquals(1094, error(root, "KILL " + (77 << 21)));
      assertEquals(1094, error(root, "KILL 'x'"));
      assertTrue(victim.isValid(1));
    }
  }

  private void transactions(Connection root) throws Exception {
    try (Connection other = connect(two, "root", "")) {
      run(other, "BEGIN");
      run(other, "UPDATE " + schema + ".t SET b = b + 1 WHERE a = 1");
      List<List<String>> all = whole(root, "SHOW TRANS");
      assertEquals(1, all.size(), all.toString());
      assertEquals("" + id(other), all.getFirst().get(0));
      assertEquals("cn-2", all.getFirst().get(6));
      run(other, "ROLLBACK");
    }
  }

  /** Who holds the row that another waits for, at another CN than both are asked at. */
  private void lockWaits(Connection root, ExecutorService threads) throws Exception {
    try (Connection holder = connect(two, "root", "");
        Connection waiter = connect(two, USER, "p")) {
      assertEquals(List.of(), whole(root, "SELECT * FROM sys.innodb_lock_waits"));
      run(holder, "BEGIN");
      run(holder, "UPDATE " + schema + ".t SET b = 7 WHERE a = 2");
      String sql = "UPDATE " + schema + ".t SET b = 8 WHERE a = 2 " + MARK;
      Future<?> waits =
          threads.submit(() -> {
            run(waiter, sql);
            return true;
          });
      String query =
          "SELECT locked_table, waiting_pid, waiting_query, blocking_pid, blocking_query,"
              + " sql_kill_blocking_connection FROM sys.innodb_lock_waits";
      ClusterProcess.await("the wait", () -> !all(root, query).isEmpty());
      long id = id(holder);
      String table = "`" + schema + "`.`t`";
      assertEquals(
          List.of(Arrays.asList(table, "" + id(root, sql), sql, "" + id, null, "KILL " + id)),
          whole(root, query));
      kill(root, "KILL " + id);
      waits.get(10, TimeUnit.SECONDS);
    }
  }

  private static long id(Connection root, String sql) throws SQLException {
    return whole(root, "SHOW FULL PROCESSLIST").stream()
        .filter(row -> sql.equals(row.get(7)))
        .mapToLong(row -> Long.parseLong(row.get(0)))
        .findFirst()
        .orElseThrow();
  }

  private static List<List<String>> all(Connection connection, String sql) {
    try {
      return rows(connection, sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** A CN that has stopped, and one that dies between the question and its answer. */
  void checkSilence(ProcessHandle cn) throws Exception {
    try (Connection root = connect(one, "root", "");
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        Connection other = connect(two, "root", "")) {
      long id = id(other);
      ClusterProcess.pause(cn);
      SQLException unanswered = assertThrows(SQLException.class, () -> run(root, "KILL " + id));
      assertEquals(SILENT, unanswered.getErrorCode(), unanswered.toString());
      assertTrue(unanswered.getMessage().contains("'cn-2'"), unanswered.getMessage());
      long before = System.nanoTime();
      List<List<String>> seen = rows(root, "SHOW PROCESSLIST");
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
      System.out.println("answered without cn-2 after " + millis + " ms");
      assertTrue(millis < SOON_MILLIS, millis + " ms");
      assertFalse(seen.isEmpty());
      warned(root);
      rows(root, "SELECT * FROM information_schema.processlist");
      warned(root);
      rows(root, "SELECT * FROM performance_schema.events_statements_summary_by_digest");
      warned(root);
      assertTrue(
          Long.parseLong(rows(root, "SHOW STATUS LIKE 'Alrai_silent_nodes%'").get(0).get(1)) >= 3);
      ClusterProcess.resume(cn);
      assertTrue(
          whole(root, "SHOW PROCESSLIST").stream().anyMatch(row -> row.get(0).equals("" + id)));
      assertEquals(id, id(other), "a KILL that came too late has ended it");
      ClusterProcess.pause(cn);
      Future<List<List<String>>> asked = threads.submit(() -> rows(root, "SHOW TRANS"));
      ClusterProcess.kill(cn);
      asked.get(5, TimeUnit.SECONDS);
      before = System.nanoTime();
      rows(root, "SHOW PROCESSLIST");
      millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
      assertTrue(millis < SOON_MILLIS, millis + " ms behind its death");
    }
  }

  /** Sums over both CNs: counts, errors, rows, times, and all counts of the histogram. */
  private void digests(Connection root) throws SQLException {
    String summary = "performance_schema.events_statements_summary_by_digest";
    everywhere(root, "TRUNCATE TABLE " + summary);
    String missing = "SELECT nothing_" + schema + " FROM " + schema + ".t WHERE a = ";
    for (int port : List.of(one, two, two)) {
      try (Connection connection = connect(port, "root", "")) {
        rows(connection, "SELECT a, b FROM " + schema + ".t WHERE a < " + port);
        assertEquals(1054, error(connection, missing + port));
      }
    }
    String here = " WHERE DIGEST_TEXT LIKE 'SELECT%`" + schema + "` . `t` WHERE `a` %'";
    assertEquals(
        List.of(List.of("3", "0", "1", "1", "1"), List.of("3", "3", "1", "1", "1")),
        whole(
            root,
            "SELECT COUNT_STAR, SUM_ERRORS, SUM_TIMER_WAIT >= MIN_TIMER_WAIT + MAX_TIMER_WAIT,"
                + " FIRST_SEEN <= LAST_SEEN, QUANTILE_999 >= QUANTILE_95 FROM "
                + summary
                + here
                + " ORDER BY SUM_ERRORS"));
    assertEquals(
        List.of(List.of("6")),
        whole(
            root,
            "SELECT SUM(COUNT_BUCKET) FROM performance_schema.events_statements_histogram_by_digest"
                + " WHERE DIGEST IN (SELECT DIGEST FROM "
                + summary
                + here
                + ")"));
    assertEquals(
        List.of(List.of("3", "0"), List.of("3", "3")),
        whole(
            root,
            "SELECT exec_count, err_count FROM sys.statement_analysis"
                + " WHERE query LIKE 'SELECT%`t`%' ORDER BY err_count"));
    try (Connection other = connect(two, "root", "")) {
      everywhere(other, "TRUNCATE TABLE " + summary);
    }
    assertEquals(List.of(), whole(root, "SELECT DIGEST FROM " + summary + here));
  }

  private static void everywhere(Connection connection, String sql) throws SQLException {
    int turn = 0;
    do {
      run(connection, sql);
    } while (!warnings(connection).isEmpty() && turn++ < MOST_TURNS);
  }

  private static void warned(Connection root) throws SQLException {
    assertEquals(Map.of(SILENT + " CN 'cn-2'", 1L), warnings(root));
  }

  /** How many warnings there are of each code and CN. */
  private static Map<String, Long> warnings(Connection connection) throws SQLException {
    return rows(connection, "SHOW WARNINGS").stream()
        .map(row -> row.get(1) + " " + row.get(2).replaceFirst("^(CN '[^']*').*", "$1"))
        .collect(Collectors.groupingBy(named -> named, Collectors.counting()));
  }

  private static List<List<String>> whole(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return whole(connection, statement);
    }
  }

  /** The first answer that nobody is missing in. */
  private static List<List<String>> whole(Connection connection, PreparedStatement statement)
      throws SQLException {
    for (int turn = 1; ; turn++) {
      List<List<String>> found = rows(statement.executeQuery());
      Map<String, Long> warnings = warnings(connection);
      if (warnings.isEmpty()) {
        return found;
      }
      assertTrue(
          turn < MOST_TURNS
              && warnings.keySet().stream().allMatch(of -> of.startsWith("" + SILENT)),
          warnings.toString());
    }
  }

  private static Connection connect(int port, String user, String password) throws SQLException {
    Properties login = new Properties();
    login.put("user", user);
    login.put("password", password);
    return DriverManager.getConnection("jdbc:mysql://127.0.0.1:" + port + "/", login);
  }

  private static long id(Connection connection) throws SQLException {
    return Long.parseLong(rows(connection, "SELECT CONNECTION_ID()").getFirst().getFirst());
  }

  private static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int error(Connection connection, String sql) {
    return codes(connection, sql).getLast();
  }

  /** KILL, also where the answer to the first that ended it was late. */
  private static void kill(Connection connection, String sql) {
    List<Integer> codes = codes(connection, sql);
    int last = codes.getLast();
    assertTrue(last == 0 || last == 1094 && codes.size() > 1, sql + ": " + codes);
  }

  /** The error of each turn, 0 for none; another turn comes only where somebody was late. */
  private static List<Integer> codes(Connection connection, String sql) {
    List<Integer> codes = new ArrayList<>();
    do {
      try {
        run(connection, sql);
        codes.add(0);
      } catch (SQLException e) {
        codes.add(e.getErrorCode());
      }
    } while (codes.getLast() == SILENT && codes.size() < MOST_TURNS);
    return codes;
  }

  private static List<List<String>> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return rows(statement.executeQuery(sql));
    }
  }

  private static List<List<String>> rows(ResultSet found) throws SQLException {
    List<List<String>> rows = new ArrayList<>();
    try (ResultSet all = found) {
      while (all.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= all.getMetaData().getColumnCount(); i++) {
          row.add(all.getString(i));
        }
        rows.add(row);
      }
    }
    return rows;
  }
}
