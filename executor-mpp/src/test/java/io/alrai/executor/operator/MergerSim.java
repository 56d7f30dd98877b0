package io.alrai.executor.operator;

import static io.alrai.executor.operator.ListRows.column;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.MergePlan.Aggregation;
import io.alrai.executor.fragment.MergePlan.Output;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.MergePlan.SortKey;
import io.alrai.executor.fragment.SqlTemplate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random rows on random shards against plain collections, with budgets that force spilling. */
class MergerSim {
  private static final List<ColumnDefinition> COLUMNS =
      List.of(column("k", MysqlType.INT), column("v", MysqlType.DECIMAL));
  private static final Comparator<String> AS_NUMBER = Comparator.comparingLong(MergerSim::number);

  @TempDir Path spillDirectory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void groups(long seed) {
    Random random = new Random(seed);
    List<List<Integer[]>> shards = shards(random);
    Map<String, Long> expected = new TreeMap<>(AS_NUMBER);
    shards.forEach(
        rows -> rows.forEach(r -> expected.merge(key(r[0]) + ",", (long) r[1], Long::sum)));
    Aggregation aggregation =
        new Aggregation(List.of(new RowKey(0, -1)), List.of(new Output.Any(0), new Output.Sum(1)));
    List<String> result = run(plan(Optional.of(aggregation), List.of()), shards, budget(random));
    assertEquals(
        expected.entrySet().stream().map(e -> e.getKey() + e.getValue()).toList(),
        result,
        "seed " + seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void distinctRowsInOrder(long seed) {
    Random random = new Random(seed);
    List<List<Integer[]>> shards = shards(random);
    List<Integer[]> all = new ArrayList<>();
    for (List<Integer[]> shard : shards) {
      shard.sort(Comparator.comparing(r -> r[0], Comparator.nullsFirst(Integer::compare)));
      all.addAll(shard);
    }
    all.sort(Comparator.comparing(r -> r[0], Comparator.nullsFirst(Integer::compare)));
    LinkedHashSet<String> expected = new LinkedHashSet<>();
    all.forEach(r -> expected.add(key(r[0]) + "," + r[1] % 3));
    shards.forEach(rows -> rows.forEach(r -> r[1] %= 3));
    List<String> result =
        run(
            plan(Optional.empty(), List.of(new RowKey(0, -1), new RowKey(1, -1))),
            shards,
            budget(random));
    assertEquals(sortedWithinKeys(expected), sortedWithinKeys(result), "seed " + seed);
    List<String> inOrder = new ArrayList<>(result);
    inOrder.sort(AS_NUMBER);
    assertEquals(inOrder, result, "seed " + seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void distinctLongTexts(long seed) {
    Random random = new Random(seed);
    String[] beginnings = {"", "b".repeat(29), "b".repeat(30), "b".repeat(31), "b".repeat(90)};
    List<ColumnDefinition> columns = List.of(column("k", MysqlType.VARCHAR));
    List<RowSource> sources = new ArrayList<>();
    LinkedHashSet<String> expected = new LinkedHashSet<>();
    for (int shard = 0; shard < 3; shard++) {
      ListRows rows = new ListRows(columns);
      for (int row = random.nextInt(500); row > 0; row--) {
        String text =
            beginnings[random.nextInt(beginnings.length)] + random.nextInt(1 + random.nextInt(99));
        rows.add(text);
        expected.add(text);
      }
      sources.add(rows);
    }
    MergePlan plan =
        new MergePlan(
            SqlTemplate.EMPTY,
            SqlTemplate.EMPTY,
            1,
            1,
            List.of(),
            Optional.empty(),
            List.of(new RowKey(0, -1)),
            Optional.empty());
    List<String> result =
        ListRows.read(new Merger(budget(random)).merge(plan, new FixedSlots(List.of()), sources));
    assertEquals(expected.size(), result.size(), "seed " + seed);
    assertEquals(expected, new LinkedHashSet<>(result), "seed " + seed);
  }

  private static List<String> sortedWithinKeys(Iterable<String> rows) {
    List<String> sorted = new ArrayList<>();
    rows.forEach(sorted::add);
    sorted.sort(AS_NUMBER.thenComparing(Comparator.naturalOrder()));
    return sorted;
  }

  private OperatorBudget budget(Random random) {
    long[] sizes = {300, 5_000, 1 << 20};
    return new OperatorBudget(sizes[random.nextInt(sizes.length)], spillDirectory);
  }

  private static List<String> run(
      MergePlan plan, List<List<Integer[]>> shards, OperatorBudget budget) {
    List<RowSource> sources = new ArrayList<>();
    for (List<Integer[]> shard : shards) {
      ListRows rows = new ListRows(COLUMNS);
      shard.forEach(r -> rows.add(r[0] == null ? null : r[0].toString(), r[1].toString()));
      sources.add(rows);
    }
    return ListRows.read(
        new Merger(budget).merge(plan, new FixedSlots(List.of()), List.copyOf(sources)));
  }

  private static MergePlan plan(Optional<Aggregation> aggregation, List<RowKey> distinct) {
    return new MergePlan(
        SqlTemplate.EMPTY,
        SqlTemplate.EMPTY,
        2,
        2,
        List.of(new SortKey(new RowKey(0, -1), false)),
        aggregation,
        distinct,
        Optional.empty());
  }

  private static List<List<Integer[]>> shards(Random random) {
    int keys = 1 + random.nextInt(400);
    List<List<Integer[]>> shards = new ArrayList<>();
    for (int shard = 1 + random.nextInt(5); shard > 0; shard--) {
      List<Integer[]> rows = new ArrayList<>();
      for (int row = random.nextInt(1000); row > 0; row--) {
        Integer key = random.nextInt(20) == 0 ? null : random.nextInt(keys) - keys / 2;
        rows.add(new Integer[] {key, random.nextInt(100)});
      }
      shards.add(rows);
    }
    return shards;
  }

  private static long number(String row) {
    return row.startsWith("NULL,")
        ? Long.MIN_VALUE
        : Long.parseLong(row.substring(0, row.indexOf(',')));
  }

  private static String key(@Nullable Integer key) {
    return key == null ? "NULL" : key.toString();
  }
}
