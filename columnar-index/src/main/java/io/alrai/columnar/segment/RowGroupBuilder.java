package io.alrai.columnar.segment;

import io.alrai.columnar.scan.ColumnBatch;
import io.alrai.columnar.scan.ColumnShape;
import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.scan.TableShape;
import io.alrai.columnar.scan.Zone;
import io.alrai.common.changelog.RowImage;
import io.alrai.common.error.AlraiException;
import java.util.ArrayList;
import java.util.List;

/** Gathers up to 64 Ki rows on the heap and makes row groups of them. Belongs to one thread. */
public final class RowGroupBuilder {
  private final MemoryBudget budget;
  private final List<ColumnBuilder> columns = new ArrayList<>();
  private int rows;

  /** Has no rows yet. */
  public RowGroupBuilder(TableShape shape, MemoryBudget budget) {
    this.budget = budget;
    for (ColumnShape column : shape.columns()) {
      columns.add(ColumnBuilder.of(column.kind()));
    }
  }

  /** How many are gathered. */
  public int rows() {
    return rows;
  }

  /** Whether {@link #build} must come before the next row. */
  public boolean isFull() {
    return rows == ColumnBatch.MOST_ROWS;
  }

  /**
   * Adds a row.
   *
   * @throws IllegalStateException when it is full
   */
  public void add(RowImage row) {
    checkRoom();
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).add(row, i);
    }
    rows++;
  }

  /** Adds a copy of a row of other vectors, which are those of all columns. */
  public void add(List<ColumnVector> vectors, int row) {
    checkRoom();
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).add(vectors.get(i), row);
    }
    rows++;
  }

  private void checkRoom() {
    if (isFull()) {
      throw new IllegalStateException("a row group is full");
    }
  }

  /**
   * Makes a row group of what was gathered and begins anew. Whoever gets it closes it.
   *
   * @throws AlraiException ER_OUT_OF_RESOURCES beyond the budget; the rows are kept then
   */
  public RowGroup build() {
    Slab slab = new Slab(budget);
    List<ColumnVector> vectors = new ArrayList<>();
    List<Zone> zones = new ArrayList<>();
    try {
      for (ColumnBuilder column : columns) {
        ColumnBuilder.Built built = column.build(slab);
        vectors.add(built.vector());
        zones.add(built.zone());
      }
    } catch (AlraiException e) {
      slab.close();
      throw e;
    }
    RowGroup group = new RowGroup(rows, vectors, zones, slab);
    columns.forEach(ColumnBuilder::clear);
    rows = 0;
    return group;
  }
}
