package io.alrai.cn.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class WholeNumbersTest {
  private static OptionalLong of(String text, RoundingMode rounding) {
    return WholeNumbers.of(text.getBytes(StandardCharsets.US_ASCII), rounding);
  }

  private static long of(String text) {
    return of(text, RoundingMode.HALF_UP).orElseThrow();
  }

  @Test
  void aTextIsTheNumberThatItBeginsWith() {
    assertEquals(7, of("7"));
    assertEquals(-12, of(" -12 apples"));
    assertEquals(1200, of("1.2e3x"));
    assertEquals(5, of("+5e"));
    assertEquals(0, of("apples"));
    assertEquals(0, of("\"3\""));
    assertEquals(0, of(""));
    assertEquals(0, of("0000-00-00"));
  }

  @Test
  void fractionsAreRoundedAsTheTypeDoesIt() {
    assertEquals(1, of("0.5"));
    assertEquals(-1, of("-.5"));
    assertEquals(OptionalLong.of(0), of("0.5", RoundingMode.HALF_EVEN));
    assertEquals(OptionalLong.of(2), of("1.5e0", RoundingMode.HALF_EVEN));
  }

  @Test
  void whatNoColumnHoldsIsNoNumber() {
    assertEquals(Long.MAX_VALUE, of("9223372036854775807"));
    assertEquals(OptionalLong.empty(), of("9223372036854775808", RoundingMode.HALF_UP));
    assertEquals(OptionalLong.empty(), of("1e300", RoundingMode.HALF_UP));
  }
}
