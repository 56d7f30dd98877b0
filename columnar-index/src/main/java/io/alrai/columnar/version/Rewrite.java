package io.alrai.columnar.version;

import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.segment.RowGroup;
import io.alrai.columnar.segment.RowGroupBuilder;
import io.alrai.common.error.AlraiException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Some parts of a partition on their way into new row groups: {@link #run}, on any thread, while
 * the partition is fed and read; then {@link #install}. What is deleted meanwhile is carried over
 * by stamp. Belongs to one thread at a time.
 */
public final class Rewrite {
  private static final int DEAD = -1;

  /** Where the rows of one part went: group &lt;&lt; 16 | row, or DEAD. */
  private record Moved(StoredRows part, int[] to, int[] hashes) {}

  private final Partition partition;
  private final Version version;
  private final List<StoredRows> sources;
  private final long watermark;
  private final List<Moved> moved = new ArrayList<>();
  private final List<RowGroup> groups = new ArrayList<>();
  private boolean over;

  /** Under the partition's lock; the version is held for it. */
  Rewrite(Partition partition, Version version, List<StoredRows> sources, long watermark) {
    this.partition = partition;
    this.version = version;
    this.sources = sources;
    this.watermark = watermark;
  }

  /** How many rows it reads. */
  public long rows() {
    return sources.stream().mapToLong(StoredRows::rows).sum();
  }

  long watermark() {
    return watermark;
  }

  List<StoredRows> sources() {
    return sources;
  }

  /**
   * Builds the new row groups.
   *
   * @throws AlraiException ER_OUT_OF_RESOURCES when they do not fit beside the old ones; it is
   *     abandoned then
   */
  public void run() {
    RowGroupBuilder builder = new RowGroupBuilder(partition.shape(), partition.budget());
    try {
      for (StoredRows part : sources) {
        copy(part, builder);
      }
      if (builder.rows() > 0) {
        groups.add(builder.build());
      }
    } catch (AlraiException e) {
      abandon();
      throw e;
    }
  }

  private void copy(StoredRows part, RowGroupBuilder builder) {
    List<ColumnVector> vectors = part.vectors();
    int rows = part.rows();
    int[] to = new int[rows];
    int[] hashes = new int[rows];
    Arrays.fill(to, DEAD);
    int[] all = part.sight(rows).at(watermark).orElse(null);
    int count = all == null ? rows : all.length;
    for (int i = 0; i < count; i++) {
      int row = all == null ? i : all[i];
      if (builder.isFull()) {
        groups.add(builder.build());
      }
      to[row] = groups.size() << 16 | builder.rows();
      hashes[row] = partition.keys().hash(vectors, row);
      builder.add(vectors, row);
    }
    moved.add(new Moved(part, to, hashes));
  }

  /** Puts the result in place of what was read. */
  public void install() {
    finish();
    partition.install(this, groups);
    version.letGo();
  }

  /** Forgets the result. */
  public void abandon() {
    finish();
    groups.forEach(RowGroup::close);
    partition.abandon();
    version.letGo();
  }

  private void finish() {
    if (over) {
      throw new IllegalStateException("the rewrite is over");
    }
    over = true;
  }

  /** Takes a delete that came meanwhile. */
  interface DeleteVisitor {
    void deleted(int group, int row, long stamp);
  }

  /** Under the partition's lock. */
  void forEachDelete(DeleteVisitor visitor) {
    for (Moved one : moved) {
      one.part()
          .forEachDeleteAbove(
              watermark,
              (row, stamp) -> {
                int to = one.to()[row];
                visitor.deleted(to >>> 16, to & 0xffff, stamp);
              });
    }
  }

  /** Takes a row's new place. */
  interface MoveVisitor {
    void moved(int hash, int from, int group, int row);
  }

  /** Under the partition's lock. */
  void forEachMove(MoveVisitor visitor) {
    for (Moved one : moved) {
      int[] to = one.to();
      for (int row = 0; row < to.length; row++) {
        if (to[row] != DEAD) {
          visitor.moved(one.hashes()[row], one.part().place(row), to[row] >>> 16, to[row] & 0xffff);
        }
      }
    }
  }
}
