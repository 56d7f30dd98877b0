package io.alrai.cn.write;

import io.alrai.cn.load.LineScanner;
import io.alrai.cn.text.WholeNumbers;
import io.alrai.executor.fragment.SlotValues;
import java.io.ByteArrayOutputStream;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The key's cells of a file's line, for the place of its row. One thread. */
final class LineCells implements SlotValues {
  private static final byte[] MISSING = new byte[0];

  private final LineScanner line;
  private final int[] fields;
  private final byte[] @Nullable [] values;
  private final boolean[] read;

  /**
   * The present line's.
   *
   * @param fields of the cells; beyond any line's for those that are no fields
   */
  LineCells(LineScanner line, int[] fields) {
    this.line = line;
    this.fields = fields.clone();
    this.values = new byte[fields.length][];
    this.read = new boolean[fields.length];
  }

  /** The line is another one now. */
  void moved() {
    Arrays.fill(read, false);
  }

  /** Whether the line lacks the cell's field. */
  boolean isMissing(int cell) {
    return fields[cell] >= line.count();
  }

  /** Which field a cell is. */
  int field(int cell) {
    return fields[cell];
  }

  /** Puts another value into a cell of the present line. */
  void put(int cell, byte[] value) {
    read[cell] = true;
    values[cell] = value;
  }

  /** What a mysqld makes of the cell in a column of whole numbers; empty where only it knows. */
  OptionalLong wholeNumber(int cell) {
    return kind(cell) == Kind.INTEGER
        ? OptionalLong.of(longValue(cell))
        : WholeNumbers.of(bytes(cell), RoundingMode.HALF_UP);
  }

  /** The value of a cell; null for NULL. A field that the line lacks is empty, as for a mysqld. */
  byte @Nullable [] value(int cell) {
    if (!read[cell]) {
      read[cell] = true;
      values[cell] = fields[cell] < line.count() ? line.value(fields[cell]) : MISSING;
    }
    return values[cell];
  }

  @Override
  public int count() {
    return fields.length;
  }

  @Override
  public Kind kind(int cell) {
    byte[] value = value(cell);
    return value == null ? Kind.NULL : LoadedRow.isInteger(value) ? Kind.INTEGER : Kind.STRING;
  }

  @Override
  public boolean fitsLong(int cell) {
    return true;
  }

  @Override
  public long longValue(int cell) {
    byte[] digits = bytes(cell);
    long number = 0;
    for (byte digit : digits) {
      number = digit == '-' ? 0 : number * 10 + (digit - '0');
    }
    return digits[0] == '-' ? -number : number;
  }

  @Override
  public byte[] bytes(int cell) {
    byte[] value = value(cell);
    return value == null ? MISSING : value;
  }

  @Override
  public void appendSql(int cell, ByteArrayOutputStream out) {
    throw new UnsupportedOperationException("a line is sent as it is");
  }
}
