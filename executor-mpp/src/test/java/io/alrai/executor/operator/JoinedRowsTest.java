package io.alrai.executor.operator;

import static io.alrai.executor.operator.ListRows.column;
import static io.alrai.executor.operator.ListRows.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.GatherPlan.Source;
import io.alrai.executor.fragment.JoinPlan;
import io.alrai.executor.fragment.JoinPlan.KeyPair;
import io.alrai.executor.fragment.JoinPlan.Member;
import io.alrai.executor.fragment.MergePlan.Limit;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.MergePlan.SortKey;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.Targets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JoinedRowsTest {
  private static final List<ColumnDefinition> INT_AND_TEXT =
      List.of(column("n", MysqlType.INT), column("t", MysqlType.VARCHAR));
  private static final List<ColumnDefinition> TEXT_AND_WEIGHT =
      List.of(column("t", MysqlType.VARCHAR), column("w", MysqlType.VARCHAR));

  private final Merger merger = new Merger(OperatorBudget.standard());

  @Test
  void innerJoinGivesAllPairsOfEqualKeys() {
    HeldRows left = held(ints("1", "a", "2", "b", "3", "c", null, "d", "2", "e"));
    HeldRows right = held(ints("2", "x", "02", "y", "4", "z", null, "n"));
    assertEquals(
        List.of("b,x", "b,y", "e,x", "e,y"),
        read(join(plan(member(false), List.of(1, 3)), left, right)));
  }

  @Test
  void outerJoinKeepsRowsWithoutPartner() {
    HeldRows left = held(ints("1", "a", "2", "b", null, "d"));
    HeldRows right = held(ints("2", "x"));
    assertEquals(
        List.of("1,a,NULL,NULL", "2,b,2,x", "NULL,d,NULL,NULL"),
        read(join(plan(member(true), List.of(0, 1, 2, 3)), left, right)));
  }

  @Test
  void rowsWithoutPartnerAlone() {
    JoinPlan plan =
        new JoinPlan(
            List.of(member(false), member(true)),
            List.of(2),
            List.of(1),
            1,
            Optional.empty(),
            List.of(),
            Optional.empty());
    assertEquals(
        List.of("a", "d"),
        read(join(plan, held(ints("1", "a", "2", "b", null, "d")), held(ints("2", "x")))));
  }

  @Test
  void tableThatNoShardWasAskedForHasNoRows() {
    HeldRows left = held(ints("1", "a"));
    assertEquals(
        List.of("a,NULL"), read(join(plan(member(true), List.of(1, 3)), left, new HeldRows(2))));
    assertEquals(List.of(), read(join(plan(member(false), List.of(1, 3)), left, new HeldRows(2))));
  }

  @Test
  void stringsAreEqualByTheirWeights() {
    HeldRows left = held(rows(TEXT_AND_WEIGHT, "a", "1", "B", "2", "ä", "1"));
    HeldRows right = held(rows(TEXT_AND_WEIGHT, "A", "1", "b", "2", "c", "3"));
    Member second =
        new Member(source(), 2, false, List.of(new KeyPair(new RowKey(0, 1), new RowKey(0, 1))));
    assertEquals(
        List.of("a,A", "B,b", "ä,A"), read(join(plan(second, List.of(0, 2)), left, right)));
  }

  @Test
  void rowsAreSortedCutAndRidOfHiddenColumns() {
    HeldRows left = held(ints("1", "a", "2", "b", "3", "c"));
    HeldRows right = held(ints("1", "z", "2", "y", "3", "x"));
    JoinPlan plan =
        new JoinPlan(
            List.of(member(false), member(false)),
            List.of(),
            List.of(1, 3),
            1,
            Optional.empty(),
            List.of(new SortKey(new RowKey(1, -1), false)),
            Optional.of(new Limit(-1, 1, 0, 0)));
    RowSource rows = merger.join(plan, new FixedSlots(List.of(5L)), List.of(left, right), () -> {});
    assertEquals(1, rows.columns().size());
    assertEquals(List.of("b", "a"), read(rows));
  }

  @Test
  void rowsAreTakenUntilThereIsNoMoreRoom() {
    HeldRows held = new HeldRows(2);
    ListRows all = ints("1", "a", "2", "b", "3", "c", "4", "d");
    assertTrue(held.add(all, 15) > 15);
    assertEquals(1, all.taken());
  }

  @Test
  void tableThatHasChangedSinceIsAnError() {
    HeldRows held = new HeldRows(3);
    AlraiException error =
        assertThrows(AlraiException.class, () -> held.add(ints("1", "a"), 1_000));
    assertEquals(ErrorCode.ER_TABLE_DEF_CHANGED.errno(), error.errno());
  }

  @Test
  void valuesAreThoseThatDiffer() {
    HeldRows held = held(ints("1", "a", "2", "a", null, null, "1", "A"));
    assertEquals(List.of("1", "2"), read(held.values(0)));
    assertEquals(List.of("a", "A"), read(held.values(1)));
    assertEquals(INT_AND_TEXT.get(1), held.values(1).columns().getFirst());
  }

  private RowSource join(JoinPlan plan, HeldRows left, HeldRows right) {
    return merger.join(plan, new FixedSlots(List.of()), List.of(left, right), () -> {});
  }

  private static JoinPlan plan(Member second, List<Integer> picked) {
    return new JoinPlan(
        List.of(member(false), second),
        List.of(),
        picked,
        picked.size(),
        Optional.empty(),
        List.of(),
        Optional.empty());
  }

  /** By the first columns. */
  private static Member member(boolean outer) {
    return new Member(
        source(), 2, outer, List.of(new KeyPair(new RowKey(0, -1), new RowKey(0, -1))));
  }

  private static Source source() {
    return new Source(
        "s",
        "t",
        "t",
        List.of("n", "t"),
        new Targets.All(List.of()),
        SqlTemplate.EMPTY,
        false,
        "",
        List.of());
  }

  private static HeldRows held(ListRows rows) {
    HeldRows held = new HeldRows(2);
    held.add(rows, 1_000);
    return held;
  }

  private static ListRows ints(@Nullable String... values) {
    return rows(INT_AND_TEXT, values);
  }

  private static ListRows rows(List<ColumnDefinition> columns, @Nullable String... values) {
    ListRows rows = new ListRows(columns);
    for (int i = 0; i < values.length; i += 2) {
      rows.add(values[i], values[i + 1]);
    }
    return rows;
  }
}
