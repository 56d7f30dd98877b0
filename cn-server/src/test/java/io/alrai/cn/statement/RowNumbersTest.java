package io.alrai.cn.statement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
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
}
