package io.alrai.dn.rows;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.dn.link.ReplyKey;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfLong;
import java.util.Arrays;

/**
 * Replies in a ring off the heap: a new one takes the place of the oldest. Positions keep counting
 * from round to round, so that a position shows whether its reply has been overwritten.
 * Thread-safe.
 *
 * <pre>
 *  0      8         16            20             24
 * +------+---------+-------------+--------------+-----+-------+---------------------
 * | hash | touched | read length | reply length | read | reply | room up to 8 bytes
 * +------+---------+-------------+--------------+-----+-------+---------------------
 * </pre>
 */
final class ReplyRing {
  private static final OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final int TOUCHED = 8;
  private static final int READ_LENGTH = 16;
  private static final int REPLY_LENGTH = 20;
  private static final int HEADER = 24;
  private static final int WAYS = 4;

  /** About what a read and its reply take. */
  private static final int USUAL_BYTES = 256;

  /** Allocated when they are needed; a reply is in one of them. */
  private static final int CHUNK = 128 << 10;

  private static final int TAG_BITS = 16;

  @GuardedBy("this")
  private final MemorySegment[] chunks;

  private final long capacity;

  /** Where replies are, with a part of their hashes in the lowest bits; 0 for none. */
  @GuardedBy("this")
  private final long[] index;

  private final int sets;

  /** Where the next one is put. */
  @GuardedBy("this")
  private long head;

  /**
   * An empty one.
   *
   * @param bytes that it has at most, a power of two
   */
  ReplyRing(int bytes) {
    this.chunks = new MemorySegment[Math.max(1, bytes / CHUNK)];
    this.capacity = (long) chunks.length * CHUNK;
    this.head = capacity;
    this.sets = Math.toIntExact(capacity / USUAL_BYTES / WAYS);
    this.index = new long[sets * WAYS];
    Arrays.fill(chunks, MemorySegment.NULL);
  }

  /**
   * Finds a reply.
   *
   * @param touched when its row was touched last
   * @return its length; -1 if there is none of since then
   */
  synchronized int find(ReplyKey read, long touched, byte[] into) {
    int slot = slot(read);
    if (slot < 0) {
      return -1;
    }
    long at = index[slot] >>> TAG_BITS;
    MemorySegment chunk = chunk(at);
    long from = at % CHUNK;
    if (chunk.get(LONG, from + TOUCHED) != touched) {
      return -1;
    }
    int length = chunk.get(INT, from + REPLY_LENGTH);
    copyOut(chunk, from + HEADER + read.length(), into, length);
    return length;
  }

  /** Keeps a reply, in place of what there is for the same read. */
  synchronized void keep(ReplyKey read, long touched, byte[] reply, int length) {
    long needed = HEADER + read.length() + length + Long.BYTES - 1L & -Long.BYTES;
    if (needed > CHUNK) {
      return;
    }
    int slot = slot(read);
    if (slot >= 0) {
      long at = index[slot] >>> TAG_BITS;
      MemorySegment chunk = chunk(at);
      long to = at % CHUNK;
      if (chunk.get(INT, to + REPLY_LENGTH) == length) {
        chunk.set(LONG, to + TOUCHED, touched);
        copyIn(reply, chunk, to + HEADER + read.length(), length);
        return;
      }
    } else {
      slot = oldest(read);
    }
    if (head % CHUNK + needed > CHUNK) {
      head += CHUNK - head % CHUNK;
    }
    long at = head;
    MemorySegment chunk = chunk(at);
    long to = at % CHUNK;
    chunk.set(LONG, to, read.hash());
    chunk.set(LONG, to + TOUCHED, touched);
    chunk.set(INT, to + READ_LENGTH, read.length());
    chunk.set(INT, to + REPLY_LENGTH, length);
    MemorySegment.copy(read.bytes(), 0, chunk, to + HEADER, read.length());
    copyIn(reply, chunk, to + HEADER + read.length(), length);
    head += needed;
    index[slot] = at << TAG_BITS | tag(read);
  }

  private static void copyOut(MemorySegment chunk, long from, byte[] into, int length) {
    MemorySegment.copy(chunk, ValueLayout.JAVA_BYTE, from, into, 0, length);
  }

  private static void copyIn(byte[] reply, MemorySegment chunk, long to, int length) {
    MemorySegment.copy(reply, 0, chunk, ValueLayout.JAVA_BYTE, to, length);
  }

  @GuardedBy("this")
  private MemorySegment chunk(long at) {
    int number = (int) (at / CHUNK % chunks.length);
    MemorySegment known = chunks[number];
    if (known.byteSize() == 0) {
      known = Arena.ofAuto().allocate(CHUNK);
      chunks[number] = known;
    }
    return known;
  }

  private int firstWay(ReplyKey read) {
    return (int) (read.hash() >>> TAG_BITS & sets - 1) * WAYS;
  }

  private static long tag(ReplyKey read) {
    return read.hash() & (1L << TAG_BITS) - 1;
  }

  /** The slot of what is kept for a read and not overwritten; -1 for none. */
  @GuardedBy("this")
  private int slot(ReplyKey read) {
    int first = firstWay(read);
    long tag = tag(read);
    for (int slot = first; slot < first + WAYS; slot++) {
      long entry = index[slot];
      long at = entry >>> TAG_BITS;
      if (at >= head - capacity
          && at != 0
          && (entry & (1L << TAG_BITS) - 1) == tag
          && isOf(read, chunk(at), at % CHUNK)) {
        return slot;
      }
    }
    return -1;
  }

  private static boolean isOf(ReplyKey read, MemorySegment chunk, long at) {
    long from = at + HEADER;
    return chunk.get(LONG, at) == read.hash()
        && chunk.get(INT, at + READ_LENGTH) == read.length()
        && MemorySegment.mismatch(chunk, from, from + read.length(), read.bytes(), 0, read.length())
            < 0;
  }

  @GuardedBy("this")
  private int oldest(ReplyKey read) {
    int first = firstWay(read);
    int oldest = first;
    for (int slot = first + 1; slot < first + WAYS; slot++) {
      if (index[slot] < index[oldest]) {
        oldest = slot;
      }
    }
    return oldest;
  }
}
