package io.alrai.columnar.scan;

/** What is known of a row group without reading it. */
public interface ZoneMap {
  /** Its rows, visible or not. */
  int rows();

  /**
   * The zone of a column.
   *
   * @param ordinal in the table's {@link TableShape}, whether the scan reads it or not
   */
  Zone zone(int ordinal);
}
