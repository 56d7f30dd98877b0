package io.alrai.executor.vector;

/** Rows of one layout beside each other, in memory or elsewhere. Any thread. */
public interface StoredPiece {
  /** How many. */
  int rows();

  /** How much of a buffer {@link #load} takes; 0 for rows that are in memory. */
  long bufferBytes();

  /**
   * Brings them into memory.
   *
   * @param buffer where they may be put; what was there before is overwritten
   * @return the address of the first
   */
  long load(PieceBuffer buffer);
}
