package io.alrai.executor.fragment;

import java.math.BigDecimal;

/** The value of a literal, or of a parameter at execution. */
public sealed interface Constant {
  /** NULL. */
  record Null() implements Constant {}

  /** BIGINT; for UNSIGNED the same 64 bits. */
  record Whole(long value) implements Constant {}

  /** DECIMAL; its scale need not be the type's. */
  record Exact(BigDecimal value) implements Constant {}

  /** DOUBLE. */
  record Floating(double value) implements Constant {}

  /** STRING. */
  record Text(String value) implements Constant {}

  /** DATE, in days since 1970-01-01. */
  record Day(int epochDay) implements Constant {}

  /** DATETIME, in microseconds since 1970-01-01 00:00:00. */
  record Moment(long epochMicros) implements Constant {}
}
