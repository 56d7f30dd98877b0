package io.alrai.columnar.segment;

import io.alrai.columnar.scan.ColumnVector;
import io.alrai.columnar.scan.Zone;
import io.alrai.columnar.scan.ZoneMap;
import java.util.List;

/** Rows that never change, off the heap. Any thread; nobody may read it after {@link #close}. */
public final class RowGroup implements ZoneMap, AutoCloseable {
  private final int rows;
  private final List<ColumnVector> vectors;
  private final List<Zone> zones;
  private final Slab slab;

  RowGroup(int rows, List<ColumnVector> vectors, List<Zone> zones, Slab slab) {
    this.rows = rows;
    this.vectors = List.copyOf(vectors);
    this.zones = List.copyOf(zones);
    this.slab = slab;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public Zone zone(int ordinal) {
    return zones.get(ordinal);
  }

  /** All columns, by ordinal. */
  public List<ColumnVector> vectors() {
    return vectors;
  }

  /** What it takes of the budget. */
  public long bytes() {
    return slab.bytes();
  }

  @Override
  public void close() {
    slab.close();
  }
}
