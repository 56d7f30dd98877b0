package io.alrai.columnar.version;

/**
 * What SHOW tells of a partition.
 *
 * @param rows now visible
 * @param deltaRows of them and of deleted ones, in the delta
 * @param bytes of memory off the heap, without what only readers still hold
 */
public record PartitionFigures(PartitionState state, long rows, long deltaRows, long bytes) {}
