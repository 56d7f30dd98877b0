package io.alrai.executor.spill;

import io.alrai.executor.vector.HashPlace;
import java.util.List;

/**
 * Rows whose hashes agree in some of the bits of {@link HashPlace}: in the first 6 for each level.
 *
 * <pre>
 *   bit  63 .. 60   49 .. 44   43 .. 38   37 .. 32   31 .. 3
 *        filter     level 1    level 2    level 3    bucket
 * </pre>
 *
 * @param level how many levels agree, 0 to {@link #LEVELS}
 * @param prefix the bits that agree
 * @param pieces the rows
 */
public record Partition(int level, int prefix, List<Extent> pieces) {
  /** Levels at most. */
  public static final int LEVELS = 3;

  /** How many parts each level makes of one. */
  public static final int FAN = 64;

  private static final int FAN_BITS = 6;

  public Partition {
    pieces = List.copyOf(pieces);
  }

  /** Which part of a partition of a level a hash belongs to. */
  static int part(long hash, int level) {
    return HashPlace.of(hash) >>> (LEVELS - 1 - level) * FAN_BITS & FAN - 1;
  }

  /** The place of the first hash that belongs here. */
  public int from() {
    return prefix << (LEVELS - level) * FAN_BITS;
  }

  /** The place of the last hash that belongs here. */
  public int to() {
    return (prefix + 1 << (LEVELS - level) * FAN_BITS) - 1;
  }

  /** How many rows there are. */
  public long rows() {
    return pieces.stream().mapToLong(Extent::rows).sum();
  }

  /** One of its parts, of the next level. */
  Partition part(int number, List<Extent> rows) {
    return new Partition(level + 1, (prefix << FAN_BITS) + number, rows);
  }

  /** Whether it can be cut further. */
  public boolean isDivisible() {
    return level < LEVELS;
  }

  /** All rows there are: nothing need agree. */
  public static Partition whole() {
    return new Partition(0, 0, List.of());
  }
}
