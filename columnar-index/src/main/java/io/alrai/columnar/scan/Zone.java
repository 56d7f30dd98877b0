package io.alrai.columnar.scan;

/** What is known of the values of one column in one row group without looking at them. */
public sealed interface Zone {
  /** Nothing: it may hold anything. */
  record Unknown() implements Zone {}

  /** Only NULLs. */
  record OnlyNulls() implements Zone {}

  /**
   * The least and the largest value, signed; both occur or occurred. Of an unsigned column with
   * values beyond 2^63 nothing is known.
   *
   * @param hasNulls whether there may be NULLs beside
   */
  record Longs(long min, long max, boolean hasNulls) implements Zone {}

  /** The range of floating point numbers. */
  record Doubles(double min, double max, boolean hasNulls) implements Zone {}

  /** The distinct strings. */
  record Strings(Dictionary dictionary, boolean hasNulls) implements Zone {}
}
