package io.alrai.columnar.delta;

import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.scan.TableShape;
import io.alrai.columnar.segment.MemoryBudget;
import io.alrai.columnar.segment.Slab;
import io.alrai.common.changelog.RowImage;
import io.alrai.common.error.AlraiException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A stretch of appended rows. One writer; readers take {@link #rows} first and look at nothing
 * beyond it.
 */
public final class DeltaChunk implements AutoCloseable {
  /** Rows of a chunk. */
  public static final int CAPACITY = 4_096;

  /** The delete stamp of a row that nobody deleted. */
  public static final long NEVER = Long.MAX_VALUE;

  private final Slab slab;
  private final List<DeltaColumn> columns = new ArrayList<>();
  private final long[] insertStamps = new long[CAPACITY];
  private final AtomicLongArray deleteStamps = new AtomicLongArray(CAPACITY);
  private long newest;

  /** Publishes all that was written before. */
  private volatile int rows;

  /**
   * An empty chunk.
   *
   * @throws AlraiException ER_OUT_OF_RESOURCES beyond the budget
   */
  public DeltaChunk(TableShape shape, MemoryBudget budget) {
    slab = new Slab(budget);
    try {
      shape.columns().forEach(column -> columns.add(new DeltaColumn(column, CAPACITY, slab)));
    } catch (AlraiException e) {
      slab.close();
      throw e;
    }
  }

  /** How many rows it has. */
  public int rows() {
    return rows;
  }

  /** Whether nothing more fits in. */
  public boolean isFull() {
    return rows == CAPACITY;
  }

  /** The largest insert stamp. Of a full chunk any thread may ask. */
  public long newestInsert() {
    return newest;
  }

  /** What it takes of the budget. */
  public long bytes() {
    return slab.bytes();
  }

  /**
   * Appends a row; the writer only.
   *
   * @return its place
   * @throws AlraiException ER_OUT_OF_RESOURCES beyond the budget
   */
  public int append(RowImage row, long stamp) {
    int at = rows;
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).put(at, row, i);
    }
    insertStamps[at] = stamp;
    deleteStamps.setPlain(at, NEVER);
    newest = Math.max(newest, stamp);
    rows = at + 1;
    return at;
  }

  /** Ends a row; the writer only, once for each row. */
  public void delete(int row, long stamp) {
    deleteStamps.setRelease(row, stamp);
  }

  /** When a row was deleted, or {@link #NEVER}. */
  public long deleteStamp(int row) {
    return deleteStamps.getAcquire(row);
  }

  /** All columns; of the rows that were counted before this call. */
  public List<ColumnVector> vectors() {
    return columns.stream().map(DeltaColumn::vector).toList();
  }

  /**
   * The rows that a reader at a timestamp sees.
   *
   * @param count how many rows to look at
   * @return empty when it sees all of them
   */
  public Optional<int[]> visible(int count, long at) {
    int[] seen = new int[count];
    int found = 0;
    for (int row = 0; row < count; row++) {
      if (insertStamps[row] <= at && deleteStamp(row) > at) {
        seen[found++] = row;
      }
    }
    return found == count ? Optional.empty() : Optional.of(Arrays.copyOf(seen, found));
  }

  @Override
  public void close() {
    slab.close();
  }
}
