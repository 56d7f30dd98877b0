package io.alrai.executor.fragment;

/** What EXTRACT takes from a point in time, and what date arithmetic counts in. */
public enum DateUnit {
  MICROSECOND,
  SECOND,
  MINUTE,
  HOUR,
  DAY,
  WEEK,
  MONTH,
  QUARTER,
  YEAR,
  /** Year and month as YYYYMM; for EXTRACT only. */
  YEAR_MONTH
}
