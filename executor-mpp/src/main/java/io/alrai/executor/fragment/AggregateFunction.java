package io.alrai.executor.fragment;

/** What an aggregation computes over the rows of a group. */
public enum AggregateFunction {
  /** Rows, or rows whose arguments are all not NULL. */
  COUNT,
  SUM,
  AVG,
  MIN,
  MAX,
  /** The value of any row. */
  ANY_VALUE
}
