package io.alrai.columnar.version;

import java.util.Arrays;
import java.util.Optional;

/**
 * The deletes of a row group, by stamp: a bitmap of those that are older than every reader, and a
 * log of the others. One writer, which replaces the whole when the log is full or folded; a reader
 * takes the instance once and then reads it as it is.
 */
final class Deletes {
  private final int rows;
  private final long[] old;
  private final int oldCount;
  private final int[] places;
  private final long[] stamps;

  /** Publishes the log's entries before it. */
  private volatile int count;

  private Deletes(int rows, long[] old, int oldCount, int[] places, long[] stamps, int count) {
    this.rows = rows;
    this.old = old;
    this.oldCount = oldCount;
    this.places = places;
    this.stamps = stamps;
    this.count = count;
  }

  /** No row is deleted. */
  static Deletes none(int rows) {
    return new Deletes(rows, new long[0], 0, new int[0], new long[0], 0);
  }

  /** Adds a delete: to this, or to a larger copy, which it returns. The writer only. */
  Deletes with(int place, long stamp) {
    Deletes room = this;
    int at = count;
    if (at == places.length) {
      int larger = Math.max(16, 2 * at);
      room =
          new Deletes(
              rows,
              old,
              oldCount,
              Arrays.copyOf(places, larger),
              Arrays.copyOf(stamps, larger),
              at);
    }
    room.places[at] = place;
    room.stamps[at] = stamp;
    room.count = at + 1;
    return room;
  }

  /**
   * Moves the deletes at or below a stamp into the bitmap of a copy; returns this if there are
   * none. The writer only.
   */
  Deletes folded(long watermark) {
    int n = count;
    long[] bits = old.length == 0 ? new long[(rows + 63) / 64] : old.clone();
    int[] laterPlaces = new int[n];
    long[] laterStamps = new long[n];
    int later = 0;
    for (int i = 0; i < n; i++) {
      if (stamps[i] <= watermark) {
        bits[places[i] >> 6] |= 1L << places[i];
      } else {
        laterPlaces[later] = places[i];
        laterStamps[later++] = stamps[i];
      }
    }
    return later == n
        ? this
        : new Deletes(
            rows,
            bits,
            oldCount + n - later,
            Arrays.copyOf(laterPlaces, later),
            Arrays.copyOf(laterStamps, later),
            later);
  }

  /** How many rows are deleted at a timestamp. */
  int deadAt(long at) {
    int n = count;
    int dead = oldCount;
    for (int i = 0; i < n; i++) {
      dead += stamps[i] <= at ? 1 : 0;
    }
    return dead;
  }

  /** Sees every delete above a stamp. */
  interface Visitor {
    void deleted(int place, long stamp);
  }

  void forEachAbove(long watermark, Visitor visitor) {
    int n = count;
    for (int i = 0; i < n; i++) {
      if (stamps[i] > watermark) {
        visitor.deleted(places[i], stamps[i]);
      }
    }
  }

  /** The rows that are not deleted at a timestamp; empty when all are there. */
  Optional<int[]> visible(long at) {
    int n = count;
    long[] dead = old;
    int deadCount = oldCount;
    for (int i = 0; i < n; i++) {
      if (stamps[i] <= at) {
        if (dead == old) {
          dead = old.length == 0 ? new long[(rows + 63) / 64] : old.clone();
        }
        dead[places[i] >> 6] |= 1L << places[i];
        deadCount++;
      }
    }
    if (deadCount == 0) {
      return Optional.empty();
    }
    int[] seen = new int[rows - deadCount];
    int found = 0;
    for (int row = 0; row < rows; row++) {
      if ((dead[row >> 6] >> row & 1) == 0) {
        seen[found++] = row;
      }
    }
    return Optional.of(seen);
  }
}
