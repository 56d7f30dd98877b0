package io.alrai.columnar.scan;

/**
 * Decides whether a row group is read. It may say yes for a row group that has nothing of interest,
 * never no for one that has: rows that pass are to be filtered still. Called by every cursor's
 * thread before each batch, so that what a join's build side has learnt meanwhile counts.
 */
@FunctionalInterface
public interface ZoneFilter {
  /** Reads everything. */
  ZoneFilter ALL = zones -> true;

  /** Whether a row of interest may be among these. */
  boolean mayMatch(ZoneMap zones);

  /** Both must let a row group pass. */
  default ZoneFilter and(ZoneFilter other) {
    return zones -> mayMatch(zones) && other.mayMatch(zones);
  }

  /**
   * Rows whose value lies in the range, both ends included. For columns stored as INT8 to INT64,
   * signed; decimals as they are scaled.
   *
   * @param ordinal in the table
   */
  static ZoneFilter between(int ordinal, long min, long max) {
    return zones ->
        switch (zones.zone(ordinal)) {
          case Zone.Longs longs -> longs.min() <= max && longs.max() >= min;
          case Zone.OnlyNulls nulls -> false;
          case Zone.Unknown unknown -> true;
          case Zone.Doubles doubles -> true;
          case Zone.Strings strings -> true;
        };
  }
}
