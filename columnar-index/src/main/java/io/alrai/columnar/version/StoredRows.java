package io.alrai.columnar.version;

import io.alrai.columnar.delta.DeltaChunk;
import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.segment.RowGroup;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A row group or a chunk as part of a partition: it has a number, by which the key index names its
 * rows, and is freed when the last version that has it is let go.
 */
abstract sealed class StoredRows {
  private final int number;
  private final AtomicInteger holders = new AtomicInteger();

  private StoredRows(int number) {
    this.number = number;
  }

  /** 1 to 65535. */
  final int number() {
    return number;
  }

  /** What the key index notes for a row. */
  final int place(int row) {
    return number << 16 | row;
  }

  final void hold() {
    holders.incrementAndGet();
  }

  /** Frees it if that was the last holder. */
  final void letGo() {
    if (holders.decrementAndGet() == 0) {
      free();
    }
  }

  abstract void free();

  abstract int rows();

  abstract long bytes();

  /** All columns; the writer's. */
  abstract List<ColumnVector> vectors();

  /** Ends a row; the writer only. */
  abstract void delete(int row, long stamp);

  /** What a reader sees of the first rows at a timestamp; empty when all. */
  interface Sight {
    Optional<int[]> at(long stamp);
  }

  /**
   * The part as it is now, since compaction may forget stamps afterwards. Under the partition's
   * lock.
   */
  abstract Sight sight(int count);

  /** Every delete above a stamp. */
  abstract void forEachDeleteAbove(long watermark, Deletes.Visitor visitor);

  /** A row group of the base: all its rows are older than every reader. */
  static final class Base extends StoredRows {
    private final RowGroup group;
    private volatile Deletes deletes;

    Base(int number, RowGroup group) {
      super(number);
      this.group = group;
      deletes = Deletes.none(group.rows());
    }

    RowGroup group() {
      return group;
    }

    int deadAt(long at) {
      return deletes.deadAt(at);
    }

    /** Deletes at or below it need no stamp any more; the writer only. */
    void fold(long watermark) {
      deletes = deletes.folded(watermark);
    }

    @Override
    void free() {
      group.close();
    }

    @Override
    int rows() {
      return group.rows();
    }

    @Override
    long bytes() {
      return group.bytes();
    }

    @Override
    List<ColumnVector> vectors() {
      return group.vectors();
    }

    @Override
    void delete(int row, long stamp) {
      deletes = deletes.with(row, stamp);
    }

    @Override
    Sight sight(int count) {
      return deletes::visible;
    }

    @Override
    void forEachDeleteAbove(long watermark, Deletes.Visitor visitor) {
      deletes.forEachAbove(watermark, visitor);
    }
  }

  /** A chunk of the delta. */
  static final class Delta extends StoredRows {
    private final DeltaChunk chunk;

    Delta(int number, DeltaChunk chunk) {
      super(number);
      this.chunk = chunk;
    }

    DeltaChunk chunk() {
      return chunk;
    }

    @Override
    void free() {
      chunk.close();
    }

    @Override
    int rows() {
      return chunk.rows();
    }

    @Override
    long bytes() {
      return chunk.bytes();
    }

    @Override
    List<ColumnVector> vectors() {
      return chunk.vectors();
    }

    @Override
    void delete(int row, long stamp) {
      chunk.delete(row, stamp);
    }

    @Override
    Sight sight(int count) {
      return stamp -> chunk.visible(count, stamp);
    }

    @Override
    void forEachDeleteAbove(long watermark, Deletes.Visitor visitor) {
      for (int row = 0; row < chunk.rows(); row++) {
        long stamp = chunk.deleteStamp(row);
        if (stamp != DeltaChunk.NEVER && stamp > watermark) {
          visitor.deleted(row, stamp);
        }
      }
    }
  }
}
