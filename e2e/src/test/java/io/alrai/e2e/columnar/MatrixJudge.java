package io.alrai.e2e.columnar;

import io.alrai.common.thread.Pause;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Evaluates expressions on both servers, many in one SELECT where they allow it. One thread. */
final class MatrixJudge {
  /** What {@link #judge} says of an expression that column indexes answer as a mysqld does. */
  static final String SAME = "same";

  /** The verdict on one that they take and leave while it runs. */
  static final String LEFT = "left while it runs";

  /** The verdict on one that fails over all rows, tame ones too. */
  static final String FAILS = "fails in MySQL";

  /** The verdict on one whose answer differs. */
  static final String DIFFERENT = "different";

  private static final int ATTEMPTS = 10;
  private static final long AGAIN_MILLIS = 200;

  private final MatrixSessions sessions;
  private final List<String> differences = new ArrayList<>();
  private final Map<String, String> verdicts = new HashMap<>();

  MatrixJudge(MatrixSessions sessions) {
    this.sessions = sessions;
  }

  /** What was different, with both answers. */
  List<String> differences() {
    return differences;
  }

  /** A verdict on each expression over {@code m}: one of the constants, or EXPLAIN's reason. */
  Map<String, String> judge(List<String> expressions) throws SQLException {
    verdicts.clear();
    pack(expressions, "");
    return Map.copyOf(verdicts);
  }

  private static String select(List<String> expressions, String where) {
    // with labels of its own each has a shape of its own: what is known of one is not of others
    String labelled =
        expressions.stream()
            .map(each -> each + " AS e" + Integer.toUnsignedString(each.hashCode()))
            .collect(Collectors.joining(", "));
    return "SELECT id, " + labelled + " FROM m " + where + "ORDER BY id";
  }

  private void pack(List<String> expressions, String where) throws SQLException {
    String sql = select(expressions, where);
    MatrixSessions.Answer expected = sessions.plain(sql);
    if (expressions.size() > 1 && expected.error() != 0) {
      halves(expressions, where);
      return;
    }
    MatrixSessions.Answer actual = sessions.alrai(sql);
    boolean byColumns = sessions.byColumns();
    if (expressions.size() > 1 && !actual.equals(expected)) {
      int before = differences.size();
      halves(expressions, where);
      if (differences.size() == before) {
        different(sql, expected, actual); // only beside each other
      }
    } else if (!actual.equals(expected)) {
      different(sql, expected, actual);
      verdicts.put(expressions.getFirst(), DIFFERENT);
    } else if (expected.error() != 0) {
      if (where.isEmpty()) {
        pack(expressions, "WHERE id <= " + MatrixSessions.TAME_ROWS + " ");
      } else {
        verdicts.put(expressions.getFirst(), FAILS);
      }
    } else if (byColumns) {
      expressions.forEach(each -> verdicts.put(each, SAME));
    } else {
      byRows(expressions, where);
    }
  }

  private void halves(List<String> expressions, String where) throws SQLException {
    int half = expressions.size() / 2;
    pack(expressions.subList(0, half), where);
    pack(expressions.subList(half, expressions.size()), where);
  }

  /** The rows have answered: because of which of them? */
  private void byRows(List<String> expressions, String where) throws SQLException {
    List<String> taken = new ArrayList<>();
    for (String expression : expressions) {
      String reason = sessions.reason(select(List.of(expression), where));
      if (reason.isEmpty()) {
        taken.add(expression);
      } else {
        verdicts.put(expression, reason);
      }
    }
    if (taken.size() == expressions.size() && taken.size() == 1) {
      String sql = select(taken, where);
      Optional<String> left = sessions.leftReason(sql);
      if (left.isPresent()) {
        verdicts.put(taken.getFirst(), LEFT + ": " + left.get());
      } else if (soonByColumns(sql)) {
        verdicts.put(taken.getFirst(), SAME);
      } else {
        differences.add("EXPLAIN does not say why the rows answer " + sql);
      }
    } else if (taken.size() == expressions.size()) {
      halves(taken, where);
    } else if (!taken.isEmpty()) {
      pack(taken, where);
    }
  }

  /** The index was being built when it was asked first, or could not catch up for a moment. */
  private boolean soonByColumns(String sql) throws SQLException {
    for (int i = 0; i < ATTEMPTS; i++) {
      if (same(sql)) {
        return true;
      }
      Pause.ofMillis(AGAIN_MILLIS);
    }
    return false;
  }

  /** Compares one SELECT; whether column indexes have answered it. */
  boolean same(String sql) throws SQLException {
    MatrixSessions.Answer expected = sessions.plain(sql);
    MatrixSessions.Answer actual = sessions.alrai(sql);
    if (!actual.equals(expected)) {
      different(sql, expected, actual);
    }
    return sessions.byColumns();
  }

  private void different(String sql, MatrixSessions.Answer expected, MatrixSessions.Answer actual) {
    List<String> lines = new ArrayList<>();
    if (expected.error() != actual.error()) {
      lines.add("error " + expected.error() + " here " + actual.error());
    }
    List<String> missing = new ArrayList<>(expected.rows());
    missing.removeAll(actual.rows());
    List<String> surplus = new ArrayList<>(actual.rows());
    surplus.removeAll(expected.rows());
    missing.stream().limit(3).forEach(row -> lines.add("mysqld " + row));
    surplus.stream().limit(3).forEach(row -> lines.add("alrai  " + row));
    if (lines.isEmpty()) {
      lines.add("another order or other numbers of rows");
    }
    differences.add(sql + "\n  " + String.join("\n  ", lines));
  }
}
