package io.alrai.tpch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TpchAnswersTest {
  private static final TpchQuery TOTAL = new TpchQuery(1, "", new TpchQuery.Order.Total());
  private static final TpchQuery BY_FIRST =
      new TpchQuery(2, "", new TpchQuery.Order.Partial(List.of(0), 3));

  private static Cell cell(Object value) {
    return switch (value) {
      case String text when text.equals("NULL") -> new Cell.Null();
      case String text when text.matches("[0-9.]+") -> new Cell.Exact(new BigDecimal(text));
      case String text -> new Cell.Text(text);
      case Double number -> new Cell.Approximate(number);
      default -> throw new IllegalArgumentException(value.toString());
    };
  }

  private static List<Cell> row(Object... values) {
    return Arrays.stream(values).map(TpchAnswersTest::cell).toList();
  }

  @SafeVarargs
  private static ResultRows rows(List<Cell>... rows) {
    List<List<Cell>> all = new ArrayList<>();
    for (List<Cell> row : rows) {
      all.add(row);
    }
    return new ResultRows(List.of("x", "y"), all);
  }

  @Test
  void decimalsAreComparedByValueAndExactly() {
    assertEquals(
        Optional.empty(),
        TpchAnswers.compare(TOTAL, rows(row("1.0", "b")), rows(row("1.00", "b"))));
    assertEquals(
        Optional.of("row 1: (1.0, b) and (1.01, b)"),
        TpchAnswers.compare(TOTAL, rows(row("1.0", "b")), rows(row("1.01", "b"))));
  }

  @Test
  void doublesHaveATolerance() {
    assertTrue(cell(1.0).matches(cell(1.0 + 1e-12)));
    assertFalse(cell(1.0).matches(cell(1.000001)));
    assertTrue(cell("3").matches(cell(3.0)));
    assertTrue(cell(0.0).matches(cell(0.0)));
  }

  @Test
  void nothingIsOnlyNothing() {
    assertTrue(cell("NULL").matches(cell("NULL")));
    assertFalse(cell("NULL").matches(cell("0")));
    assertFalse(cell("0").matches(cell("NULL")));
    assertFalse(cell("a").matches(cell("NULL")));
    assertFalse(cell("A").matches(cell("a")));
  }

  @Test
  void namesAndCountsMustAgree() {
    ResultRows one = rows(row("1", "a"));
    ResultRows renamed = new ResultRows(List.of("x", "z"), one.rows());
    assertEquals(
        Optional.of("columns [x, y] and [x, z]"), TpchAnswers.compare(TOTAL, one, renamed));
    assertEquals(Optional.of("1 rows and 0"), TpchAnswers.compare(TOTAL, one, rows()));
  }

  @Test
  void orderCountsWhereTheQueryGivesOne() {
    ResultRows forth = rows(row("1", "a"), row("2", "b"));
    ResultRows back = rows(row("2", "b"), row("1", "a"));
    assertTrue(TpchAnswers.compare(TOTAL, forth, back).isPresent());
    assertTrue(TpchAnswers.compare(BY_FIRST, forth, back).isPresent());
    assertEquals(Optional.empty(), TpchAnswers.compare(forth, back));
  }

  @Test
  void equalsMayComeInAnyOrder() {
    ResultRows forth = rows(row("1", "a"), row("1", "b"));
    ResultRows back = rows(row("1", "b"), row("1", "a"));
    assertEquals(Optional.empty(), TpchAnswers.compare(BY_FIRST, forth, back));
    assertTrue(
        TpchAnswers.compare(BY_FIRST, forth, rows(row("1", "b"), row("1", "c"))).isPresent());
  }

  @Test
  void aLimitMayChooseAmongTheLastEquals() {
    ResultRows some = rows(row("1", "a"), row("2", "b"), row("2", "c"));
    ResultRows others = rows(row("1", "a"), row("2", "d"), row("2", "b"));
    assertEquals(Optional.empty(), TpchAnswers.compare(BY_FIRST, some, others));
    ResultRows wrongAbove = rows(row("1", "z"), row("2", "b"), row("2", "c"));
    assertTrue(TpchAnswers.compare(BY_FIRST, some, wrongAbove).isPresent());
  }

  @Test
  void bagsCountEveryRow() {
    assertTrue(
        TpchAnswers.compare(
                rows(row("1", "a"), row("1", "a"), row("2", "a")),
                rows(row("1", "a"), row("2", "a"), row("2", "a")))
            .isPresent());
  }

  @Test
  void numbersNeedNotBeSortedAsText() {
    assertEquals(
        Optional.empty(),
        TpchAnswers.compare(
            rows(row("10.0", "a"), row("9", "a"), row("NULL", "a")),
            rows(row("9.00", "a"), row("NULL", "a"), row("10", "a"))));
  }

  @Test
  void referencesAreRounded() {
    ResultRows reference = TpchReference.parse("-- a note\n25.58|x|null|\n13|y|7\n");
    assertEquals(
        Optional.empty(),
        TpchAnswers.compareWithReference(
            TOTAL,
            new ResultRows(
                List.of("a", "b", "c"),
                List.of(row("25.5812", "x", "NULL"), row("13", "y", "7.0"))),
            reference));
    assertTrue(new Cell.Reference("25.58").matches(cell("25.585")));
    assertFalse(new Cell.Reference("25.58").matches(cell("25.5851")));
    assertFalse(cell("25.5751").matches(new Cell.Reference("25.57")));
    assertTrue(cell("15.4865458123").matches(new Cell.Reference("15.4865458122841")));
    assertFalse(cell("7").matches(new Cell.Reference("7.4")));
    assertTrue(new Cell.Text("13").matches(new Cell.Reference("13")));
    assertFalse(cell("NULL").matches(new Cell.Reference("0")));
  }
}
