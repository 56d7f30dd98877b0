package io.alrai.e2e.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.e2e.Servers;
import io.alrai.testing.DatabaseNames;
import io.alrai.testing.MiniCluster;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * From each isolation to each other one, by each form of SET, before and within a transaction, over
 * one DN and over all: what is read, and which rows are locked by reads, as on a plain mysqld.
 */
@ExtendWith(Servers.Shared.class)
class IsolationLevelsIT {
  private static final int KEYS = 8;
  private static final int LOCKED = 3572;

  private static final List<String> LEVELS =
      List.of("READ UNCOMMITTED", "READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE");

  /** With the level as words, and as a value. */
  private static final List<String> FORMS =
      List.of(
          "SET SESSION TRANSACTION ISOLATION LEVEL %1$s",
          "SET LOCAL TRANSACTION READ WRITE, ISOLATION LEVEL %1$s",
          "SET SESSION transaction_isolation = '%2$s'",
          "SET @@SESSION.transaction_isolation = '%2$s'",
          "SET transaction_isolation = '%2$s'",
          "SET TRANSACTION ISOLATION LEVEL %1$s",
          "SET @@transaction_isolation = '%2$s'");

  private static final List<String> BEGINNINGS =
      List.of(
          "START TRANSACTION", "START TRANSACTION WITH CONSISTENT SNAPSHOT", "SET autocommit = 0");

  /** On one DN, and on all. */
  private static final List<String> READS =
      List.of("SELECT b FROM t WHERE a = 1", "SELECT SUM(b) FROM t");

  /** A session that is tested, and one that writes beside it. */
  private record Pair(Statement mine, Statement other, List<String> told) {
    void mine(String sql) throws SQLException {
      told.add(sql + ": " + answer(mine, sql));
    }

    /** Without waiting: rows that {@code mine} has locked are refused. */
    void other(String sql) throws SQLException {
      told.add("  " + sql + ": " + answer(other, sql));
    }

    /** Changes what {@code mine} has not locked. */
    void changes() throws SQLException {
      other.execute("BEGIN");
      for (int a : List.of(1, KEYS)) {
        String answer = answer(other, "SELECT 1 FROM t WHERE a = " + a + " FOR UPDATE NOWAIT");
        told.add("  lock " + a + ": " + answer);
        if (!answer.contains(Integer.toString(LOCKED))) {
          other.execute("UPDATE t SET b = b + 1 WHERE a = " + a);
        }
      }
      other.execute("COMMIT");
    }

    private static String answer(Statement statement, String sql) throws SQLException {
      try {
        if (!statement.execute(sql)) {
          return "done";
        }
        try (ResultSet rows = statement.getResultSet()) {
          return rows.next() ? rows.getString(1) : "no row";
        }
      } catch (SQLException e) {
        return "error " + e.getErrorCode();
      }
    }
  }

  private static String set(String form, String level) {
    return form.formatted(level, level.replace(' ', '-'));
  }

  private static void story(Pair pair, String from, String to, String form, String beginning)
      throws SQLException {
    pair.mine("SET SESSION TRANSACTION ISOLATION LEVEL " + from);
    pair.mine(beginning);
    for (String read : READS) {
      pair.mine(read);
      pair.changes();
    }
    pair.mine(set(form, to));
    pair.mine("SELECT @@transaction_isolation");
    for (String read : READS) {
      pair.mine(read);
      pair.changes();
      pair.mine(read);
    }
    pair.mine("COMMIT AND CHAIN");
    pair.mine(READS.getLast());
    pair.changes();
    pair.mine(READS.getLast());
    pair.mine("COMMIT");
    // the next transaction, whatever it was set by
    pair.mine(set(form, to));
    pair.mine(beginning);
    for (String read : READS) {
      pair.mine(read);
      pair.changes();
      pair.mine(read);
    }
    pair.mine("ROLLBACK");
    pair.mine(READS.getLast());
    pair.changes();
    pair.mine(READS.getLast());
    pair.mine("ROLLBACK");
    pair.mine("SET autocommit = 1");
  }

  /** What is not committed is seen by transactions that were begun so, and by no others. */
  private static void uncommitted(Pair pair, String from, String to, String form)
      throws SQLException {
    pair.mine("SET SESSION TRANSACTION ISOLATION LEVEL " + from);
    pair.mine("START TRANSACTION");
    pair.mine("SELECT b FROM t WHERE a = 2");
    pair.mine(set(form, to));
    pair.other("BEGIN");
    pair.other("UPDATE t SET b = b + 100 WHERE a IN (1, 3, 4, 5)");
    if (!from.equals("SERIALIZABLE")) { // which would wait
      pair.mine("SELECT b FROM t WHERE a = 1");
      pair.mine("SELECT SUM(b) FROM t");
    }
    pair.other("ROLLBACK");
    pair.mine("COMMIT");
  }

  private static List<String> told(int port, String schema, String beginning) throws SQLException {
    List<String> told = new ArrayList<>();
    try (Connection mine = MiniCluster.connect(port, schema, "");
        Connection other = MiniCluster.connect(port, schema, "");
        Statement one = mine.createStatement();
        Statement two = other.createStatement()) {
      Pair pair = new Pair(one, two, told);
      for (String from : LEVELS) {
        for (String to : LEVELS) {
          for (String form : FORMS) {
            story(pair, from, to, form, beginning);
            if (beginning.equals(BEGINNINGS.getFirst())) {
              uncommitted(pair, from, to, form);
            }
          }
        }
      }
    }
    return told;
  }

  @Test
  void asOnAPlainServer(Servers servers) throws SQLException {
    String schema = DatabaseNames.of("levels");
    for (String beginning : BEGINNINGS) {
      List<List<String>> all = new ArrayList<>();
      for (int port : List.of(servers.plain().port(), servers.cluster().port())) {
        Servers.freshRows(port, schema, KEYS, 0);
        all.add(told(port, schema, beginning));
      }
      List<String> plain = all.getFirst();
      List<String> alrai = all.getLast();
      int first = 0;
      while (first < Math.min(plain.size(), alrai.size())
          && plain.get(first).equals(alrai.get(first))) {
        first++;
      }
      int from = Math.max(0, first - 20);
      assertEquals(
          plain.subList(from, Math.min(plain.size(), first + 5)),
          alrai.subList(from, Math.min(alrai.size(), first + 5)),
          beginning);
    }
  }
}
