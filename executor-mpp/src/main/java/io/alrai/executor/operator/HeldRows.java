package io.alrai.executor.operator;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Few rows of one table, in memory. One thread. */
public final class HeldRows {
  private static final ColumnDefinition UNKNOWN =
      ColumnDefinition.expression("", MysqlType.NULL, ColumnDefinition.BINARY_CHARSET, 0, 0, 0);

  private final int width;
  private final List<byte[]> payloads = new ArrayList<>();
  private List<ColumnDefinition> columns = List.of();

  /** No rows yet; each will have that many columns. */
  public HeldRows(int width) {
    this.width = width;
  }

  /**
   * Adds the current rows of a source to its end, or until there is no more room.
   *
   * @param bytes how many there is room for
   * @return how many they took; more than {@code bytes} if some are left
   */
  public long add(RowSource source, long bytes) {
    RowSource rows = new PlannedColumns(source, width);
    columns = rows.columns();
    long taken = 0;
    while (taken <= bytes && rows.advance()) {
      byte[] payload = rows.row().copy();
      payloads.add(payload);
      taken += payload.length + Long.BYTES;
    }
    return taken;
  }

  /** Of no type where no shard was asked, as there was nothing to look for. */
  List<ColumnDefinition> columns() {
    return columns.isEmpty() ? Collections.nCopies(width, UNKNOWN) : columns;
  }

  /** All rows. */
  RowSource all() {
    return new Payloads(columns(), payloads.iterator());
  }

  List<byte[]> payloads() {
    return payloads;
  }

  int width() {
    return width;
  }

  /** The different values of a column but NULL, as rows of that column alone; bytes that differ. */
  public RowSource values(int column) {
    Set<ByteBuffer> found = new LinkedHashSet<>();
    Row row = new Row(width);
    for (byte[] payload : payloads) {
      row.set(payload, 0, payload.length);
      if (!row.isNull(column)) {
        int start = row.columnStart(column);
        found.add(ByteBuffer.wrap(Arrays.copyOfRange(payload, start, row.columnEnd(column))));
      }
    }
    return new Payloads(
        List.of(columns().get(column)), found.stream().map(ByteBuffer::array).iterator());
  }

  private static final class Payloads implements RowSource {
    private final List<ColumnDefinition> columns;
    private final Iterator<byte[]> payloads;
    private final Row row;

    Payloads(List<ColumnDefinition> columns, Iterator<byte[]> payloads) {
      this.columns = columns;
      this.payloads = payloads;
      this.row = new Row(columns.size());
    }

    @Override
    public List<ColumnDefinition> columns() {
      return columns;
    }

    @Override
    public boolean advance() {
      if (!payloads.hasNext()) {
        return false;
      }
      byte[] payload = payloads.next();
      row.set(payload, 0, payload.length);
      return true;
    }

    @Override
    public Row row() {
      return row;
    }

    @Override
    public void close() {}
  }
}
