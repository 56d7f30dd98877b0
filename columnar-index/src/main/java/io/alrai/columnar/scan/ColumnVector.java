package io.alrai.columnar.scan;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * A column of a batch. All segments are aligned to 64 bytes and padded to whole multiples of 64,
 * off the heap, so that their addresses may be used too.
 *
 * <pre>
 *  values    storage.width() bytes for each row (BYTES: rows + 1 ends); below a NULL anything
 *  validity  bit i % 8 of byte i / 8 is 1 where row i has a value; absent: every row has one
 *  bytes     what the ends point into; absent unless BYTES
 *  codes     with a dictionary the values are INT8, INT16 or INT32 codes, never negative
 * </pre>
 *
 * @param storage how the values lie; with a dictionary, the codes
 */
public record ColumnVector(
    ColumnKind kind,
    Storage storage,
    MemorySegment values,
    Optional<MemorySegment> validity,
    Optional<MemorySegment> bytes,
    Optional<Dictionary> dictionary) {

  /** Numbers, or other values of a fixed width. */
  public static ColumnVector fixed(
      ColumnKind kind, Storage storage, MemorySegment values, Optional<MemorySegment> validity) {
    return new ColumnVector(kind, storage, values, validity, Optional.empty(), Optional.empty());
  }

  /** Whether a row has no value. For tests and rare paths, like all methods below. */
  public boolean isNull(int row) {
    return validity.isPresent()
        && (validity.get().get(ValueLayout.JAVA_BYTE, row >> 3) >> (row & 7) & 1) == 0;
  }

  /** The value, or the code, of a row of INT8 to INT64. */
  public long longAt(int row) {
    return switch (storage) {
      case INT8 -> values.get(ValueLayout.JAVA_BYTE, row);
      case INT16 -> values.getAtIndex(ValueLayout.JAVA_SHORT, row);
      case INT32 -> values.getAtIndex(ValueLayout.JAVA_INT, row);
      case INT64 -> values.getAtIndex(ValueLayout.JAVA_LONG, row);
      case INT128, FLOAT32, FLOAT64, BYTES -> throw new IllegalStateException("is " + storage);
    };
  }

  /** The value of a row of FLOAT32 or FLOAT64. */
  public double doubleAt(int row) {
    return storage == Storage.FLOAT32
        ? values.getAtIndex(ValueLayout.JAVA_FLOAT, row)
        : values.getAtIndex(ValueLayout.JAVA_DOUBLE, row);
  }

  /** A copy of the bytes of a row, from the dictionary if there is one. */
  public byte[] bytesAt(int row) {
    if (dictionary.isPresent()) {
      return dictionary.get().entry((int) longAt(row));
    }
    int start = values.getAtIndex(ValueLayout.JAVA_INT, row);
    int end = values.getAtIndex(ValueLayout.JAVA_INT, row + 1L);
    return bytes.orElseThrow().asSlice(start, end - start).toArray(ValueLayout.JAVA_BYTE);
  }
}
