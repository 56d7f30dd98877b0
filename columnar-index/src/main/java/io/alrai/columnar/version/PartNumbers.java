package io.alrai.columnar.version;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** The parts of the current version by their numbers. Belongs to the partition's lock. */
final class PartNumbers {
  private static final int MOST = 1 << 16;

  private @Nullable StoredRows[] parts = new StoredRows[16];
  private final BitSet taken = new BitSet();

  PartNumbers() {
    taken.set(0); // so that a place is never 0
  }

  /** A number that is free, taken from now on. */
  int next() {
    int free = taken.nextClearBit(0);
    if (free == MOST) {
      throw new AlraiException(
          ErrorCode.ER_OUT_OF_RESOURCES, "a partition of the column index has 65535 parts");
    }
    taken.set(free);
    return free;
  }

  void put(StoredRows part) {
    if (part.number() >= parts.length) {
      parts = Arrays.copyOf(parts, Math.max(2 * parts.length, part.number() + 1));
    }
    parts[part.number()] = part;
  }

  StoredRows at(int number) {
    StoredRows part = parts[number];
    if (part == null) {
      throw new IllegalStateException("no part " + number);
    }
    return part;
  }

  void release(int number) {
    parts[number] = null;
    taken.clear(number);
  }
}
