package io.alrai.cn.statement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowNumbersTest {
  @Test
  void aPlacesRowsAreTheClients() {
    int[] rows = {1, 4};
    assertEquals(
        "Out of range value for column 'n' at row 5",
        RowNumbers.ofClient("Out of range value for column 'n' at row 2", rows));
    assertEquals("no row here", RowNumbers.ofClient("no row here", rows));
    assertEquals("x at row 3", RowNumbers.ofClient("x at row 3", rows));
    AlraiException error = AlraiException.fromServer(1264, "22003", "out at row 1");
    assertEquals("out at row 2", RowNumbers.ofClient(error, rows).sentence());
  }

  @Test
  void warningsAreInTheOrderOfTheirRows() {
    Condition third = new Condition("Warning", 1265, "c at row 3");
    Condition first = new Condition("Warning", 1264, "a at row 1");
    Condition tenth = new Condition("Warning", 1265, "b at row 10");
    Condition none = new Condition("Note", 1, "of no row");
    assertEquals(
        List.of(none, first, third, tenth), RowNumbers.sorted(List.of(third, tenth, none, first)));
  }

  @Test
  void evaluatedCellsWarnWhereTheirColumnsStand() {
    Condition ofKey = truncated("s", 1);
    Condition ofNumber = truncated("it's", 1);
    Condition ofDay = truncated("d", 1);
    Condition ofSecondRow = truncated("it's", 2);
    Condition keyOfSecondRow = truncated("s", 2);
    Condition ofNull = new Condition("Warning", 1048, "Column 's' cannot be null");
    Condition none = new Condition("Warning", 1681, "of no row");
    assertEquals(
        List.of(ofNull, none, ofNumber, ofKey, ofDay, ofSecondRow, keyOfSecondRow),
        RowNumbers.merged(
            List.of(ofKey, ofNull, keyOfSecondRow),
            List.of(none, ofNumber, ofDay, ofSecondRow),
            List.of("it's", "s", "d")));
  }

  @Test
  void mergingManyTakesNoLongerForEach() {
    List<Condition> evaluated = new ArrayList<>();
    List<Condition> ofPlaces = new ArrayList<>();
    List<Condition> both = new ArrayList<>();
    for (int row = 1; row <= 60_000; row++) {
      evaluated.add(truncated("s", row));
      ofPlaces.add(truncated("d", row));
      both.add(truncated("s", row));
      both.add(truncated("d", row));
    }
    List<String> columns = List.of("it's", "s", "d");
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> assertEquals(both, RowNumbers.merged(evaluated, ofPlaces, columns)));
  }

  private static Condition truncated(String column, int row) {
    return new Condition(
        "Warning", 1265, "Data truncated for column '" + column + "' at row " + row);
  }
}
