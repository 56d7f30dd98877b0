package io.alrai.executor.task;

import io.alrai.columnar.scan.ColumnBatch;
import io.alrai.columnar.scan.ColumnKind;
import io.alrai.columnar.scan.ColumnShape;
import io.alrai.columnar.scan.ColumnTable;
import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.scan.Cursor;
import io.alrai.columnar.scan.Dictionary;
import io.alrai.columnar.scan.Storage;
import io.alrai.columnar.scan.TableScan;
import io.alrai.columnar.scan.TableShape;
import io.alrai.columnar.scan.ZoneFilter;
import io.alrai.common.time.HlcTimestamp;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * A column table in memory. Rows are arrays of Long (numbers, dates, times), BigDecimal, Double,
 * String or null. Each batch is stored as narrow as it can be; strings as a dictionary where they
 * repeat.
 */
final class TestTable implements ColumnTable {
  private final TableShape shape;
  private final int batchRows;
  private final List<ColumnBatch> batches = new ArrayList<>();
  private List<Object[]> pending = new ArrayList<>();
  private int rows;

  TestTable(List<ColumnShape> columns, int batchRows) {
    this.shape = new TableShape(columns, List.of(0));
    this.batchRows = batchRows;
  }

  TestTable add(Object... row) {
    pending.add(row);
    rows++;
    if (pending.size() == batchRows) {
      flush();
    }
    return this;
  }

  private void flush() {
    if (!pending.isEmpty()) {
      List<ColumnVector> vectors = new ArrayList<>();
      for (int i = 0; i < shape.columns().size(); i++) {
        int column = i;
        List<Object> values = new ArrayList<>();
        pending.forEach(row -> values.add(row[column]));
        vectors.add(vector(shape.columns().get(i).kind(), values));
      }
      batches.add(new ColumnBatch(pending.size(), vectors, Optional.empty()));
      pending = new ArrayList<>();
    }
  }

  private static MemorySegment allocate(long bytes) {
    return Arena.global().allocate((bytes + 127) / 64 * 64, 64);
  }

  private static ColumnVector vector(ColumnKind kind, List<Object> values) {
    Optional<MemorySegment> validity = Optional.empty();
    if (values.contains(null)) {
      MemorySegment bits = allocate(values.size() / 8 + 1);
      for (int i = 0; i < values.size(); i++) {
        if (values.get(i) != null) {
          byte old = bits.get(ValueLayout.JAVA_BYTE, i / 8);
          bits.set(ValueLayout.JAVA_BYTE, i / 8, (byte) (old | 1 << i % 8));
        }
      }
      validity = Optional.of(bits);
    }
    if (kind instanceof ColumnKind.Text) {
      return text(kind, values, validity);
    }
    if (kind instanceof ColumnKind.Floating) {
      MemorySegment segment = allocate(values.size() * 8L);
      for (int i = 0; i < values.size(); i++) {
        double value = values.get(i) instanceof Double known ? known : Double.NaN;
        segment.setAtIndex(ValueLayout.JAVA_DOUBLE, i, value);
      }
      return ColumnVector.fixed(kind, Storage.FLOAT64, segment, validity);
    }
    return numbers(kind, values, validity);
  }

  private static BigInteger scaled(ColumnKind kind, Object value) {
    if (value instanceof BigDecimal decimal) {
      return decimal.setScale(((ColumnKind.Decimal) kind).scale()).unscaledValue();
    }
    // Below a NULL anything may lie.
    return value == null
        ? BigInteger.valueOf(77)
        : BigInteger.valueOf(((Number) value).longValue());
  }

