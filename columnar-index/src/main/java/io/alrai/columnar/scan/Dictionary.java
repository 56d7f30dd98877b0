package io.alrai.columnar.scan;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The distinct values of a string column within one row group, ascending by their bytes as unsigned
 * numbers. The same instance comes with each batch of the row group, so that what was computed for
 * its entries can be kept by identity for as long as the scan is open.
 *
 * @param size how many; codes are 0 to size - 1
 * @param ends size + 1 of them, INT32
 * @param bytes entry i is {@code [ends[i], ends[i+1])}
 */
public record Dictionary(int size, MemorySegment ends, MemorySegment bytes) {
  /** Where an entry's bytes begin. */
  public int start(int code) {
    return ends.getAtIndex(ValueLayout.JAVA_INT, code);
  }

  /** After an entry's bytes. */
  public int end(int code) {
    return ends.getAtIndex(ValueLayout.JAVA_INT, code + 1L);
  }

  /** A copy of an entry. */
  public byte[] entry(int code) {
    int start = start(code);
    return bytes.asSlice(start, end(code) - start).toArray(ValueLayout.JAVA_BYTE);
  }
}
