package io.alrai.executor.operator;

import static io.alrai.executor.operator.ListRows.column;
import static io.alrai.executor.operator.ListRows.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.MergePlan.Aggregation;
import io.alrai.executor.fragment.MergePlan.Limit;
import io.alrai.executor.fragment.MergePlan.Output;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.MergePlan.SortKey;
import io.alrai.executor.fragment.SqlTemplate;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MergerTest {
  private static final List<ColumnDefinition> INT_AND_TEXT =
      List.of(column("n", MysqlType.INT), column("t", MysqlType.VARCHAR));

  private final Merger merger = new Merger(OperatorBudget.standard());

  @Test
  void concatenatesWithoutOrder() {
    RowSource rows =
        merge(
            plan(2, List.of(), null, List.of(), null),
            ints().add("2", "b").add("1", "a"),
            ints(),
            ints().add("3", null));
    assertEquals(List.of("2,b", "1,a", "3,NULL"), read(rows));
  }

  @Test
  void mergesInOrderAndCutsTheHiddenKey() {
    List<SortKey> sort = List.of(new SortKey(new RowKey(1, -1), true));
    RowSource rows =
        merge(
            plan(1, sort, null, List.of(), null),
            ints().add("1", "d").add("2", "b").add("3", null),
            ints(),
            ints().add("4", "e").add("5", "b").add("6", "a"));
    assertEquals(1, rows.columns().size());
    assertEquals(List.of("4", "1", "2", "5", "6", "3"), read(rows));
  }

  @Test
  void aTableThatHasChangedSinceIsAnError() {
    MergePlan plan =
        new MergePlan(
            SqlTemplate.EMPTY,
            SqlTemplate.EMPTY,
            1,
            2,
            List.of(),
            Optional.empty(),
            List.of(),
            Optional.empty());
    assertEquals(List.of("1", "2"), read(merge(plan, ints().add("1", "a"), ints().add("2", "b"))));
    ListRows other = new ListRows(List.of(column("n", MysqlType.INT))).add("3");
    AlraiException error =
        assertThrows(AlraiException.class, () -> read(merge(plan, ints().add("1", "a"), other)));
    assertEquals(ErrorCode.ER_TABLE_DEF_CHANGED.errno(), error.errno());
  }

  @Test
  void limitSkipsAndStopsEarly() {
    ListRows first = ints().add("1", "a").add("2", "a").add("3", "a").add("4", "a");
    ListRows second = ints().add("5", "a");
    RowSource rows =
        merge(plan(1, List.of(), null, List.of(), new Limit(-1, 1, -1, 2)), first, second);
    assertEquals(List.of("2", "3"), read(rows));
    assertEquals(2, first.taken());
    assertTrue(first.closed());
    assertTrue(second.closed());
  }

  @Test
  void limitFromSlots() {
    MergePlan plan = plan(1, List.of(), null, List.of(), new Limit(1, 0, 0, 0));
    ListRows rows = ints().add("1", "a").add("2", "a").add("3", "a");
    assertEquals(
        List.of("3"), read(merger.merge(plan, new FixedSlots(List.of(7L, 2L)), List.of(rows))));
  }

  @Test
  void limitOfNothingReadsNothing() {
    ListRows rows = ints().add("1", "a");
    assertEquals(
        List.of(), read(merge(plan(1, List.of(), null, List.of(), new Limit(-1, 0, -1, 0)), rows)));
    assertEquals(-1, rows.taken());
  }

  @Test
  void oneGroupOverNoRows() {
    RowSource rows =
        merge(plan(6, List.of(), totals(), List.of(), null), totalsRows(), totalsRows());
    assertEquals(List.of("0,NULL,NULL,NULL,NULL,NULL"), read(rows));
  }

  @Test
  void oneGroupOverPartialRows() {
    ListRows empty = totalsRows().add("0", null, null, null, "0", null);
    ListRows one = totalsRows().add("2", "1.50", "-3", "7", "2", "x");
    ListRows two = totalsRows().add("3", "-4.25", "-20", "12", "1", "y");
    RowSource rows = merge(plan(6, List.of(), totals(), List.of(), null), empty, one, two);
    assertEquals(List.of("5,-2.75,-20,12,-0.916667,x"), read(rows));
  }

  @Test
  void averageHasMysqlsTypeAndTheShardsLabel() {
    ColumnDefinition sum = ColumnDefinition.expression("avg(i)", MysqlType.DECIMAL, 63, 33, 128, 0);
    List<ColumnDefinition> columns = List.of(sum, column("c", MysqlType.BIGINT));
    Aggregation average = new Aggregation(List.of(), List.of(new Output.Average(0, 1)));
    RowSource rows =
        merge(
            plan(1, List.of(), average, List.of(), null),
            new ListRows(columns).add("7", "2"),
            new ListRows(columns).add(null, "0"));
    assertEquals(
        List.of(ColumnDefinition.expression("avg(i)", MysqlType.DECIMAL, 63, 16, 128, 4)),
        rows.columns());
    assertEquals(List.of("3.5000"), read(rows));
  }

  @Test
  void sumsBeyond64BitsStayExact() {
    List<ColumnDefinition> columns = List.of(column("s", MysqlType.DECIMAL));
    Aggregation sum = new Aggregation(List.of(), List.of(new Output.Sum(0)));
    MergePlan plan = plan(1, List.of(), sum, List.of(), null);
    ListRows rows = new ListRows(columns);
    for (int i = 0; i < 20; i++) {
      rows.add("999999999999999999");
    }
    rows.add("-1").add("100000000000000000000000000000000000000000000000000000000000");
    assertEquals(
        List.of("100000000000000000000000000000000000000019999999999999999979"),
        read(merge(plan, rows)));
  }

  @Test
  void sumsOfDoubles() {
    List<ColumnDefinition> columns =
        List.of(
            column("s", MysqlType.DOUBLE, 31, 0),
            column("c", MysqlType.BIGINT),
            column("f", MysqlType.DOUBLE, 3, 0));
    Aggregation aggregation =
        new Aggregation(
            List.of(), List.of(new Output.Sum(0), new Output.Average(0, 1), new Output.Sum(2)));
    RowSource rows =
        merge(
            plan(3, List.of(), aggregation, List.of(), null),
            new ListRows(columns).add("0.1", "1", "1.250"),
            new ListRows(columns).add("0.2", "2", "5.800"));
    assertEquals(List.of("0.30000000000000004,0.10000000000000002,7.050"), read(rows));
  }

  @Test
  void groupsByValueWithNullAsAGroup() {
    List<ColumnDefinition> columns =
        List.of(
            column("g", MysqlType.VARCHAR),
            column("w", MysqlType.VARCHAR),
            column("c", MysqlType.BIGINT));
    Aggregation byWeight =
        new Aggregation(
            List.of(new RowKey(0, 1)),
            List.of(new Output.Any(0), new Output.Count(2), new Output.Any(1)));
    List<SortKey> sort =
        List.of(new SortKey(new RowKey(1, -1), true), new SortKey(new RowKey(2, -1), false));
    RowSource rows =
        merge(
            plan(2, sort, byWeight, List.of(), null),
            new ListRows(columns).add("a", "1", "2").add(null, null, "1").add("b", "2", "5"),
            new ListRows(columns).add("A", "1", "3").add("c", "3", "7").add(null, null, "1"));
    assertEquals(List.of("c,7", "a,5", "b,5", "NULL,2"), read(rows));
  }

  @Test
  void noGroupsOverNoRowsWithKeys() {
    Aggregation byText = new Aggregation(List.of(new RowKey(1, -1)), List.of(new Output.Any(1)));
    assertEquals(List.of(), read(merge(plan(1, List.of(), byText, List.of(), null), ints())));
  }

  @Test
  void leastAndGreatestByWeightKeepTheText() {
    List<ColumnDefinition> columns =
        List.of(column("m", MysqlType.VARCHAR), column("w", MysqlType.VARCHAR));
    Aggregation extremes =
        new Aggregation(
            List.of(), List.of(new Output.Min(new RowKey(0, 1)), new Output.Max(new RowKey(0, 1))));
    RowSource rows =
        merge(
            plan(2, List.of(), extremes, List.of(), null),
            new ListRows(columns).add("B", "2"),
            new ListRows(columns).add("a", "1").add(null, null),
            new ListRows(columns).add("c", "3"));
    assertEquals(List.of("a,c"), read(rows));
  }

  @Test
  void distinctPassesTheFirstOfEachAndKeepsTheOrder() {
    List<SortKey> sort = List.of(new SortKey(new RowKey(0, -1), false));
    RowSource rows =
        merge(
            plan(2, sort, null, List.of(new RowKey(0, -1), new RowKey(1, -1)), null),
            ints().add(null, "x").add("1", "a").add("2", null),
            ints().add(null, "x").add("1", "b").add("2", null).add("2", ""));
    assertEquals(List.of("NULL,x", "1,a", "1,b", "2,NULL", "2,"), read(rows));
  }

  @Test
  void longKeysThatBeginAlikeAreToldApart() {
    String same = "beginning".repeat(20);
    List<SortKey> sort = List.of(new SortKey(new RowKey(1, -1), false));
    List<RowKey> keys = List.of(new RowKey(1, -1));
    RowSource rows =
        merge(
            plan(2, sort, null, keys, null),
            ints().add("1", same + "a").add("2", same + "b").add("3", same + "d"),
            ints().add("4", same).add("5", same + "b").add("6", same + "c").add("7", "x"));
    assertEquals(
        List.of(
            "4," + same,
            "1," + same + "a",
            "2," + same + "b",
            "6," + same + "c",
            "3," + same + "d",
            "7,x"),
        read(rows));
    RowSource unordered =
        merge(
            plan(2, List.of(), null, keys, null),
            ints().add("1", same + "a").add("2", same + "b").add("3", same + "a"),
            ints().add("4", same + "b").add("5", same).add("6", same));
    assertEquals(List.of("1," + same + "a", "2," + same + "b", "5," + same), read(unordered));
  }

  @Test
  void closingEarlyClosesAllSources() {
    ListRows first = ints().add("1", "a");
    ListRows second = ints().add("2", "b");
    List<SortKey> sort = List.of(new SortKey(new RowKey(0, -1), false));
    RowSource rows = merge(plan(2, sort, null, List.of(), null), first, second);
    assertTrue(rows.advance());
    assertFalse(first.closed());
    rows.close();
    assertTrue(first.closed());
    assertTrue(second.closed());
  }

  private static Aggregation totals() {
    return new Aggregation(
        List.of(),
        List.of(
            new Output.Count(0),
            new Output.Sum(1),
            new Output.Min(new RowKey(2, -1)),
            new Output.Max(new RowKey(3, -1)),
            new Output.Average(1, 4),
            new Output.Any(5)));
  }

  private static ListRows totalsRows() {
    return new ListRows(
        List.of(
            column("count", MysqlType.BIGINT),
            column("sum", MysqlType.DECIMAL, 2, 0),
            column("min", MysqlType.INT),
            column("max", MysqlType.INT),
            column("values", MysqlType.BIGINT),
            column("any", MysqlType.VARCHAR)));
  }

  private static ListRows ints() {
    return new ListRows(INT_AND_TEXT);
  }

  private RowSource merge(MergePlan plan, RowSource... shards) {
    return merger.merge(plan, new FixedSlots(List.of()), List.of(shards));
  }

  private static MergePlan plan(
      int visible,
      List<SortKey> sort,
      @Nullable Aggregation aggregation,
      List<RowKey> distinct,
      @Nullable Limit limit) {
    return new MergePlan(
        SqlTemplate.EMPTY,
        SqlTemplate.EMPTY,
        visible,
        -1,
        sort,
        Optional.ofNullable(aggregation),
        distinct,
        Optional.ofNullable(limit));
  }
}
