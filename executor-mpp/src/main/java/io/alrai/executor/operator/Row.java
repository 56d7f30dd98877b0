package io.alrai.executor.operator;

import java.util.Arrays;

/**
 * A view of one row of the text protocol: length-encoded values one after the other, 0xFB for NULL.
 * A source owns one instance and points it at its current row; where values start is found out on
 * demand, from the left. One thread.
 */
public final class Row {
  private static final int NULL_MARK = 0xfb;

  private byte[] bytes = new byte[0];
  private int start;
  private int end;

  /** For each known column where its value starts and how long it is; -1 for NULL. */
  private final int[] starts;

  private final int[] lengths;
  private int known;

  /** A view for rows of so many columns. */
  public Row(int columns) {
    starts = new int[columns];
    lengths = new int[columns];
  }

  /** Points the view at a row's payload; the bytes stay where they are. */
  public void set(byte[] newBytes, int newStart, int newEnd) {
    bytes = newBytes;
    start = newStart;
    end = newEnd;
    known = 0;
  }

  /** The array that {@link #start} and {@link #end} are about. */
  public byte[] bytes() {
    return bytes;
  }

  /** Where the payload starts. */
  public int start() {
    return start;
  }

  /** Where the payload ends, exclusive. */
  public int end() {
    return end;
  }

  /** Number of columns. */
  public int columns() {
    return starts.length;
  }

  /** Whether the column is NULL. */
  public boolean isNull(int column) {
    locate(column);
    return lengths[column] < 0;
  }

  /** Where the column's value starts in {@link #bytes}, after its length. */
  public int valueStart(int column) {
    locate(column);
    return starts[column];
  }

  /** Bytes of the column's value; -1 for NULL. */
  public int valueLength(int column) {
    locate(column);
    return lengths[column];
  }

  /** Where the column ends: the next column's length starts there. */
  public int columnEnd(int column) {
    locate(column);
    return starts[column] + Math.max(lengths[column], 0);
  }

  /** Where the column starts, at its length. */
  public int columnStart(int column) {
    return column == 0 ? start : columnEnd(column - 1);
  }

  /** A copy of the column's value; empty for NULL. */
  public byte[] value(int column) {
    int from = valueStart(column);
    return Arrays.copyOfRange(bytes, from, from + Math.max(lengths[column], 0));
  }

  /** A copy of the payload. */
  public byte[] copy() {
    return Arrays.copyOfRange(bytes, start, end);
  }

  private void locate(int column) {
    while (known <= column) {
      int at = known == 0 ? start : starts[known - 1] + Math.max(lengths[known - 1], 0);
      locateAt(known++, at);
    }
  }

  private void locateAt(int column, int at) {
    int first = bytes[at] & 0xff;
    switch (first) {
      case NULL_MARK -> {
        starts[column] = at + 1;
        lengths[column] = -1;
      }
      case 0xfc -> {
        starts[column] = at + 3;
        lengths[column] = littleEndian(at + 1, 2);
      }
      case 0xfd -> {
        starts[column] = at + 4;
        lengths[column] = littleEndian(at + 1, 3);
      }
      case 0xfe -> {
        starts[column] = at + 9;
        lengths[column] = littleEndian(at + 1, 4);
      }
      default -> {
        starts[column] = at + 1;
        lengths[column] = first;
      }
    }
  }

  private int littleEndian(int at, int width) {
    int value = 0;
    for (int i = width - 1; i >= 0; i--) {
      value = value << 8 | (bytes[at + i] & 0xff);
    }
    return value;
  }
}
