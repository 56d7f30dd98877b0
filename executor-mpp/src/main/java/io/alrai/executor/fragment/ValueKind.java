package io.alrai.executor.fragment;

/** What a value of an analytical plan is, as MySQL computes with it; column widths play no part. */
public enum ValueKind {
  /** Whole numbers of 64 bits with a sign; YEAR and truth values (0, 1) too. */
  BIGINT,
  /** Whole numbers of 64 bits without a sign. */
  UNSIGNED,
  /** Exact numbers of at most 65 digits. */
  DECIMAL,
  /** Floating point numbers of 64 bits. */
  DOUBLE,
  /** Days since 1970-01-01. */
  DATE,
  /** Microseconds since 1970-01-01 00:00:00, without a time zone; DATETIME. */
  DATETIME,
  /** UTF-8 text, compared by its collation. */
  STRING;

  /** Whether the value is a number without a rounding error. */
  public boolean isExact() {
    return this == BIGINT || this == UNSIGNED || this == DECIMAL;
  }

  /** Whether it is {@link #BIGINT} or {@link #UNSIGNED}. */
  public boolean isWhole() {
    return this == BIGINT || this == UNSIGNED;
  }

  /** Whether it is a number. */
  public boolean isNumber() {
    return isExact() || this == DOUBLE;
  }

  /** Whether it is a point in time. */
  public boolean isTemporal() {
    return this == DATE || this == DATETIME;
  }
}
