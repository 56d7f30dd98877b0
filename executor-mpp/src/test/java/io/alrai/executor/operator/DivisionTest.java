package io.alrai.executor.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DivisionTest {
  @ParameterizedTest
  @CsvSource({
    "7, 2, 3.5000",
    "2, 3, 0.6667",
    "-2, 3, -0.6667",
    "0, 5, 0.0000",
    "2.00, 3, 0.666667",
    // 5 + 4 digits are exactly one word: cut, not rounded
    "2.00000, 3, 0.666666666",
    "2.000000, 3, 0.6666666667",
    "123456789012345678901234567890123456789012345678901234567890, 7,"
        + " 17636684144620811271604938270017636684144620811271604938270.0000",
    "1.000000000000000000000000000000, 3, 0.333333333333333333333333333333"
  })
  void likeMysql(BigDecimal sum, long count, String expected) {
    assertEquals(expected, Division.quotient(sum, count, 4).toPlainString());
  }

  @Test
  void ofAnotherPrecision() {
    BigDecimal seven = new BigDecimal(7);
    assertEquals("2.33333333", Division.quotient(seven, 3, 8).toPlainString());
    assertEquals("2", Division.quotient(seven, 3, 0).toPlainString());
  }
}
