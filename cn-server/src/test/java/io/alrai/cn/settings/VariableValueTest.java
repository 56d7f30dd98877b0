package io.alrai.cn.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.executor.fragment.SlotValues.Kind;
import org.junit.jupiter.api.Test;

class VariableValueTest {
  private static void assertValue(Kind kind, String text, String literal) {
    VariableValue value = VariableValue.of(literal);
    assertEquals(kind, value.kind(), literal);
    assertEquals(text, value.text(), literal);
  }

  @Test
  void literalsAreReadBack() {
    assertValue(Kind.NULL, "NULL", "NULL");
    assertValue(Kind.INTEGER, "-5", "-5");
    assertValue(Kind.INTEGER, "18446744073709551615", "CAST(18446744073709551615 AS UNSIGNED)");
    assertValue(Kind.DECIMAL, "1.50", "1.50");
    assertValue(Kind.DECIMAL, "7.", "7.");
    assertValue(Kind.FLOAT, "1000e0", "1000e0");
    assertValue(Kind.STRING, "é", "_utf8mb4 x'c3a9' COLLATE utf8mb4_bin");
    assertValue(Kind.STRING, "é", "_latin1 x'e9' COLLATE latin1_swedish_ci");
    assertValue(Kind.STRING, "2020", "_utf8mb4 x'32303230'");
    assertValue(Kind.BINARY, "A", "x'41'");
    assertValue(Kind.STRING, "", "_utf8mb4 x'' COLLATE utf8mb4_0900_ai_ci");
  }
}
