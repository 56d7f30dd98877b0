package io.alrai.optimizer.api.shape;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.util.Arrays;

/** Bytes that grow at the end and can be cut back. */
final class ShapeBuffer {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MULTIPLIER = 0x9e3779b97f4a7c15L;

  /** What is kept for the next statement at most. */
  private static final int KEPT = 1 << 18;

  private byte[] bytes = new byte[512];
  private int length;

  void clear() {
    length = 0;
    if (bytes.length > KEPT) {
      bytes = new byte[512];
    }
  }

  int length() {
    return length;
  }

  /** The content and what may follow it, not copied: do not write. */
  byte[] bytes() {
    return bytes;
  }

  void cutTo(int newLength) {
    length = newLength;
  }

  /** The last byte, or a blank when there is none. */
  byte last() {
    return length == 0 ? (byte) ' ' : bytes[length - 1];
  }

  void append(char ascii) {
    append((byte) ascii);
  }

  void append(byte next) {
    if (length == bytes.length) {
      grow(1);
    }
    bytes[length++] = next;
  }

  void append(byte[] source, int from, int to) {
    int count = to - from;
    if (bytes.length - length < count) {
      grow(count);
    }
    if (count <= 16) {
      byte[] target = bytes;
      int at = length;
      for (int i = from; i < to; i++) {
        target[at++] = source[i];
      }
      length = at;
    } else {
      System.arraycopy(source, from, bytes, length, count);
      length += count;
    }
  }

  /** Whether the pieces [a, a + count) and [b, b + count) are equal. */
  boolean equalPieces(int a, int b, int count) {
    return Arrays.equals(bytes, a, a + count, bytes, b, b + count);
  }

  byte[] copy(int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  boolean contentEquals(byte[] other) {
    return Arrays.equals(bytes, 0, length, other, 0, other.length);
  }

  String decode(Charset charset) {
    return new String(bytes, 0, length, charset);
  }

  /** A 64-bit hash of the content. */
  long hash(long seed) {
    return hash(bytes, length, seed);
  }

  /** The hash of any bytes. */
  static long hash(byte[] bytes, int length, long seed) {
    long hash = seed ^ length * MULTIPLIER;
    int at = 0;
    for (; at + 8 <= length; at += 8) {
      hash = mix(hash ^ (long) LONGS.get(bytes, at));
    }
    long rest = 0;
    for (; at < length; at++) {
      rest = rest << 8 | (bytes[at] & 0xff);
    }
    return mix(mix(hash ^ rest));
  }

  private static long mix(long value) {
    long product = value * MULTIPLIER;
    return product ^ product >>> 29;
  }

  private void grow(int more) {
    bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
  }
}
