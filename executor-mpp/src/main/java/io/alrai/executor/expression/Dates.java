package io.alrai.executor.expression;

import java.time.LocalDate;
import java.time.YearMonth;

/**
 * Dates as days and times as microseconds since 1970-01-01. Methods whose result may lie outside
 * MySQL's years 0 to 9999 answer {@link #NONE} then, which means NULL.
 */
public final class Dates {
  /** No value. */
  public static final long NONE = Long.MIN_VALUE;

  /** Microseconds of a day. */
  public static final long DAY_MICROS = 86_400_000_000L;

  private static final int YEARS = 10_000;

  private Dates() {}

  /** The day of a point in time. */
  public static long dayOf(long micros) {
    return Math.floorDiv(micros, DAY_MICROS);
  }

  /** Microseconds since midnight. */
  public static long timeOf(long micros) {
    return Math.floorMod(micros, DAY_MICROS);
  }

  // The civil calendar counted from 0000-03-01, in eras of 400 years.
  private static long marchDay(long day) {
    return day + 719_468;
  }

  private static long yearOfEra(long dayOfEra) {
    return (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
  }

  /** The year. */
  public static long year(long day) {
    long march = marchDay(day);
    long era = Math.floorDiv(march, 146_097L);
    long dayOfEra = march - era * 146_097;
    long year = yearOfEra(dayOfEra);
    long dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100);
    return era * 400 + year + (dayOfYear >= 306 ? 1 : 0);
  }

  /** The month, 1 to 12. */
  public static long month(long day) {
    return LocalDate.ofEpochDay(day).getMonthValue();
  }

  /** The day of the month. */
  public static long dayOfMonth(long day) {
    return LocalDate.ofEpochDay(day).getDayOfMonth();
  }

  /** The quarter, 1 to 4. */
  public static long quarter(long day) {
    return (month(day) + 2) / 3;
  }

  /** YYYYMM. */
  public static long yearMonth(long day) {
    return year(day) * 100 + month(day);
  }

  /** The day so many months later; the last of its month where there is no such day. */
  public static long plusMonths(long day, long months) {
    if (Math.abs(months) > 12L * YEARS) {
      return NONE;
    }
    LocalDate date = LocalDate.ofEpochDay(day);
    YearMonth month = YearMonth.from(date).plusMonths(months);
    int last = month.lengthOfMonth();
    return inRange(month.atDay(Math.min(last, date.getDayOfMonth())).toEpochDay());
  }

  /** Adds months to a point in time. */
  public static long momentPlusMonths(long micros, long months) {
    long day = plusMonths(dayOf(micros), months);
    return day == NONE ? NONE : day * DAY_MICROS + timeOf(micros);
  }

  /** The day so many days later. */
  public static long plusDays(long day, long days) {
    return Math.abs(days) > 366L * YEARS ? NONE : inRange(day + days);
  }

  /** The point in time so many units of so many microseconds later. */
  public static long plusMicros(long micros, long count, long unit) {
    if (Math.multiplyHigh(count, unit) != count * unit >> 63
        || Math.abs(count * unit) > 366L * YEARS * DAY_MICROS) {
      return NONE;
    }
    long sum = micros + count * unit;
    return inRange(dayOf(sum)) == NONE ? NONE : sum;
  }

  private static long inRange(long day) {
    return day < FIRST_DAY || day > LAST_DAY ? NONE : day;
  }

  private static final long FIRST_DAY = LocalDate.of(0, 1, 1).toEpochDay();
  private static final long LAST_DAY = LocalDate.of(9999, 12, 31).toEpochDay();
}
