package io.alrai.gms.api;

import java.util.List;

/**
 * Tables with the same partitioning and placement.
 *
 * @param id unique in the cluster
 * @param name unique in the schema
 * @param signature what a table must have in common with the others: kind, key types, count, for
 *     example {@code key(integer) 4}
 * @param partitionGroups in order of their index
 */
public record TableGroup(
    long id, String name, String signature, List<PartitionGroup> partitionGroups) {
  public TableGroup {
    partitionGroups = List.copyOf(partitionGroups);
  }
}
