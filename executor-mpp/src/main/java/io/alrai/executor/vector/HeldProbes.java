package io.alrai.executor.vector;

import java.util.Arrays;

/**
 * Where a pipeline was within the partners of one row when it paused: a place for each join that
 * the row had entered, the outermost first. Written and read by generated code, which finds the
 * same rows again from there. Belongs to one thread at a time.
 */
public final class HeldProbes {
  private static final int FEW = 4;

  private long[] rows = new long[FEW];
  private int[] seen = new int[FEW];
  private int depth;

  /**
   * Keeps a join's place.
   *
   * @param row the partner at work, of the innermost join the next one; 0 for none
   * @param any whether the row has had a partner, 1 or 0; read by outer joins only
   */
  public void keep(int join, long row, int any) {
    if (join >= rows.length) {
      rows = Arrays.copyOf(rows, 2 * join);
      seen = Arrays.copyOf(seen, 2 * join);
    }
    rows[join] = row;
    seen[join] = any;
    depth = Math.max(depth, join + 1);
  }

  /** How many places are kept, which is 0 from now on; what was kept can still be read. */
  public int take() {
    int taken = depth;
    depth = 0;
    return taken;
  }

  /** The partner that was kept. */
  public long row(int join) {
    return rows[join];
  }

  /** Whether the row had had a partner. */
  public int any(int join) {
    return seen[join];
  }
}
