package io.alrai.executor.fragment;

/**
 * The rows that a window function sees.
 *
 * @param byRows ROWS; else RANGE, where rows with equal sort keys are one
 * @param from where it begins; rows before the current one are below zero, {@link
 *     #UNBOUNDED_BEFORE} for all
 * @param to where it ends, inclusive; {@link #UNBOUNDED_AFTER} for all
 */
public record WindowFrame(boolean byRows, long from, long to) {
  /** From the partition's first row. */
  public static final long UNBOUNDED_BEFORE = Long.MIN_VALUE;

  /** To the partition's last row. */
  public static final long UNBOUNDED_AFTER = Long.MAX_VALUE;

  /** Without ORDER BY. */
  public static final WindowFrame PARTITION =
      new WindowFrame(false, UNBOUNDED_BEFORE, UNBOUNDED_AFTER);

  /** The default with ORDER BY: up to the current row and its peers. */
  public static final WindowFrame RUNNING = new WindowFrame(false, UNBOUNDED_BEFORE, 0);
}
