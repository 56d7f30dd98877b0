package io.alrai.columnar.segment;

import io.alrai.columnar.scan.Storage;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The distinct strings of a column, sorted by their bytes as unsigned numbers, and each row's place
 * among them. A NULL has the code of the empty string, which may be there for its sake only.
 */
final class DistinctBytes {
  /** With more distinct strings than this a dictionary does not pay. */
  private static final int MOST = 1 << 15;

  /** After this many rows it is clear whether a dictionary can pay. */
  private static final int TRIAL = 4_096;

  private final byte[] buffer;
  private final int[] rowEnds;
  private final int rows;
  private final int[] codes;
  private int[] slots = new int[1_024];
  private int[] firstRows = new int[256];
  private int size;

  private DistinctBytes(byte[] buffer, int[] rowEnds, int rows) {
    this.buffer = buffer;
    this.rowEnds = rowEnds;
    this.rows = rows;
    this.codes = new int[rows];
  }

  /**
   * Finds them.
   *
   * @param rowEnds row i is {@code [rowEnds[i], rowEnds[i+1])} of the buffer
   * @return empty when storing the rows one after the other is smaller
   */
  static Optional<DistinctBytes> of(byte[] buffer, int[] rowEnds, int rows) {
    DistinctBytes found = new DistinctBytes(buffer, rowEnds, rows);
    if (!found.gather()) {
      return Optional.empty();
    }
    found.sort();
    long coded = found.bytes().length + 4L * found.size + (long) rows * found.width().width();
    long plain = rowEnds[rows] + 4L * rows;
    return coded < plain ? Optional.of(found) : Optional.empty();
  }

  private boolean gather() {
    for (int row = 0; row < rows; row++) {
      int slot = slotOf(row);
      if (slots[slot] == 0) {
        if (size == MOST || row >= TRIAL && size > row - row / 8) {
          return false;
        }
        if (size == firstRows.length) {
          firstRows = Arrays.copyOf(firstRows, 2 * size);
        }
        firstRows[size++] = row;
        slots[slot] = size;
      }
      codes[row] = slots[slot] - 1;
      if (2 * size > slots.length) {
        rehash();
      }
    }
    return true;
  }

  private int slotOf(int row) {
    int mask = slots.length - 1;
    int slot = hash(row) & mask;
    while (slots[slot] != 0 && !same(firstRows[slots[slot] - 1], row)) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private int hash(int row) {
    int hash = 0;
    for (int i = rowEnds[row]; i < rowEnds[row + 1]; i++) {
      hash = 31 * hash + buffer[i];
    }
    return hash * 0x9E3779B9 >>> 7;
  }

  private boolean same(int one, int other) {
    return Arrays.equals(
        buffer, rowEnds[one], rowEnds[one + 1], buffer, rowEnds[other], rowEnds[other + 1]);
  }

  private void rehash() {
    slots = new int[2 * slots.length];
    for (int i = 0; i < size; i++) {
      slots[slotOf(firstRows[i])] = i + 1;
    }
  }

  private void sort() {
    Comparator<Integer> byBytes =
        (a, b) ->
            Arrays.compareUnsigned(
                buffer, rowEnds[a], rowEnds[a + 1], buffer, rowEnds[b], rowEnds[b + 1]);
    int[] order =
        IntStream.range(0, size)
            .boxed()
            .sorted(Comparator.comparing(i -> firstRows[i], byBytes))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] rank = new int[size];
    int[] sorted = new int[size];
    for (int i = 0; i < size; i++) {
      rank[order[i]] = i;
      sorted[i] = firstRows[order[i]];
    }
    firstRows = sorted;
    for (int row = 0; row < rows; row++) {
      codes[row] = rank[codes[row]];
    }
  }

  int size() {
    return size;
  }

  /** The code of each row. */
  int[] codes() {
    return codes;
  }

  /** The storage of the codes. */
  Storage width() {
    return Storage.holding(0, size);
  }

  /** The ends of the entries, after a 0. */
  int[] ends() {
    int[] ends = new int[size + 1];
    for (int i = 0; i < size; i++) {
      ends[i + 1] = ends[i] + rowEnds[firstRows[i] + 1] - rowEnds[firstRows[i]];
    }
    return ends;
  }

  /** The entries one after the other. */
  byte[] bytes() {
    int[] ends = ends();
    byte[] bytes = new byte[ends[size]];
    for (int i = 0; i < size; i++) {
      System.arraycopy(buffer, rowEnds[firstRows[i]], bytes, ends[i], ends[i + 1] - ends[i]);
    }
    return bytes;
  }
}
