package io.alrai.dn.binlog;

/**
 * A place in a binary log.
 *
 * @param file the file's name, {@code binlog.000042}
 * @param offset bytes from its start
 */
public record BinlogPosition(String file, long offset) implements Comparable<BinlogPosition> {
  /** A file is of 1 GiB, and of one transaction more. */
  private static final int OFFSET_BITS = 40;

  /** Checks the name. */
  public BinlogPosition {
    if (file.isEmpty() || offset < 0) {
      throw new IllegalArgumentException("not a place in a binary log: " + file + ":" + offset);
    }
  }

  /** By the file's number (longer names are later), then by offset. */
  @Override
  public int compareTo(BinlogPosition other) {
    if (!file.equals(other.file)) {
      int byLength = Integer.compare(file.length(), other.file.length());
      return byLength != 0 ? byLength : file.compareTo(other.file);
    }
    return Long.compare(offset, other.offset);
  }

  /**
   * This place as one number: of two places of one log the later one has the larger number.
   *
   * @return not negative
   */
  public long ordinal() {
    long number = Long.parseLong(file.substring(file.lastIndexOf('.') + 1));
    return number << OFFSET_BITS | offset;
  }

  @Override
  public String toString() {
    return file + ":" + offset;
  }
}
