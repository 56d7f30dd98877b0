package io.alrai.cn.load;

import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;

/** Lines of the client's file for one place. Belongs to one thread after the other. */
public final class FilePart {
  private static final int PACKET = 1 << 16;

  private final DnId dn;
  private final Sql text;
  private final boolean copy;
  private byte[] bytes = new byte[1 << 8];
  private int size;

  /** The number of each line in the client's file, from 1. */
  private long[] numbers = new long[4];

  private int lines;

  /**
   * A part without lines.
   *
   * @param text the LOAD DATA LOCAL that takes it
   * @param copy whether another DN gets the same, and what that one says counts
   */
  public FilePart(DnId dn, Sql text, boolean copy) {
    this.dn = dn;
    this.text = text;
    this.copy = copy;
  }

  /** A part with these lines for another DN. */
  public FilePart copyFor(DnId other) {
    FilePart same = new FilePart(other, text, true);
    same.bytes = bytes;
    same.size = size;
    same.numbers = numbers;
    same.lines = lines;
    return same;
  }

  /** A line begins. */
  public void line(long number) {
    if (lines == numbers.length) {
      numbers = Arrays.copyOf(numbers, lines * 2);
    }
    numbers[lines++] = number;
  }

  /** Appends bytes to the line. */
  public void append(byte[] more) {
    append(more, 0, more.length);
  }

  void append(byte[] from, int start, int length) {
    if (length > bytes.length - size) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(size, length)));
    }
    System.arraycopy(from, start, bytes, size, length);
    size += length;
  }

  DnId dn() {
    return dn;
  }

  Sql text() {
    return text;
  }

  boolean copy() {
    return copy;
  }

  int size() {
    return size;
  }

  /** Bytes that it takes in memory. */
  public int room() {
    return bytes.length + Long.BYTES * numbers.length;
  }

  int lines() {
    return lines;
  }

  /**
   * The number in the client's file of a line of this part.
   *
   * @param line from 1
   */
  long number(long line) {
    return line < 1 || line > lines ? line : numbers[(int) line - 1];
  }

  /** The packets that answer the mysqld's question for the file. */
  ByteBuf packets() {
    int whole = (size + PACKET - 1) / PACKET;
    ByteBuf out = ByteBufAllocator.DEFAULT.buffer(size + (whole + 1) * Packets.HEADER);
    int sequence = 2;
    for (int at = 0; at < size; at += PACKET) {
      int length = Math.min(PACKET, size - at);
      out.writeMediumLE(length).writeByte(sequence++).writeBytes(bytes, at, length);
    }
    return out.writeMediumLE(0).writeByte(sequence);
  }
}
