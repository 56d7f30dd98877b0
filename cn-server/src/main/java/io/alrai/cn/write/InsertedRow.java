package io.alrai.cn.write;

import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.text.ShiftedSlots;
import io.alrai.cn.text.TemplateText;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.InsertRows.Cell;
import io.alrai.executor.fragment.InsertRows.RowPattern;
import io.alrai.executor.fragment.SlotValues;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One row of an INSERT at a time: its cells as slots, with the values that were made or evaluated
 * in place of the client's. A cell that must be evaluated appears as {@link Kind#FLOAT}, which no
 * key takes as exact. One thread.
 */
final class InsertedRow implements SlotValues {
  /** A value in place of a cell. */
  record Made(Kind kind, byte[] bytes, byte[] sql) {
    static Made id(long id, boolean unsigned) {
      byte[] digits =
          (unsigned ? Long.toUnsignedString(id) : Long.toString(id))
              .getBytes(StandardCharsets.US_ASCII);
      return new Made(Kind.INTEGER, digits, digits);
    }
  }

  private final StatementRun run;
  private final InsertRows rows;
  private final int count;
  private final Map<Long, Made> made = new HashMap<>();
  private int current;
  private RowPattern pattern;

  InsertedRow(StatementRun run, InsertRows rows) {
    this.run = run;
    this.rows = rows;
    int patterns = rows.patterns().size();
    this.count = patterns > 1 ? patterns : Math.max(1, run.statement().foldedRows());
    this.pattern = rows.patterns().getFirst();
  }

  /** How many rows there are. */
  int rowCount() {
    return count;
  }

  /** Moves to a row. */
  InsertedRow at(int row) {
    current = row;
    pattern = rows.patterns().get(rows.patterns().size() > 1 ? row : 0);
    return this;
  }

  /** How far the current row's slots are from the pattern's. */
  int shift() {
    return rows.patterns().size() > 1 ? 0 : current * rows.slotsPerRow();
  }

  /** How far the tail's slots are from what the template says. */
  int tailShift() {
    return rows.patterns().size() > 1 ? 0 : (count - 1) * rows.slotsPerRow();
  }

  /** Puts a value in place of the current row's cell. */
  void make(int cell, Made value) {
    made.put(key(cell), value);
  }

  /** Whether a value stands in place of the current row's cell. */
  boolean isMade(int cell) {
    return !made.isEmpty() && made.containsKey(key(cell));
  }

  /** The cell as the client wrote it. */
  Cell cell(int index) {
    return pattern.cells().get(index);
  }

  /** Number of cells of the current row. */
  int cells() {
    return pattern.cells().size();
  }

  private long key(int cell) {
    return (long) current << 16 | cell;
  }

  private @Nullable Made value(int cell) {
    return made.isEmpty() ? null : made.get(key(cell));
  }

  @Override
  public int count() {
    return cells();
  }

  @Override
  public Kind kind(int cell) {
    Made value = value(cell);
    if (value != null) {
      return value.kind;
    }
    return switch (cell(cell)) {
      case Cell.Slot slot -> run.values().kind(slot.index() + shift());
      case Cell.Null nothing -> Kind.NULL;
      case Cell.Default unknown -> Kind.FLOAT;
      case Cell.Expression unknown -> Kind.FLOAT;
    };
  }

  private int slot(int cell) {
    return cell(cell) instanceof Cell.Slot slot ? slot.index() + shift() : -1;
  }

  @Override
  public boolean fitsLong(int cell) {
    Made value = value(cell);
    return value == null
        ? run.values().fitsLong(slot(cell))
        : new String(value.bytes, StandardCharsets.US_ASCII).length() < 19 || parses(value);
  }

  private static boolean parses(Made value) {
    try {
      Long.parseLong(new String(value.bytes, StandardCharsets.US_ASCII));
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  @Override
  public long longValue(int cell) {
    Made value = value(cell);
    return value == null
        ? run.values().longValue(slot(cell))
        : Long.parseLong(new String(value.bytes, StandardCharsets.US_ASCII));
  }

  @Override
  public byte[] bytes(int cell) {
    Made value = value(cell);
    if (value != null) {
      return value.bytes;
    }
    int slot = slot(cell);
    return slot < 0 ? new byte[0] : run.values().bytes(slot);
  }

  @Override
  public void appendSql(int cell, ByteArrayOutputStream out) {
    Made value = value(cell);
    if (value != null) {
      out.writeBytes(value.sql);
      return;
    }
    switch (cell(cell)) {
      case Cell.Slot slot -> run.values().appendSql(slot.index() + shift(), out);
      case Cell.Null nothing -> out.writeBytes("NULL".getBytes(StandardCharsets.US_ASCII));
      case Cell.Default keyword -> out.writeBytes("DEFAULT".getBytes(StandardCharsets.US_ASCII));
      case Cell.Expression expression ->
          out.writeBytes(
              TemplateText.render(
                  expression.sql(), new ShiftedSlots(run.values(), shift()), "", run.session()));
    }
  }
}
