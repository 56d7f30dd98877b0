package io.alrai.columnar.segment;

import io.alrai.columnar.scan.ColumnKind;
import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.scan.Storage;
import io.alrai.columnar.scan.Zone;
import io.alrai.common.changelog.RowImage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Numbers: gathered as 64 or 128 bits, stored as narrow as they allow. */
final class FixedColumnBuilder extends ColumnBuilder {
  private final Storage widest;
  private long[] low = new long[1_024];
  private long[] high;
  private long min = Long.MAX_VALUE;
  private long max = Long.MIN_VALUE;

  FixedColumnBuilder(ColumnKind kind) {
    super(kind);
    widest = kind.widest();
    high = new long[widest == Storage.INT128 ? low.length : 0];
  }

  @Override
  void put(int at, RowImage row, int ordinal) {
    if (widest == Storage.INT128) {
      MemorySegment wide = MemorySegment.ofArray(row.bytes(ordinal));
      put(
          at,
          wide.get(ValueLayout.JAVA_LONG_UNALIGNED, 0),
          wide.get(ValueLayout.JAVA_LONG_UNALIGNED, 8));
    } else {
      put(at, row.number(ordinal), 0);
    }
  }

  @Override
  void put(int at, ColumnVector vector, int row) {
    MemorySegment values = vector.values();
    switch (vector.storage()) {
      case INT128 ->
          put(
              at,
              values.getAtIndex(ValueLayout.JAVA_LONG, 2L * row),
              values.getAtIndex(ValueLayout.JAVA_LONG, 2L * row + 1));
      case FLOAT32 -> put(at, values.getAtIndex(ValueLayout.JAVA_INT, row), 0);
      case FLOAT64 -> put(at, values.getAtIndex(ValueLayout.JAVA_LONG, row), 0);
      case INT8, INT16, INT32, INT64 -> put(at, vector.longAt(row), 0);
      case BYTES -> throw new IllegalArgumentException("bytes for " + kind);
    }
  }

  @Override
  void putNull(int at) {
    grow(at);
    low[at] = 0;
    if (widest == Storage.INT128) {
      high[at] = 0;
    }
  }

  private void put(int at, long value, long wide) {
    grow(at);
    low[at] = value;
    min = Math.min(min, value);
    max = Math.max(max, value);
    if (widest == Storage.INT128) {
      high[at] = wide;
    }
  }

  private void grow(int at) {
    if (at == low.length) {
      low = Arrays.copyOf(low, 2 * at);
      high = Arrays.copyOf(high, widest == Storage.INT128 ? 2 * at : 0);
    }
  }

  private boolean isBeyondSigned() {
    return min < 0 && kind instanceof ColumnKind.Int whole && whole.unsigned();
  }

  private Storage narrowest() {
    if (!widest.isLong() || isBeyondSigned()) {
      return widest;
    }
    // the value of a NULL is 0
    return hasValues() ? Storage.holding(min, max) : Storage.INT8;
  }

  @Override
  Built build(Slab slab) {
    Storage storage = narrowest();
    MemorySegment values = slab.allocate((long) rows() * storage.width());
    for (int i = 0; i < rows(); i++) {
      switch (storage) {
        case INT8 -> values.set(ValueLayout.JAVA_BYTE, i, (byte) low[i]);
        case INT16 -> values.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) low[i]);
        case INT32, FLOAT32 -> values.setAtIndex(ValueLayout.JAVA_INT, i, (int) low[i]);
        case INT64, FLOAT64 -> values.setAtIndex(ValueLayout.JAVA_LONG, i, low[i]);
        case INT128 -> {
          values.setAtIndex(ValueLayout.JAVA_LONG, 2L * i, low[i]);
          values.setAtIndex(ValueLayout.JAVA_LONG, 2L * i + 1, high[i]);
        }
        case BYTES -> throw new IllegalStateException("no numbers");
      }
    }
    return new Built(ColumnVector.fixed(kind, storage, values, validity(slab)), zone());
  }

  private Zone zone() {
    if (!hasValues()) {
      return new Zone.OnlyNulls();
    }
    if (widest.isLong() && !isBeyondSigned()) {
      return new Zone.Longs(min, max, hasNulls());
    }
    return widest == Storage.FLOAT32 || widest == Storage.FLOAT64 ? doubles() : new Zone.Unknown();
  }

  private Zone doubles() {
    double least = Double.POSITIVE_INFINITY;
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < rows(); i++) {
      if (!isNull(i)) {
        double value =
            widest == Storage.FLOAT32
                ? Float.intBitsToFloat((int) low[i])
                : Double.longBitsToDouble(low[i]);
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
    }
    return new Zone.Doubles(least, most, hasNulls());
  }

  @Override
  void clear() {
    super.clear();
    min = Long.MAX_VALUE;
    max = Long.MIN_VALUE;
  }
}
