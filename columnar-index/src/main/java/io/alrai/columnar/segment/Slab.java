package io.alrai.columnar.segment;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Memory that is freed as one. Allocating belongs to one thread at a time; what it gave may be used
 * by all. After {@link #close} every access throws IllegalStateException.
 */
public final class Slab implements AutoCloseable {
  /** What Arrow recommends: a cache line, and the widest vector register. */
  private static final long ALIGNMENT = 64;

  private final MemoryBudget budget;
  private final Arena arena = Arena.ofShared();
  private long bytes;

  /** Has nothing yet. */
  public Slab(MemoryBudget budget) {
    this.budget = budget;
  }

  /**
   * Zeroed memory, rounded up to whole cache lines.
   *
   * @throws io.alrai.common.error.AlraiException when the budget does not allow it
   */
  public MemorySegment allocate(long size) {
    long rounded = Math.max(ALIGNMENT, size + ALIGNMENT - 1 & -ALIGNMENT);
    budget.take(rounded);
    bytes += rounded;
    return arena.allocate(rounded, ALIGNMENT);
  }

  /** All that was allocated. */
  public long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    arena.close();
    budget.giveBack(bytes);
  }
}
