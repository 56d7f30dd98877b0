package io.alrai.executor.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/**
 * Memory off the heap by its address: what generated code reads and writes with. Nothing is
 * checked; whoever passes an address guarantees that its memory is alive.
 */
public final class Mem {
  private static final MemorySegment ALL = everything();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private Mem() {}

  @SuppressWarnings("restricted")
  private static MemorySegment everything() {
    return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
  }

  /** A byte, with its sign. */
  public static long byteAt(long address) {
    return ALL.get(ValueLayout.JAVA_BYTE, address);
  }

  /** Two bytes, with their sign. */
  public static long shortAt(long address) {
    return ALL.get(ValueLayout.JAVA_SHORT_UNALIGNED, address);
  }

  /** Four bytes, with their sign. */
  public static long intAt(long address) {
    return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
  }

  /** Eight bytes. */
  public static long longAt(long address) {
    return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
  }

  /** A floating point number of eight bytes. */
  public static double doubleAt(long address) {
    return ALL.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, address);
  }

  /** A floating point number of four bytes. */
  public static double floatAt(long address) {
    return ALL.get(ValueLayout.JAVA_FLOAT_UNALIGNED, address);
  }

  /** Stores a byte. */
  public static void putByte(long address, long value) {
    ALL.set(ValueLayout.JAVA_BYTE, address, (byte) value);
  }

  /** Stores four bytes. */
  public static void putInt(long address, long value) {
    ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, (int) value);
  }

  /** Stores eight bytes. */
  public static void putLong(long address, long value) {
    ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
  }

  /** Stores a floating point number of eight bytes. */
  public static void putDouble(long address, double value) {
    ALL.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, address, value);
  }

  /** 1 where bit {@code row} of a validity bitmap is 0, else 0. */
  public static int missing(long validity, int row) {
    return ~(int) byteAt(validity + (row >> 3)) >> (row & 7) & 1;
  }

  /** Adds one to eight bytes. */
  public static void increment(long address) {
    putLong(address, longAt(address) + 1);
  }

  /** Adds eight bytes to eight bytes. */
  public static void addLong(long address, long value) {
    putLong(address, longAt(address) + value);
  }

  /** Adds to a floating point number. */
  public static void addDouble(long address, double value) {
    putDouble(address, doubleAt(address) + value);
  }

  /** Adds a number of 64 bits to one of 128. */
  public static void addToWide(long address, long value) {
    long old = longAt(address);
    long low = old + value;
    putLong(address, low);
    long carry = Long.compareUnsigned(low, old) < 0 ? 1 : 0;
    putLong(address + 8, longAt(address + 8) + (value >> 63) + carry);
  }

  /** Adds a number of 128 bits to one of 128. */
  public static void addWide(long address, long valueLow, long valueHigh) {
    long old = longAt(address);
    long low = old + valueLow;
    putLong(address, low);
    long carry = Long.compareUnsigned(low, old) < 0 ? 1 : 0;
    long high = longAt(address + 8);
    putLong(address + 8, Math.addExact(Math.addExact(high, valueHigh), carry));
  }

  /** Reads a number of 64 bits that other threads write. */
  public static long sharedLongAt(long address) {
    return (long) LONG.getVolatile(ALL, address);
  }

  /** Replaces a number of 64 bits unless another thread has changed it. */
  public static boolean replaceLong(long address, long expected, long value) {
    return LONG.compareAndSet(ALL, address, expected, value);
  }

  /** Copies bytes. */
  public static void copy(long from, long to, long length) {
    MemorySegment.copy(ALL, from, ALL, to, length);
  }

  /** Sets bytes to 0. */
  public static void clear(long address, long length) {
    ALL.asSlice(address, length).fill((byte) 0);
  }

  /** A view of bytes, for files. */
  public static ByteBuffer buffer(long address, long length) {
    return ALL.asSlice(address, length).asByteBuffer();
  }

  /** The first position at which two ranges differ, or -1. */
  public static long mismatch(long one, long other, long length) {
    return MemorySegment.mismatch(ALL, one, one + length, ALL, other, other + length);
  }

  /** Stores bytes. */
  public static void store(long address, byte[] bytes) {
    MemorySegment.copy(bytes, 0, ALL, ValueLayout.JAVA_BYTE, address, bytes.length);
  }

  /** A copy on the heap. */
  public static byte[] bytes(long address, long length) {
    byte[] copy = new byte[Math.toIntExact(length)];
    MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, address, copy, 0, copy.length);
    return copy;
  }
}
