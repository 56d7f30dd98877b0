package io.alrai.executor.operator;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A byte array that grows at its end and is used again after {@link #clear}. One thread. */
final class GrowingBytes {
  private byte[] bytes;
  private int length;

  GrowingBytes(int capacity) {
    bytes = new byte[capacity];
  }

  byte[] array() {
    return bytes;
  }

  int length() {
    return length;
  }

  void clear() {
    length = 0;
  }

  byte[] copy() {
    return Arrays.copyOf(bytes, length);
  }

  /** Compares as unsigned bytes. */
  int compareTo(byte[] other) {
    return Arrays.compareUnsigned(bytes, 0, length, other, 0, other.length);
  }

  /** Compares as unsigned bytes. */
  int compareTo(GrowingBytes other) {
    return Arrays.compareUnsigned(bytes, 0, length, other.bytes, 0, other.length);
  }

  /** Whether the bytes differ where both have some. */
  boolean differsWithin(GrowingBytes other) {
    int at = Arrays.mismatch(bytes, 0, length, other.bytes, 0, other.length);
    return at >= 0 && at < Math.min(length, other.length);
  }

  /** The array with room for so many more bytes; to be followed by {@link #grownTo}. */
  byte[] reserve(int more) {
    ensure(more);
    return bytes;
  }

  /** Sets the length after bytes were put into the array itself. */
  void grownTo(int newLength) {
    length = newLength;
  }

  void write(int value) {
    ensure(1);
    bytes[length++] = (byte) value;
  }

  void write(byte[] source, int from, int count) {
    ensure(count);
    System.arraycopy(source, from, bytes, length, count);
    length += count;
  }

  /** Eight bytes, the highest first. */
  void writeLong(long value) {
    ensure(8);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[length++] = (byte) (value >>> shift);
    }
  }

  /** The row format's NULL. */
  void writeNull() {
    write(0xfb);
  }

  /** A value in the row format. */
  void writeValue(byte[] source, int from, int count) {
    if (count < 0xfb) {
      write(count);
    } else if (count < 0x10000) {
      write(0xfc);
      writeLittleEndian(count, 2);
    } else if (count < 0x1000000) {
      write(0xfd);
      writeLittleEndian(count, 3);
    } else {
      write(0xfe);
      writeLittleEndian(count, 8);
    }
    write(source, from, count);
  }

  /** A value in the row format, of ASCII text. */
  void writeText(String text) {
    byte[] ascii = text.getBytes(StandardCharsets.US_ASCII);
    writeValue(ascii, 0, ascii.length);
  }

  /** Turns every bit from an index on: the order of keys becomes descending. */
  void invertFrom(int index) {
    for (int i = index; i < length; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
  }

  private void writeLittleEndian(long value, int width) {
    for (int i = 0; i < width; i++) {
      write((int) (value >>> (8 * i)));
    }
  }

  private void ensure(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }
}
