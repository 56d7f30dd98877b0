package io.alrai.e2e.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.e2e.Servers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Each operation over each pair of column types says on column indexes what it says on a plain
 * mysqld, or is left to the row store; the ledger in {@code columnar/expressions.ledger} has which,
 * and {@code -Dmatrix.record=true} writes it. {@code -Dmatrix.expressions=n} says how many random
 * expressions there are for each seed, {@code -Dmatrix.seeds=n} how many fresh seeds, {@code
 * -Dmatrix.seed=n} repeats those of one.
 */
@ExtendWith(Servers.Shared.class)
@Timeout(value = 12, unit = TimeUnit.HOURS)
class ExpressionMatrixIT {
  private static final Path FOUND = Path.of("src/test/resources/columnar/found.sql");
  private static final int MOST_SHOWN = 60;
  private static final int PACK = 16;
  private static final int EXPRESSIONS = 600;

  @Test
  void everyOperationOverEveryPairOfTypes(Servers servers) throws SQLException, IOException {
    boolean record = Boolean.getBoolean("matrix.record");
    MatrixLedger recorded = record ? new MatrixLedger() : MatrixLedger.recorded();
    MatrixLedger ledger = new MatrixLedger();
    List<String> differences;
    Set<String> lost;
    long start = System.nanoTime();
    try (MatrixSessions sessions = MatrixSessions.open(servers, 1)) {
      MatrixJudge judge = new MatrixJudge(sessions);
      for (Line line : lines()) {
        ledger.add(line.name(), line.judged(judge));
      }
      lost = ledger.lostSince(recorded);
      // a machine that has no time for an index leaves it to the rows: once more
      for (Line line : lines()) {
        if (lost.contains(line.name())) {
          ledger.add(line.name(), line.judged(judge));
        }
      }
      lost = ledger.lostSince(recorded);
      differences = judge.differences();
    }
    System.out.printf(
        "expressions of the matrix: %d, the same by columns %d, recorded %d, different %d, in %d s%n",
        ledger.cells(), ledger.same(), recorded.same(), differences.size(), seconds(start));
    if (record) {
      ledger.record();
    }
    shown(differences);
    assertEquals(Set.of(), lost, "column indexes answered more of these before");
  }

  /**
   * Expressions of an operation, one for each column.
   *
   * @param left the left operand, where there are two
   */
  private record Line(MatrixOperation operation, List<MatrixColumn> left) {
    String name() {
      return left.isEmpty() ? operation.name() : operation.name() + " " + left.getFirst().name();
    }

    List<String> judged(MatrixJudge judge) throws SQLException {
      List<String> expressions = new ArrayList<>();
      for (MatrixColumn column : left.isEmpty() ? MatrixColumn.ALL : MatrixColumn.READ) {
        expressions.add(
            operation
                .of(
                    Stream.concat(left.stream(), Stream.of(column))
                        .map(MatrixColumn::name)
                        .toArray(String[]::new))
                .replace("@.", ""));
      }
      List<String> verdicts = new ArrayList<>();
      for (int from = 0; from < expressions.size(); from += PACK) {
        List<String> pack = expressions.subList(from, Math.min(from + PACK, expressions.size()));
        Map<String, String> judged = judge.judge(pack);
        pack.forEach(each -> verdicts.add(String.valueOf(judged.get(each))));
      }
      return verdicts;
    }
  }

  private static List<Line> lines() {
    List<Line> lines = new ArrayList<>();
    MatrixOperation.UNARY.forEach(operation -> lines.add(new Line(operation, List.of())));
    for (MatrixOperation operation : MatrixOperation.BINARY) {
      MatrixColumn.READ.forEach(left -> lines.add(new Line(operation, List.of(left))));
    }
    return lines;
  }

