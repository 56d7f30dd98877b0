package io.alrai.executor.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The expectations were read from a MySQL 9.7 server. */
class DoubleTextTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, -0",
    "1, 1",
    "-2.5, -2.5",
    "1e14, 100000000000000",
    "1e15, 1e15",
    "1e16, 1e16",
    "0.0001, 0.0001",
    "0.00001, 0.00001",
    "1e-15, 0.000000000000001",
    "1e-16, 1e-16",
    "123456789012345678, 1.2345678901234568e17",
    "1.5e300, 1.5e300",
    "0.30000000000000004, 0.30000000000000004",
    "333333333333333.3, 333333333333333.3",
    "3333333333333333.5, 3333333333333333.5",
    "0.0000033333333333333337, 0.0000033333333333333337",
    "12345678901234567, 1.2345678901234568e16"
  })
  void shortestDigits(double value, String expected) {
    assertEquals(expected, DoubleText.of(value, DoubleText.NOT_FIXED));
  }

  @ParameterizedTest
  @CsvSource({"7.05, 3, 7.050", "0.125, 2, 0.12", "0.375, 2, 0.38", "-0.001, 2, -0.00"})
  void fixedDecimals(double value, int decimals, String expected) {
    assertEquals(expected, DoubleText.of(value, decimals));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "16777216, 16777200",
    "0.1, 0.1",
    "0.30000001192092896, 0.3",
    "123456.75, 123457",
    "999999.5, 1000000",
    "1234565, 1234560",
    "1e14, 100000000000000",
    "9.9999994e14, 1e15",
    "1e15, 1e15",
    "1e-15, 0.000000000000001",
    "1e-16, 1e-16",
    "-3.402823e38, -3.40282e38",
    "1e-45, 1.4013e-45"
  })
  void sixDigitsOfAFloat(float value, String expected) {
    assertEquals(expected, DoubleText.ofFloat(value, DoubleText.NOT_FIXED));
  }

  @ParameterizedTest
  @CsvSource({"16777.216, 3, 16777.217", "0.0005, 2, 0.00", "123456.789, 3, 123456.789"})
  void fixedDecimalsOfAFloat(float value, int decimals, String expected) {
    assertEquals(expected, DoubleText.ofFloat(value, decimals));
  }
}
