package io.alrai.cn.route;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash that places rows by KEY. Rows stay where it once put them, so it must never change. A
 * column's value is hashed in its canonical form, see {@link KeyValue}; several columns are chained
 * in the order of the PARTITION BY clause. The index is the hash as an unsigned number modulo the
 * number of partition groups.
 */
public final class PartitionHash {
  /** Of NULL. */
  static final long NULL = 0x6e9a_37c1_5bd2_f04dL;

  private static final long GOLDEN = 0x9e37_79b9_7f4a_7c15L;
  private static final long FIRST = 0xbf58_476d_1ce4_e5b9L;
  private static final long SECOND = 0x94d0_49bb_1331_11ebL;
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private PartitionHash() {}

  /** The index for a key of one integer column; an unsigned value above the signed range wraps. */
  public static int index(long value, int count) {
    return indexOf(ofLong(value), count);
  }

  /** The index for a hash. */
  public static int indexOf(long hash, int count) {
    return (int) Long.remainderUnsigned(hash, count);
  }

  /** The hash of an integer: every input bit reaches every output bit (SplitMix64's finaliser). */
  public static long ofLong(long value) {
    long z = value + GOLDEN;
    z = (z ^ z >>> 30) * FIRST;
    z = (z ^ z >>> 27) * SECOND;
    return z ^ z >>> 31;
  }

  /** The hash of bytes, eight at a time. */
  public static long ofBytes(byte[] bytes, int from, int to) {
    long hash = SECOND ^ (to - from);
    int at = from;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      hash = step(hash, (long) WORD.get(bytes, at));
    }
    if (at < to) {
      long rest = 0;
      for (int shift = 0; at < to; at++, shift += 8) {
        rest |= (bytes[at] & 0xffL) << shift;
      }
      hash = step(hash, rest);
    }
    return ofLong(hash);
  }

  private static long step(long hash, long word) {
    return Long.rotateLeft(hash ^ word * FIRST, 27) * GOLDEN + SECOND;
  }

  /** Chains a further column's hash to that of the columns before it. */
  public static long chain(long before, long next) {
    return ofLong(Long.rotateLeft(before, 23) ^ next);
  }
}
