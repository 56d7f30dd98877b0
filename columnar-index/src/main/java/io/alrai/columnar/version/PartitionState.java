package io.alrai.columnar.version;

/** Whether a partition of the index can be read. */
public sealed interface PartitionState {
  /** Rows are being loaded. */
  record Building(long rows) implements PartitionState {}

  /** The partition is complete and follows the stream. */
  record Ready() implements PartitionState {}

  /**
   * The partition is not complete, and must be built anew.
   *
   * @param reason a sentence for SHOW
   */
  record Failed(String reason) implements PartitionState {}
}
