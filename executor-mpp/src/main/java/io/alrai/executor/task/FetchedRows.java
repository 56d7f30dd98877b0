package io.alrai.executor.task;

import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.PlanNode.RowStoreScan;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.memory.QueryMemory;
import io.alrai.executor.source.RowStore;
import io.alrai.executor.vector.RowChunks;
import io.alrai.executor.vector.RowLayout;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Rows of the shards, copied into a query's memory. Belongs to the query's thread. */
final class FetchedRows {
  private static final long BLOCK = 1 << 16;

  private final RowLayout layout;
  private final QueryMemory memory;
  private final RowChunks rows;
  private long text;
  private long textEnd;

  private FetchedRows(RowLayout layout, QueryMemory memory) {
    this.layout = layout;
    this.memory = memory;
    this.rows = new RowChunks(layout, memory);
  }

  /** Reads all rows of a scan. */
  static List<RowChunks.Chunk> read(
      RowStore store, RowStoreScan scan, QueryMemory memory, Cancellation cancellation) {
    FetchedRows fetched = new FetchedRows(new RowLayout(scan.columns()), memory);
    try (Stream<List<Constant>> found = store.rows(scan)) {
      found.forEach(row -> {
        cancellation.check();
        fetched.add(row);
      });
    }
    return fetched.rows.chunks();
  }

  private void add(List<Constant> values) {
    long row = rows.append();
    for (int i = 0; i < values.size(); i++) {
      ValueType type = layout.types().get(i);
      long at = row + layout.offset(i);
      switch (values.get(i)) {
        case Constant.Null none -> {
          if (layout.nullOffset(i) < 0) {
            throw new IllegalStateException("NULL in a column of " + type);
          }
          Mem.putByte(row + layout.nullOffset(i), 1);
        }
        case Constant.Whole whole -> number(type, BigInteger.valueOf(whole.value()), at);
        case Constant.Exact exact ->
            number(type, exact.value().setScale(type.scale()).unscaledValue(), at);
        case Constant.Floating floating -> Mem.putDouble(at, floating.value());
        case Constant.Text string -> text(string.value(), at);
        case Constant.Day day -> Mem.putLong(at, day.epochDay());
        case Constant.Moment moment -> Mem.putLong(at, moment.epochMicros());
      }
    }
  }

  private static void number(ValueType type, BigInteger value, long at) {
    if (type.kind() == ValueKind.DOUBLE) {
      Mem.putDouble(at, value.doubleValue());
      return;
    }
    Mem.putLong(at, value.longValue());
    if (RowLayout.form(type) == RowLayout.Form.WIDE) {
      Mem.putLong(at + Long.BYTES, value.shiftRight(Long.SIZE).longValue());
    }
  }

  private void text(String value, long at) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    if (textEnd - text < bytes.length) {
      long size = Math.max(BLOCK, bytes.length);
      text = memory.allocate(size);
      textEnd = text + size;
    }
    Mem.store(text, bytes);
    Mem.putLong(at, text);
    Mem.putLong(at + Long.BYTES, bytes.length);
    text += bytes.length;
  }
}