  /** Expressions inside each other in all places of a SELECT, with a fixed and a fresh seed. */
  @Test
  void expressionsInAllPlaces(Servers servers) throws SQLException {
    for (long seed : seeds()) {
      int count = Integer.getInteger("matrix.expressions", EXPRESSIONS);
      int byColumns = 0;
      long start = System.nanoTime();
      List<String> differences;
      try (MatrixSessions sessions = MatrixSessions.open(servers, seed)) {
        MatrixJudge judge = new MatrixJudge(sessions);
        MatrixDice dice = new MatrixDice(new Random(seed));
        for (int i = 0; i < count && judge.differences().size() < MOST_SHOWN; i++) {
          byColumns += judge.same(dice.select()) ? 1 : 0;
        }
        differences = judge.differences();
      }
      System.out.printf(
          "random expressions with -Dmatrix.seed=%d: %d, by columns %d, different %d, in %d s%n",
          seed, count, byColumns, differences.size(), seconds(start));
      shown(differences);
      assertTrue(byColumns > count / 5, byColumns + " of " + count + " by columns");
    }
  }

  /** SELECTs that were different once, on the columns and on the rows. */
  @Test
  void whatChanceHasFound(Servers servers) throws SQLException, IOException {
    try (MatrixSessions sessions = MatrixSessions.open(servers, 1)) {
      MatrixJudge judge = new MatrixJudge(sessions);
      for (String workload : List.of("AP", "TP")) {
        sessions.workload(workload);
        for (String sql : Files.readAllLines(FOUND)) {
          judge.same(sql);
        }
      }
      shown(judge.differences());
    }
  }

  /**
   * What a predicate takes, its negation takes and what it is NULL for are all rows, and as many as
   * where it is a value: on the columns and on the rows, without another server.
   */
  @Test
  void predicatesDivideTheRows(Servers servers) throws SQLException {
    for (long seed : seeds()) {
      int count = Integer.getInteger("matrix.expressions", EXPRESSIONS) / 4;
      int answered = 0;
      List<String> differences = new ArrayList<>();
      try (MatrixSessions sessions = MatrixSessions.open(servers, seed)) {
        MatrixDice dice = new MatrixDice(new Random(seed));
        for (int i = 0; i < count && differences.size() < MOST_SHOWN; i++) {
          String predicate = dice.predicate();
          for (String workload : List.of("AP", "TP")) {
            sessions.workload(workload);
            List<Long> counts = counts(sessions, predicate);
            answered += counts.isEmpty() ? 0 : 1;
            if (!counts.isEmpty() && !isDivided(counts)) {
              differences.add(
                  workload
                      + ": "
                      + predicate
                      + ": all, true, false, NULL, true as a value: "
                      + counts);
            }
          }
        }
      }
      System.out.printf(
          "predicates with -Dmatrix.seed=%d: %d, without errors %d of %d%n",
          seed, count, answered, 2 * count);
      shown(differences);
      assertTrue(answered > count / 5, answered + " of " + 2 * count + " without errors");
    }
  }

  /** Counts of all rows, and of those that it takes in each way; empty where one of these fails. */
  private static List<Long> counts(MatrixSessions sessions, String predicate) {
    String from = "FROM m JOIN o ON m.id = o.id + 1";
    String count = "SELECT COUNT(*) " + from;
    List<MatrixSessions.Answer> parts = new ArrayList<>();
    for (String where :
        List.of(
            "",
            " WHERE " + predicate,
            " WHERE NOT (" + predicate + ")",
            " WHERE (" + predicate + ") IS NULL")) {
      parts.add(sessions.alrai(count + where));
    }
    parts.add(sessions.alrai("SELECT SUM((" + predicate + ") IS TRUE) " + from));
    if (parts.stream().anyMatch(part -> part.error() != 0)) {
      return List.of();
    }
    return parts.stream().map(part -> Long.valueOf(part.rows().getFirst())).toList();
  }

  private static boolean isDivided(List<Long> counts) {
    return counts.get(0) == counts.get(1) + counts.get(2) + counts.get(3)
        && counts.get(1).equals(counts.get(4));
  }

  private static List<Long> seeds() {
    Long given = Long.getLong("matrix.seed");
    if (given != null) {
      return List.of(given);
    }
    Random fresh = new Random();
    int count = Integer.getInteger("matrix.seeds", 1);
    return Stream.concat(Stream.of(1L), Stream.generate(fresh::nextLong).limit(count)).toList();
  }

  private static long seconds(long start) {
    return (System.nanoTime() - start) / 1_000_000_000;
  }

  private static void shown(List<String> differences) {
    int count = differences.size();
    assertEquals(
        0,
        count,
        () ->
            count
                + " differences\n"
                + String.join("\n", differences.subList(0, Math.min(count, MOST_SHOWN))));
  }
}