  private static ColumnVector numbers(
      ColumnKind kind, List<Object> values, Optional<MemorySegment> validity) {
    List<BigInteger> scaled = values.stream().map(value -> scaled(kind, value)).toList();
    boolean wide = kind.widest() == Storage.INT128;
    Storage storage = Storage.INT128;
    if (!wide) {
      long min = scaled.stream().mapToLong(BigInteger::longValueExact).min().orElse(0);
      long max = scaled.stream().mapToLong(BigInteger::longValueExact).max().orElse(0);
      storage = Storage.holding(min, max);
    }
    MemorySegment segment = allocate((long) values.size() * storage.width());
    for (int i = 0; i < scaled.size(); i++) {
      long value = scaled.get(i).longValue();
      switch (storage) {
        case INT8 -> segment.set(ValueLayout.JAVA_BYTE, i, (byte) value);
        case INT16 -> segment.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) value);
        case INT32 -> segment.setAtIndex(ValueLayout.JAVA_INT, i, (int) value);
        case INT64 -> segment.setAtIndex(ValueLayout.JAVA_LONG, i, value);
        default -> {
          segment.setAtIndex(ValueLayout.JAVA_LONG, 2L * i, value);
          segment.setAtIndex(
              ValueLayout.JAVA_LONG, 2L * i + 1, scaled.get(i).shiftRight(64).longValue());
        }
      }
    }
    return ColumnVector.fixed(kind, storage, segment, validity);
  }

  private static MemorySegment ends(List<byte[]> strings) {
    MemorySegment ends = allocate(4L * (strings.size() + 1));
    int at = 0;
    for (int i = 0; i < strings.size(); i++) {
      at += strings.get(i).length;
      ends.setAtIndex(ValueLayout.JAVA_INT, i + 1L, at);
    }
    return ends;
  }

  private static MemorySegment bytes(List<byte[]> strings) {
    MemorySegment all = allocate(strings.stream().mapToInt(s -> s.length).sum() + 1L);
    long at = 0;
    for (byte[] string : strings) {
      MemorySegment.copy(MemorySegment.ofArray(string), 0, all, at, string.length);
      at += string.length;
    }
    return all;
  }

  private static List<byte[]> utf8(List<String> strings) {
    return strings.stream().map(s -> s.getBytes(StandardCharsets.UTF_8)).toList();
  }

  private static ColumnVector text(
      ColumnKind kind, List<Object> values, Optional<MemorySegment> validity) {
    List<String> strings =
        values.stream().map(value -> value == null ? "" : (String) value).toList();
    TreeSet<String> distinct = new TreeSet<>(strings);
    if (distinct.size() > 100) {
      List<byte[]> plain = utf8(strings);
      return new ColumnVector(
          kind, Storage.BYTES, ends(plain), validity, Optional.of(bytes(plain)), Optional.empty());
    }
    List<String> entries = new ArrayList<>(distinct);
    List<byte[]> plain = utf8(entries);
    Dictionary dictionary = new Dictionary(entries.size(), ends(plain), bytes(plain));
    MemorySegment codes = allocate(strings.size());
    for (int i = 0; i < strings.size(); i++) {
      codes.set(ValueLayout.JAVA_BYTE, i, (byte) entries.indexOf(strings.get(i)));
    }
    return new ColumnVector(
        kind, Storage.INT8, codes, validity, Optional.empty(), Optional.of(dictionary));
  }

  @Override
  public TableShape shape() {
    return shape;
  }

  @Override
  public CompletableFuture<TableScan> scan(
      HlcTimestamp at, List<Integer> ordinals, ZoneFilter filter) {
    flush();
    AtomicInteger next = new AtomicInteger();
    return CompletableFuture.completedFuture(
        new TableScan() {
          @Override
          public HlcTimestamp at() {
            return at;
          }

          @Override
          public long rowsAtMost() {
            return rows;
          }

          @Override
          public Cursor cursor() {
            return () -> {
              int number = next.getAndIncrement();
              return number < batches.size()
                  ? Optional.of(cut(batches.get(number), ordinals, number))
                  : Optional.empty();
            };
          }

          @Override
          public Use use() {
            return () -> {};
          }

          @Override
          public void close() {}
        });
  }

  /** Every other batch says which rows are visible; all are. */
  private static ColumnBatch cut(ColumnBatch batch, List<Integer> ordinals, int number) {
    Optional<int[]> selection =
        number % 2 == 1
            ? Optional.of(IntStream.range(0, batch.rows()).toArray())
            : Optional.empty();
    return new ColumnBatch(
        batch.rows(), ordinals.stream().map(batch.columns()::get).toList(), selection);
  }
}
