package io.alrai.columnar.delta;

import io.alrai.columnar.scan.ColumnShape;
import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.scan.Storage;
import io.alrai.columnar.segment.Slab;
import io.alrai.common.changelog.RowImage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/**
 * A column of a chunk, as wide as its kind. Written by one thread; a reader sees what was written
 * before the count of rows that it has read.
 */
final class DeltaColumn {
  private static final int FIRST_BYTES_EACH = 16;

  private final ColumnShape shape;
  private final Storage storage;
  private final Slab slab;
  private final MemorySegment values;
  private final Optional<MemorySegment> validity;

  /** Grows by being replaced; what readers hold stays as it is. Publishes what was copied. */
  private volatile MemorySegment bytes;

  private int length;

  DeltaColumn(ColumnShape shape, int capacity, Slab slab) {
    this.shape = shape;
    this.slab = slab;
    storage = shape.kind().widest();
    boolean variable = storage == Storage.BYTES;
    values = slab.allocate((long) (capacity + (variable ? 1 : 0)) * storage.width());
    validity = shape.nullable() ? Optional.of(slab.allocate(capacity / 8)) : Optional.empty();
    bytes = variable ? slab.allocate((long) capacity * FIRST_BYTES_EACH) : MemorySegment.NULL;
  }

  void put(int at, RowImage row, int ordinal) {
    boolean isNull = row.isNull(ordinal);
    if (isNull && validity.isEmpty()) {
      throw new IllegalArgumentException("NULL for " + shape.name());
    }
    if (!isNull && validity.isPresent()) {
      MemorySegment bits = validity.get();
      byte old = bits.get(ValueLayout.JAVA_BYTE, at >> 3);
      bits.set(ValueLayout.JAVA_BYTE, at >> 3, (byte) (old | 1 << (at & 7)));
    }
    switch (storage) {
      case BYTES -> putBytes(at, row.bytes(ordinal));
      case INT128 -> {
        if (!isNull) {
          MemorySegment.copy(row.bytes(ordinal), 0, values, ValueLayout.JAVA_BYTE, 16L * at, 16);
        }
      }
      case INT64, FLOAT64 -> values.setAtIndex(ValueLayout.JAVA_LONG, at, row.number(ordinal));
      case INT32, FLOAT32 -> values.setAtIndex(ValueLayout.JAVA_INT, at, (int) row.number(ordinal));
      case INT8, INT16 -> throw new IllegalStateException("no kind is at most " + storage);
    }
  }

  private void putBytes(int at, byte[] value) {
    MemorySegment into = bytes;
    if (value.length > into.byteSize() - length) {
      long wanted = Math.max(2 * into.byteSize(), (long) length + value.length);
      into = slab.allocate(wanted);
      MemorySegment.copy(bytes, 0, into, 0, length);
      bytes = into;
    }
    MemorySegment.copy(value, 0, into, ValueLayout.JAVA_BYTE, length, value.length);
    length = Math.addExact(length, value.length);
    values.setAtIndex(ValueLayout.JAVA_INT, at + 1L, length);
  }

  ColumnVector vector() {
    return new ColumnVector(
        shape.kind(),
        storage,
        values,
        validity,
        storage == Storage.BYTES ? Optional.of(bytes) : Optional.empty(),
        Optional.empty());
  }
}
