package io.alrai.columnar.segment;

import io.alrai.columnar.scan.ColumnBatch;
import io.alrai.columnar.scan.ColumnKind;
import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.scan.Storage;
import io.alrai.columnar.scan.Zone;
import io.alrai.common.changelog.RowImage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;

/** Gathers the values of one column of a row group. Belongs to one thread. */
abstract sealed class ColumnBuilder permits FixedColumnBuilder, BytesColumnBuilder {
  final ColumnKind kind;
  private final byte[] validity = new byte[ColumnBatch.MOST_ROWS / 8];
  private int nulls;
  private int rows;

  ColumnBuilder(ColumnKind kind) {
    this.kind = kind;
  }

  static ColumnBuilder of(ColumnKind kind) {
    return kind.widest() == Storage.BYTES
        ? new BytesColumnBuilder(kind)
        : new FixedColumnBuilder(kind);
  }

  final void add(RowImage row, int ordinal) {
    if (row.isNull(ordinal)) {
      addNull();
    } else {
      validity[rows >> 3] |= (byte) (1 << (rows & 7));
      put(rows++, row, ordinal);
    }
  }

  final void add(ColumnVector vector, int row) {
    if (vector.isNull(row)) {
      addNull();
    } else {
      validity[rows >> 3] |= (byte) (1 << (rows & 7));
      put(rows++, vector, row);
    }
  }

  private void addNull() {
    nulls++;
    putNull(rows++);
  }

  abstract void put(int at, RowImage row, int ordinal);

  abstract void put(int at, ColumnVector vector, int row);

  abstract void putNull(int at);

  final int rows() {
    return rows;
  }

  final boolean hasNulls() {
    return nulls > 0;
  }

  final boolean hasValues() {
    return nulls < rows;
  }

  final boolean isNull(int row) {
    return (validity[row >> 3] >> (row & 7) & 1) == 0;
  }

  final Optional<MemorySegment> validity(Slab slab) {
    if (nulls == 0) {
      return Optional.empty();
    }
    int length = (rows + 7) / 8;
    MemorySegment bits = slab.allocate(length);
    MemorySegment.copy(validity, 0, bits, ValueLayout.JAVA_BYTE, 0, length);
    return Optional.of(bits);
  }

  /** The vector and what is known of it. */
  record Built(ColumnVector vector, Zone zone) {}

  abstract Built build(Slab slab);

  /** Forgets all rows. */
  void clear() {
    Arrays.fill(validity, (byte) 0);
    nulls = 0;
    rows = 0;
  }
}
