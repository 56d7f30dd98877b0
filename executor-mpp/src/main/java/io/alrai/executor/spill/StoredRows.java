package io.alrai.executor.spill;

import io.alrai.executor.vector.StoredPiece;
import java.util.List;

/**
 * What a stage has made: rows in memory, on disk, or both, in their order. Holds them until the
 * last of those who share it lets go. One thread.
 */
public final class StoredRows {
  private final List<StoredPiece> pieces;
  private final boolean merged;
  private final Runnable release;
  private int holders = 1;

  /**
   * Rows.
   *
   * @param merged whether they are groups of which each is there once
   * @param release frees what they lie in
   */
  public StoredRows(List<? extends StoredPiece> pieces, boolean merged, Runnable release) {
    this.pieces = List.copyOf(pieces);
    this.merged = merged;
    this.release = release;
  }

  /** None. */
  public static StoredRows none() {
    return new StoredRows(List.of(), false, () -> {});
  }

  /** The rows. */
  public List<StoredPiece> pieces() {
    return pieces;
  }

  /** Whether they are groups of which each is there once. */
  public boolean isMerged() {
    return merged;
  }

  /** Shares the rows with another holder, who releases them too. */
  public StoredRows share() {
    holders++;
    return this;
  }

  /** Lets go. */
  public void letGo() {
    if (--holders == 0) {
      release.run();
    }
  }
}
