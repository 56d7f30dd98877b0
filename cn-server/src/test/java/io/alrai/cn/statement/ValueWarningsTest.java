package io.alrai.cn.statement;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ValueWarningsTest {
  private static final Condition DIVISION = new Condition("Warning", 1365, "Division by 0");

  @Test
  void onlyThoseAboutValuesAreKept() {
    Condition deprecated = new Condition("Warning", 1287, "'x' is deprecated");
    Condition note = new Condition("Note", 1292, "a note");
    assertEquals(List.of(DIVISION), ValueWarnings.of(List.of(deprecated, note, DIVISION)));
  }

  @Test
  void theFirstBecomesTheError() {
    Condition wrong = new Condition("Warning", 1292, "Truncated incorrect DOUBLE value: 'x'");
    AlraiException error =
        assertThrows(AlraiException.class, () -> ValueWarnings.refuse(List.of(wrong, DIVISION)));
    assertEquals(1292, error.errno());
    assertEquals("22007", error.sqlState());
    assertEquals("Truncated incorrect DOUBLE value: 'x'", error.sentence());
    assertDoesNotThrow(() -> ValueWarnings.refuse(List.of()));
  }
}
