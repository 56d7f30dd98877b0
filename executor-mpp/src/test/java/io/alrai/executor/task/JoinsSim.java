package io.alrai.executor.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.id.PhysicalSchema;
import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.PlanNode;
import io.alrai.executor.fragment.PlanNode.JoinKind;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.Targets;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Joins over random rows against nested loops. */
class JoinsSim extends RandomTables {
  @Test
  void joinsOfAllKinds() {
    for (JoinKind kind : List.of(JoinKind.INNER, JoinKind.LEFT, JoinKind.SEMI, JoinKind.ANTI)) {
      for (boolean keyed : new boolean[] {true, false}) {
        for (boolean residual : new boolean[] {true, false}) {
          assertEquals(
              counts(joined(kind, keyed, residual)),
              counts(bench.run(join(kind, rightScan, keyed, residual))),
              kind + " keyed " + keyed + " residual " + residual);
        }
      }
    }
  }

  @Test
  void notInKnowsNulls() {
    PlanNode keyed =
        new PlanNode.Filter(rightScan, Scalar.call(ScalarFunction.IS_NOT_NULL, of(rightScan, 0)));
    PlanNode none =
        new PlanNode.Filter(
            rightScan, Scalar.call(ScalarFunction.LESS, of(rightScan, 0), Scalar.whole(-1)));
    assertEquals(
        counts(joined(JoinKind.NULL_AWARE_ANTI, true, false)),
        counts(bench.run(join(JoinKind.NULL_AWARE_ANTI, rightScan, true, false))));
    right.removeIf(row -> row.get(0) == null);
    assertEquals(
        counts(joined(JoinKind.NULL_AWARE_ANTI, true, false)),
        counts(bench.run(join(JoinKind.NULL_AWARE_ANTI, keyed, true, false))));
    assertEquals(
        counts(left), counts(bench.run(join(JoinKind.NULL_AWARE_ANTI, none, true, false))));
  }

  /** A join in a join's body, with strings as keys. */
  @Test
  void joinsInsideJoins() {
    PlanNode first = join(JoinKind.LEFT, rightScan, true, false);
    for (JoinKind kind : List.of(JoinKind.INNER, JoinKind.LEFT, JoinKind.SEMI, JoinKind.ANTI)) {
      PlanNode plan =
          new PlanNode.HashJoin(
              kind,
              first,
              leftScan,
              List.of(of(first, 2), of(first, 1)),
              List.of(of(leftScan, 2), of(leftScan, 1)),
              Optional.empty(),
              OptionalInt.empty());
      List<List<Object>> expected = new ArrayList<>();
      for (List<Object> row : joined(JoinKind.LEFT, true, false)) {
        List<List<Object>> partners =
            left.stream()
                .filter(l -> equal(row.get(2), l.get(2)) && equal(row.get(1), l.get(1)))
                .toList();
        switch (kind) {
          case SEMI -> partners.stream().limit(1).forEach(l -> expected.add(row));
          case ANTI -> expected.addAll(partners.isEmpty() ? List.of(row) : List.of());
          default -> {
            partners.forEach(l -> expected.add(pair(row, l)));
            if (kind == JoinKind.LEFT && partners.isEmpty()) {
              expected.add(pair(row, Arrays.asList(null, null, null)));
            }
          }
        }
      }
      assertEquals(counts(expected), counts(bench.run(plan)), kind.toString());
    }
  }

  @Test
  void rowsOfTheRowStoreJoinThoseOfAColumnIndex() {
    SqlTemplate sql = new SqlTemplate(List.of(new SqlTemplate.Piece.Text("SELECT k, p, s FROM r")));
    PlanNode.RowStoreScan scan =
        new PlanNode.RowStoreScan(
            new Targets.AnyDn(PhysicalSchema.NONE, true), sql, rightScan.columns());
    bench.shards.put(sql, right.stream().map(JoinsSim::constants).toList());
    assertEquals(counts(right), counts(bench.run(scan)));
    assertEquals(
        counts(joined(JoinKind.INNER, true, true)),
        counts(bench.run(join(JoinKind.INNER, scan, true, true))));
  }

  private static List<Constant> constants(List<Object> row) {
    List<Constant> constants = new ArrayList<>();
    for (Object value : row) {
      constants.add(
          switch (value) {
            case null -> new Constant.Null();
            case Long whole -> new Constant.Whole(whole);
            case BigDecimal exact -> new Constant.Exact(exact);
            default -> new Constant.Text((String) value);
          });
    }
    return constants;
  }
}
