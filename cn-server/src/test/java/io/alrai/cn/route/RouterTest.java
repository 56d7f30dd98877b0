package io.alrai.cn.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.alrai.common.id.DnId;
import io.alrai.common.id.PhysicalSchema;
import io.alrai.common.type.Collations;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.InsertRows.AutoIncrement;
import io.alrai.executor.fragment.InsertRows.Cell;
import io.alrai.executor.fragment.InsertRows.Placement;
import io.alrai.executor.fragment.InsertRows.RowPattern;
import io.alrai.executor.fragment.KeyColumn;
import io.alrai.executor.fragment.PartitionFunction;
import io.alrai.executor.fragment.PartitionFunction.Method;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.executor.fragment.Targets;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RouterTest {
  private static final KeyColumn ID =
      new KeyColumn("id", MysqlType.INT, false, 11, 0, "", "", true);
  private static final KeyColumn DAY =
      new KeyColumn("day", MysqlType.DATE, false, 0, 0, "", "", true);
  private static final int COUNT = 8;
  private static final List<ShardPlace> PLACES = places();
  private static final PartitionFunction BY_ID =
      new PartitionFunction(Method.KEY, List.of(ID), COUNT);
  private static final PartitionFunction BY_ID_AND_DAY =
      new PartitionFunction(Method.KEY, List.of(ID, DAY), COUNT);

  private long sequenceAt = 100;
  private final Router router =
      new Router(
          new LearnedWeights(sql -> List.of()),
          new Collations(List.of()),
          (sequence, id) -> sequence.equals("auto:1") && id < sequenceAt);

  private static List<ShardPlace> places() {
    List<ShardPlace> places = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      places.add(new ShardPlace(i, new PhysicalSchema("shop_p0000" + i), new DnId("dn-" + i % 2)));
    }
    return List.copyOf(places);
  }

  private static ShardPlace placeOf(long id) {
    return PLACES.get(PartitionHash.index(id, COUNT));
  }

  @Test
  void equalityHasOnePlace() {
    Targets.Keys keys = new Targets.Keys(BY_ID, PLACES, List.of(List.of(1)));
    for (long id = 0; id < 50; id++) {
      FixedValues values = new FixedValues().string("x").integer(Long.toString(id));
      assertEquals(placeOf(id), router.single(keys, values));
      assertEquals(List.of(placeOf(id)), router.places(keys, values, "utf8mb4"));
    }
  }

  @Test
  void hashIsTheModulo() {
    PartitionFunction hash = new PartitionFunction(Method.HASH, List.of(ID), COUNT);
    Targets.Keys keys = new Targets.Keys(hash, PLACES, List.of(List.of(0)));
    assertEquals(PLACES.get(5), router.single(keys, new FixedValues().integer("13")));
    assertEquals(PLACES.get(7), router.single(keys, new FixedValues().integer("-1")));
    assertEquals(PLACES.get(5), router.single(keys, new FixedValues().string("13")));
  }

  @Test
  void severalTuplesHaveTheirPlacesInOrder() {
    Targets.Keys keys =
        new Targets.Keys(BY_ID, PLACES, List.of(List.of(0), List.of(1), List.of(2)));
    FixedValues values = new FixedValues().integer("1").integer("2").integer("3");
    List<ShardPlace> expected =
        PLACES.stream()
            .filter(p -> p.equals(placeOf(1)) || p.equals(placeOf(2)) || p.equals(placeOf(3)))
            .toList();
    assertEquals(expected, router.places(keys, values, "utf8mb4"));
    assertNull(router.single(keys, values));
    FixedValues same = new FixedValues().integer("4").integer("4").string("4");
    assertEquals(placeOf(4), router.single(keys, same));
  }

  @Test
  void anUncertainValueMeansAllPlaces() {
    Targets.Keys keys = new Targets.Keys(BY_ID, PLACES, List.of(List.of(0), List.of(1)));
    FixedValues values = new FixedValues().integer("1").of(Kind.FLOAT, "1e0");
    assertNull(router.single(keys, values));
    assertEquals(PLACES, router.places(keys, values, "utf8mb4"));
  }

  @Test
  void severalColumnsAreChained() {
    Targets.Keys keys = new Targets.Keys(BY_ID_AND_DAY, PLACES, List.of(List.of(1, 0)));
    FixedValues values = new FixedValues().string("2024-01-31").integer("7");
    long hash =
        PartitionHash.chain(
            PartitionHash.ofLong(7),
            PartitionHash.ofBytes("2024-01-31".getBytes(StandardCharsets.US_ASCII), 0, 10));
    assertEquals(PLACES.get(PartitionHash.indexOf(hash, COUNT)), router.single(keys, values));
  }

  @Test
  void insertOfOnePlace() {
    InsertRows rows = rows(2, true, Optional.empty(), new Cell.Slot(0), new Cell.Slot(1));
    assertEquals(placeOf(1), router.single(rows, new FixedValues().integer("1").string("a"), 0));
    FixedValues twoRows = new FixedValues().integer("1").string("a").integer("1").string("b");
    assertEquals(placeOf(1), router.single(rows, twoRows, 2));
    long elsewhere = 2;
    while (placeOf(elsewhere).equals(placeOf(1))) {
      elsewhere++;
    }
    FixedValues twoPlaces =
        new FixedValues().integer("1").string("a").integer(Long.toString(elsewhere)).string("b");
    assertNull(router.single(rows, twoPlaces, 2));
  }

  @Test
  void insertThatIsNotForwarded() {
    FixedValues values = new FixedValues().integer("1").string("a");
    Cell other = new Cell.Slot(1);
    assertNull(router.single(rows(2, false, Optional.empty(), new Cell.Slot(0), other), values, 0));
    assertNull(
        router.single(rows(2, true, Optional.empty(), new Cell.Default(), other), values, 0));
    Cell expression = new Cell.Expression(SqlTemplate.EMPTY, true);
    assertNull(router.single(rows(2, true, Optional.empty(), expression, other), values, 0));
    assertNull(
        router.single(
            rows(2, true, Optional.empty(), new Cell.Slot(1), new Cell.Slot(0)), values, 0));
  }

  @Test
  void givenIdsAreForwardedBelowTheSequenceOnly() {
    Optional<AutoIncrement> auto =
        Optional.of(new AutoIncrement("auto:1", "id", 0, false, false, 127));
    InsertRows rows = rows(2, true, auto, new Cell.Slot(0), new Cell.Slot(1));
    assertEquals(placeOf(99), router.single(rows, new FixedValues().integer("99").string("a"), 0));
    assertNull(router.single(rows, new FixedValues().integer("100").string("a"), 0));
    assertNull(router.single(rows, new FixedValues().integer("0").string("a"), 0));
    assertNull(router.single(rows, new FixedValues().of(Kind.NULL, "").string("a"), 0));
    sequenceAt = 101;
    assertEquals(
        placeOf(100), router.single(rows, new FixedValues().integer("100").string("a"), 0));
  }

  @Test
  void whatAMysqldHoldsIsAlwaysCertain() {
    PartitionFunction function = new PartitionFunction(Method.KEY, List.of(DAY), COUNT);
    assertEquals(
        router.indexOfStored(function, new FixedValues().string("0000-00-00"), "utf8mb4"),
        router.indexOfStored(function, new FixedValues().string("0000-00-00"), "utf8mb4"));
    Targets.Keys keys = new Targets.Keys(function, PLACES, List.of(List.of(0)));
    FixedValues day = new FixedValues().string("2024-01-31");
    assertEquals(
        router.single(keys, day), PLACES.get(router.indexOfStored(function, day, "utf8mb4")));
  }

  private static InsertRows rows(
      int slotsPerRow, boolean verbatim, Optional<AutoIncrement> auto, Cell... cells) {
    return new InsertRows(
        "shop",
        "t",
        new Placement.ByKey(BY_ID, PLACES, List.of(0)),
        List.of("id", "v"),
        2,
        SqlTemplate.EMPTY,
        List.of(new RowPattern(List.of(cells))),
        slotsPerRow,
        SqlTemplate.EMPTY,
        auto,
        verbatim);
  }
}
