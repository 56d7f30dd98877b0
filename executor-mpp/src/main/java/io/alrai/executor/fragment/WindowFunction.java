package io.alrai.executor.fragment;

/** What a window function computes for a row from the rows around it. */
public enum WindowFunction {
  ROW_NUMBER,
  RANK,
  DENSE_RANK,
  COUNT,
  SUM,
  AVG,
  MIN,
  MAX,
  FIRST_VALUE,
  LAST_VALUE,
  /** (value [, literal distance [, default]]). */
  LAG,
  /** (value [, literal distance [, default]]). */
  LEAD
}
