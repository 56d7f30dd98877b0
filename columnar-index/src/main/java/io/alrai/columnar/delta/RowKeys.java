package io.alrai.columnar.delta;

import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.scan.Dictionary;
import io.alrai.columnar.scan.Storage;
import io.alrai.columnar.scan.TableShape;
import io.alrai.common.changelog.RowImage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/**
 * The primary keys of rows: their hash and their equality, byte for byte. That is enough whatever
 * the collation, as the log shows a row that changes exactly as it is stored. Immutable.
 */
public final class RowKeys {
  private final int[] ordinals;
  private final boolean[] isBytes;

  /**
   * The keys of a table.
   *
   * @throws IllegalArgumentException when it has none
   */
  public RowKeys(TableShape shape) {
    if (shape.primaryKey().isEmpty()) {
      throw new IllegalArgumentException("a column index needs a primary key");
    }
    ordinals = shape.primaryKey().stream().mapToInt(Integer::intValue).toArray();
    isBytes = new boolean[ordinals.length];
    for (int i = 0; i < ordinals.length; i++) {
      Storage widest = shape.columns().get(ordinals[i]).kind().widest();
      isBytes[i] = widest == Storage.BYTES || widest == Storage.INT128;
    }
  }

  /** The hash of the key of a row from the log. */
  public int hash(RowImage row) {
    long hash = 0;
    for (int i = 0; i < ordinals.length; i++) {
      hash =
          mix(hash, isBytes[i] ? Arrays.hashCode(row.bytes(ordinals[i])) : row.number(ordinals[i]));
    }
    return finish(hash);
  }

  /** The hash of the key of a stored row. */
  public int hash(List<ColumnVector> vectors, int row) {
    long hash = 0;
    for (int i = 0; i < ordinals.length; i++) {
      ColumnVector vector = vectors.get(ordinals[i]);
      hash = mix(hash, isBytes[i] ? Arrays.hashCode(bytesAt(vector, row)) : number(vector, row));
    }
    return finish(hash);
  }

  /** Whether a row from the log has the key of a stored one. */
  public boolean same(RowImage image, List<ColumnVector> vectors, int row) {
    for (int i = 0; i < ordinals.length; i++) {
      ColumnVector vector = vectors.get(ordinals[i]);
      boolean same =
          isBytes[i]
              ? sameBytes(image.bytes(ordinals[i]), vector, row)
              : image.number(ordinals[i]) == number(vector, row);
      if (!same) {
        return false;
      }
    }
    return true;
  }

  private static long mix(long hash, long value) {
    long mixed = (hash ^ value) * 0x9E3779B97F4A7C15L;
    return mixed ^ mixed >>> 32;
  }

  private static int finish(long hash) {
    return (int) (hash * 0xD6E8FEB86659FD93L >>> 32);
  }

  private static long number(ColumnVector vector, int row) {
    return switch (vector.storage()) {
      case FLOAT32 -> vector.values().getAtIndex(ValueLayout.JAVA_INT, row);
      case FLOAT64 -> vector.values().getAtIndex(ValueLayout.JAVA_LONG, row);
      default -> vector.longAt(row);
    };
  }

  private static byte[] bytesAt(ColumnVector vector, int row) {
    return vector.storage() == Storage.INT128
        ? vector.values().asSlice(16L * row, 16).toArray(ValueLayout.JAVA_BYTE)
        : vector.bytesAt(row);
  }

  private static boolean sameBytes(byte[] value, ColumnVector vector, int row) {
    MemorySegment in;
    long start;
    long end;
    if (vector.storage() == Storage.INT128) {
      in = vector.values();
      start = 16L * row;
      end = start + 16;
    } else if (vector.dictionary().isPresent()) {
      Dictionary dictionary = vector.dictionary().get();
      in = dictionary.bytes();
      start = dictionary.start((int) vector.longAt(row));
      end = dictionary.end((int) vector.longAt(row));
    } else {
      in = vector.bytes().orElseThrow();
      start = vector.values().getAtIndex(ValueLayout.JAVA_INT, row);
      end = vector.values().getAtIndex(ValueLayout.JAVA_INT, row + 1L);
    }
    return end - start == value.length
        && MemorySegment.mismatch(in, start, end, MemorySegment.ofArray(value), 0, value.length)
            < 0;
  }
}
