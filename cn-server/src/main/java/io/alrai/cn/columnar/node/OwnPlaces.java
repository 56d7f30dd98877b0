package io.alrai.cn.columnar.node;

import io.alrai.cn.columnar.Holding;
import io.alrai.cn.columnar.Placement;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.node.ColumnNode;
import io.alrai.gms.topology.ColumnNodes;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * What a column node keeps beside the others that have a lease: its part of partitioned tables,
 * broadcast tables as a whole.
 *
 * @param self which node
 * @param wallMillis the wall time
 */
public record OwnPlaces(NodeId self, LongSupplier wallMillis) implements Holding {
  /** A node that is started again within this gets back what it had: nobody builds it meanwhile. */
  private static final long MISSED_MILLIS = 10_000;

  @Override
  public boolean holds(Catalog catalog, Table table, PartitionGroup place) {
    if (table.partitioning() instanceof Partitioning.Broadcast) {
      return true;
    }
    Set<NodeId> nodes =
        ColumnNodes.alive(catalog.columnNodes(), wallMillis.getAsLong() - MISSED_MILLIS).stream()
            .map(ColumnNode::id)
            .collect(Collectors.toCollection(HashSet::new));
    nodes.add(self);
    return Placement.holder(nodes, table.tableGroupId(), place.index()).orElseThrow().equals(self);
  }
}
