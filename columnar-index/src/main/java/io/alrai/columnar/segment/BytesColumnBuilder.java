package io.alrai.columnar.segment;

import io.alrai.columnar.scan.ColumnKind;
import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.scan.Dictionary;
import io.alrai.columnar.scan.Storage;
import io.alrai.columnar.scan.Zone;
import io.alrai.common.changelog.RowImage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Optional;

/** Strings and bytes: as codes of a dictionary where that is smaller, else one after the other. */
final class BytesColumnBuilder extends ColumnBuilder {
  private byte[] buffer = new byte[4_096];
  private int[] ends = new int[1_025];
  private int length;

  BytesColumnBuilder(ColumnKind kind) {
    super(kind);
  }

  @Override
  void put(int at, RowImage row, int ordinal) {
    byte[] value = row.bytes(ordinal);
    append(at, MemorySegment.ofArray(value), 0, value.length);
  }

  @Override
  void put(int at, ColumnVector vector, int row) {
    if (vector.dictionary().isPresent()) {
      Dictionary dictionary = vector.dictionary().get();
      int code = (int) vector.longAt(row);
      append(at, dictionary.bytes(), dictionary.start(code), dictionary.end(code));
    } else {
      append(
          at,
          vector.bytes().orElseThrow(),
          vector.values().getAtIndex(ValueLayout.JAVA_INT, row),
          vector.values().getAtIndex(ValueLayout.JAVA_INT, row + 1L));
    }
  }

  @Override
  void putNull(int at) {
    append(at, MemorySegment.NULL, 0, 0);
  }

  private void append(int at, MemorySegment from, int start, int end) {
    int size = end - start;
    if (size > buffer.length - length) {
      buffer = Arrays.copyOf(buffer, Math.max(Math.addExact(length, size), 2 * buffer.length));
    }
    MemorySegment.copy(from, ValueLayout.JAVA_BYTE, start, buffer, length, size);
    length += size;
    if (at + 1 == ends.length) {
      ends = Arrays.copyOf(ends, 2 * at + 1);
    }
    ends[at + 1] = length;
  }

  @Override
  Built build(Slab slab) {
    Optional<DistinctBytes> distinct = DistinctBytes.of(buffer, ends, rows());
    if (distinct.isPresent()) {
      return coded(distinct.get(), slab);
    }
    ColumnVector vector =
        new ColumnVector(
            kind,
            Storage.BYTES,
            copy(slab, ends, rows() + 1),
            validity(slab),
            Optional.of(copy(slab, buffer, length)),
            Optional.empty());
    return new Built(vector, hasValues() ? new Zone.Unknown() : new Zone.OnlyNulls());
  }

  private Built coded(DistinctBytes distinct, Slab slab) {
    Dictionary dictionary =
        new Dictionary(
            distinct.size(),
            copy(slab, distinct.ends(), distinct.size() + 1),
            copy(slab, distinct.bytes(), distinct.bytes().length));
    int[] codes = distinct.codes();
    Storage storage = distinct.width();
    MemorySegment values = slab.allocate((long) rows() * storage.width());
    for (int i = 0; i < rows(); i++) {
      switch (storage) {
        case INT8 -> values.set(ValueLayout.JAVA_BYTE, i, (byte) codes[i]);
        case INT16 -> values.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) codes[i]);
        default -> values.setAtIndex(ValueLayout.JAVA_INT, i, codes[i]);
      }
    }
    ColumnVector vector =
        new ColumnVector(
            kind, storage, values, validity(slab), Optional.empty(), Optional.of(dictionary));
    return new Built(
        vector, hasValues() ? new Zone.Strings(dictionary, hasNulls()) : new Zone.OnlyNulls());
  }

  private static MemorySegment copy(Slab slab, int[] from, int count) {
    MemorySegment to = slab.allocate(4L * count);
    MemorySegment.copy(from, 0, to, ValueLayout.JAVA_INT, 0, count);
    return to;
  }

  private static MemorySegment copy(Slab slab, byte[] from, int count) {
    MemorySegment to = slab.allocate(count);
    MemorySegment.copy(from, 0, to, ValueLayout.JAVA_BYTE, 0, count);
    return to;
  }

  @Override
  void clear() {
    super.clear();
    length = 0;
  }
}
