package io.alrai.cn.analytic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AnalyticRowsTest {
  private static long micros(LocalDateTime moment) {
    return TimeUnit.SECONDS.toMicros(moment.toEpochSecond(ZoneOffset.UTC))
        + TimeUnit.NANOSECONDS.toMicros(moment.getNano());
  }

  @Test
  void momentsHaveTheDigitsOfTheirType() {
    long moment = micros(LocalDateTime.of(2026, 11, 21, 19, 4, 5, 120_000_000));
    assertEquals("2026-11-21 19:04:05", AnalyticRows.moment(moment, 0));
    assertEquals("2026-11-21 19:04:05.120", AnalyticRows.moment(moment, 3));
    assertEquals("2026-11-21 19:04:05.120000", AnalyticRows.moment(moment, 6));
  }

  @Test
  void momentsBefore1970() {
    long moment = micros(LocalDateTime.of(999, 1, 2, 23, 59, 59, 500_000_000));
    assertEquals("0999-01-02 23:59:59.5", AnalyticRows.moment(moment, 1));
  }
}
