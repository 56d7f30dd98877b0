package io.alrai.dn.link;

import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;

/**
 * What the reply to a read is found by: which rows it may depend on, and as bytes all that it
 * depends on besides. Two reads with the same bytes have the same reply as long as nobody changes
 * these rows. Used again for the next read; one thread at a time.
 */
public final class ReplyKey {
  private static final int FIRST_BYTES = 256;
  private static final long SPREAD = 0x9e37_79b9_7f4a_7c15L;

  private KeyedTable table = new KeyedTable("", "", List.of());
  private long row;
  private byte[] bytes = new byte[FIRST_BYTES];
  private MemorySegment segment = MemorySegment.ofArray(bytes);
  private int length;
  private long hash;

  /**
   * Begins with the rows; what is {@link #add}ed and then {@link #seal}ed follows.
   *
   * @param rowHash by {@link KeyedTable#rowHash(long, long)}
   */
  public void begin(KeyedTable of, long rowHash) {
    table = of;
    row = rowHash;
    length = 0;
  }

  /** Adds bytes. */
  public void add(byte[] more) {
    room(more.length);
    System.arraycopy(more, 0, bytes, length, more.length);
    length += more.length;
  }

  /** Adds bytes of a buffer. */
  public void add(ByteBuf from, int index, int count) {
    room(count);
    from.getBytes(index, bytes, length, count);
    length += count;
  }

  /** Adds a text and its length. */
  public void add(String text) {
    add(text.length());
    room(Character.BYTES * text.length());
    for (int i = 0; i < text.length(); i++) {
      segment.set(ValueLayout.JAVA_CHAR_UNALIGNED, length, text.charAt(i));
      length += Character.BYTES;
    }
  }

  /** Adds a number. */
  public void add(long number) {
    room(Long.BYTES);
    segment.set(ValueLayout.JAVA_LONG_UNALIGNED, length, number);
    length += Long.BYTES;
  }

  private void room(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
      segment = MemorySegment.ofArray(bytes);
    }
  }

  /** Nothing more is added. */
  public void seal() {
    long mixed = mix(length, row);
    int at = 0;
    for (; at <= length - Long.BYTES; at += Long.BYTES) {
      mixed = mix(mixed, segment.get(ValueLayout.JAVA_LONG_UNALIGNED, at));
    }
    long rest = 0;
    for (; at < length; at++) {
      rest = rest << 8 | bytes[at] & 0xff;
    }
    hash = mix(mix(mixed, rest), SPREAD);
  }

  private static long mix(long soFar, long value) {
    long mixed = (soFar ^ value) * SPREAD;
    return mixed ^ mixed >>> 32;
  }

  /** Where the rows are. */
  public KeyedTable table() {
    return table;
  }

  /** A hash of the rows; other rows may have the same one. */
  public long row() {
    return row;
  }

  /** A hash of all bytes. */
  public long hash() {
    return hash;
  }

  /** How many bytes there are. */
  public int length() {
    return length;
  }

  /** Writes all bytes. */
  public void copy(ByteBuf out) {
    out.writeBytes(bytes, 0, length);
  }

  /** The bytes, followed by unused ones. */
  public MemorySegment bytes() {
    return segment;
  }
}
