package io.alrai.executor.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.executor.fragment.ValueType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BatchesTest {
  private static final List<ValueType> TYPES =
      List.of(
          ValueType.bigint(true),
          ValueType.unsigned(true),
          ValueType.decimal(9, 2, true),
          ValueType.decimal(65, 30, true),
          ValueType.floating(true),
          ValueType.date(true),
          ValueType.datetime(6, true),
          ValueType.string(50, TextCollation.UTF8MB4_0900_AI_CI, true));

  /** Rows on the heap. */
  private static final class ListRows implements PlanRows {
    private final List<List<@Nullable Object>> rows;
    private int row = -1;

    ListRows(List<List<@Nullable Object>> rows) {
      this.rows = rows;
    }

    @Override
    public List<ValueType> columns() {
      return TYPES;
    }

    @Override
    public long rows() {
      return rows.size();
    }

    @Override
    public long spilledBytes() {
      return 0;
    }

    @Override
    public boolean next() {
      return ++row < rows.size();
    }

    @Override
    public boolean isNull(int column) {
      return rows.get(row).get(column) == null;
    }

    @Override
    public long longAt(int column) {
      return (Long) rows.get(row).get(column);
    }

    @Override
    public BigDecimal decimalAt(int column) {
      return (BigDecimal) rows.get(row).get(column);
    }

    @Override
    public double doubleAt(int column) {
      return (Double) rows.get(row).get(column);
    }

    @Override
    public byte[] bytesAt(int column) {
      return (byte[]) rows.get(row).get(column);
    }

    @Override
    public void close() {}
  }

  private static List<@Nullable Object> row(int i, BigInteger wide) {
    List<@Nullable Object> row = new ArrayList<>();
    Collections.addAll(
        row,
        (long) -i,
        -1L - i,
        new BigDecimal(BigInteger.valueOf(-i), 2),
        new BigDecimal(wide, 30),
        i / 7.0,
        (long) i - 1000,
        -1_000_000L * i,
        ("é😀".repeat(Math.abs(i) % 40)).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return row;
  }

  private static void assertRow(List<@Nullable Object> row, BatchCursor cursor) {
    for (int i = 0; i < TYPES.size(); i++) {
      assertEquals(row.get(i) == null, cursor.isNull(i));
      if (row.get(i) != null) {
        switch (TYPES.get(i).kind()) {
          case DECIMAL -> assertEquals(row.get(i), cursor.decimalAt(i));
          case DOUBLE -> assertEquals(row.get(i), cursor.doubleAt(i));
          case STRING -> assertArrayEquals((byte[]) row.get(i), cursor.bytesAt(i));
          case BIGINT, UNSIGNED, DATE, DATETIME -> assertEquals(row.get(i), cursor.longAt(i));
        }
      }
    }
  }

  private static int comesBack(List<List<@Nullable Object>> rows) {
    int batches = 0;
    int seen = 0;
    try (BufferAllocator allocator = new RootAllocator(16 << 20);
        BatchWriter writer = new BatchWriter(new ListRows(rows), allocator)) {
      BatchCursor cursor = new BatchCursor(TYPES, writer.root());
      boolean more = true;
      while (more) {
        more = writer.fill();
        batches++;
        cursor.restart();
        while (cursor.next()) {
          assertRow(rows.get(seen++), cursor);
        }
      }
    }
    assertEquals(rows.size(), seen);
    return batches;
  }

  @Test
  void everyValueComesBack() {
    BigInteger most = BigInteger.ONE.shiftLeft(127).subtract(BigInteger.ONE);
    List<@Nullable Object> nulls = new ArrayList<>(Collections.nCopies(TYPES.size(), null));
    List<List<@Nullable Object>> rows =
        List.of(
            row(0, BigInteger.ZERO),
            nulls,
            row(1, most),
            row(-1, most.negate()),
            row(7, BigInteger.ONE.shiftLeft(64)),
            nulls,
            row(39, BigInteger.ONE.shiftLeft(63).negate()));
    assertEquals(1, comesBack(rows));
    assertEquals(1, comesBack(Collections.nCopies(100, nulls)));
  }

  @Test
  void batchesAreBoundedAndOneIsThereWithoutRows() {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      rows.add(row(i, BigInteger.valueOf(i)));
    }
    int batches = comesBack(rows);
    assertTrue(batches > 10 && batches < 40, batches + " batches");
    assertEquals(1, comesBack(List.of()));
  }

  @Test
  void otherColumnsAreRefused() {
    try (BufferAllocator allocator = new RootAllocator(1 << 20);
        BatchWriter writer = new BatchWriter(new ListRows(List.of()), allocator)) {
      assertFalse(writer.fill());
      assertThrows(AlraiException.class, () -> new BatchCursor(TYPES.subList(1, 8), writer.root()));
    }
  }
}
