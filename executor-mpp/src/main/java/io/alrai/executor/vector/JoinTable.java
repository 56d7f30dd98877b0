package io.alrai.executor.vector;

import io.alrai.executor.memory.Mem;
import io.alrai.executor.memory.QueryMemory;
import java.util.List;

/**
 * The build side of a hash join. A bucket is 8 bytes: the address of its first row in the low 48
 * bits, above them a small bloom filter of the bucket's hashes, so that most probes without a
 * partner touch one cache line. Filled by several workers, then only read.
 */
public final class JoinTable {
  private static final int ADDRESS_BITS = 48;
  private static final long ADDRESS = (1L << ADDRESS_BITS) - 1;
  private static final int TAG_SHIFT = 60;
  private static final int LEAST_BUCKETS = 64;

  private final long buckets;
  private final long mask;
  private final boolean empty;
  private final boolean hasNullKey;
  private final List<RowChunks.Chunk> chunks;
  private final RowLayout layout;
  private final Slice slice;

  /**
   * Which of a build side's rows a table has, by the {@link HashPlace} of their hashes.
   *
   * @param from the first place
   * @param to the last place
   */
  public record Slice(int from, int to) {
    /** All hashes. */
    public static final Slice ALL = new Slice(0, HashPlace.LAST);

    private boolean has(int place) {
      return place >= from && place <= to;
    }
  }

  /**
   * A table over rows whose hashes are in place.
   *
   * @param chunks the rows, of one layout
   * @param hasNullKey whether rows whose key is NULL were left out
   * @param slice which rows they are; those of a part only are some at least
   */
  public JoinTable(
      RowLayout layout,
      List<RowChunks.Chunk> chunks,
      boolean hasNullKey,
      Slice slice,
      QueryMemory memory) {
    this.layout = layout;
    this.hasNullKey = hasNullKey;
    this.slice = slice;
    this.chunks = List.copyOf(chunks);
    long count = chunks.stream().mapToLong(RowChunks.Chunk::rows).sum();
    this.empty = count == 0;
    long size = Math.max(LEAST_BUCKETS, Long.highestOneBit(Math.max(1, count)) * 2);
    this.mask = (size - 1) << 3;
    this.buckets = memory.allocate(size << 3);
  }

  /** What rows take with their buckets at most, in bytes. */
  public static long bytes(long rows, int rowBytes) {
    return (Math.max(LEAST_BUCKETS, 2 * rows) << 3) + rows * rowBytes;
  }

  /** 1 where the partners of a hash are in another slice, else 0. */
  public int isElsewhere(long hash) {
    return slice.has(HashPlace.of(hash)) ? 0 : 1;
  }

  /** 1 where this is not the first slice: that one has the rows without a key. */
  public int isLater() {
    return slice.from() == 0 ? 0 : 1;
  }

  /** How many pieces {@link #link} must be called for. */
  public int pieces() {
    return chunks.size();
  }

  /** Puts the rows of one piece into their buckets; pieces may be done by different threads. */
  public void link(int piece) {
    RowChunks.Chunk chunk = chunks.get(piece);
    long row = chunk.address();
    for (int i = 0; i < chunk.rows(); i++, row += layout.size()) {
      long hash = Mem.longAt(row + RowLayout.HASH);
      linkShared(buckets + (hash & mask), row, tag(hash));
    }
  }

  /** The first row that may have this hash, or 0. */
  public static long head(long buckets, long mask, long hash) {
    long head = Mem.longAt(buckets + (hash & mask));
    return (head & tag(hash)) == 0 ? 0 : head & ADDRESS;
  }

  /** Puts a row before the others of its bucket; several threads may. */
  private static void linkShared(long bucket, long row, long tag) {
    while (true) {
      long head = Mem.sharedLongAt(bucket);
      Mem.putLong(row, address(head));
      if (Mem.replaceLong(bucket, head, row | tags(head) | tag)) {
        return;
      }
    }
  }

  private static long tag(long hash) {
    return 1L << (ADDRESS_BITS + (hash >>> TAG_SHIFT));
  }

  static long address(long head) {
    return head & ADDRESS;
  }

  static long tags(long head) {
    return head & ~ADDRESS;
  }

  /** Address of the buckets. */
  public long buckets() {
    return buckets;
  }

  /** What selects a bucket's offset from a hash. */
  public long mask() {
    return mask;
  }

  /** Whether it has no rows; rows with NULL keys do not count. */
  public boolean isEmpty() {
    return empty;
  }

  /** Whether a row of the build side had a NULL key. */
  public boolean hasNullKey() {
    return hasNullKey;
  }

  /** The rows' layout. */
  public RowLayout layout() {
    return layout;
  }

  /** All rows: what a join without keys runs over. */
  public List<RowChunks.Chunk> chunks() {
    return chunks;
  }
}
