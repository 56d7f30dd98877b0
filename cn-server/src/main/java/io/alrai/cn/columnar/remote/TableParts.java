package io.alrai.cn.columnar.remote;

import io.alrai.cn.columnar.wire.NodeMessages;
import io.alrai.columnar.version.PartitionFigures;
import io.alrai.columnar.version.PartitionState;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.PartitionGroup;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The index of a table as column nodes say that they have its parts.
 *
 * @param table as the catalog has it
 * @param schemas the physical schemas of all its partitions
 * @param parts of nodes that answer, each built for just this table
 */
record TableParts(Table table, Set<String> schemas, List<Part> parts) {
  /** What one node has. */
  record Part(NodeLink node, NodeMessages.IndexState state) {
    boolean isReady() {
      return state.figures().state() instanceof PartitionState.Ready;
    }
  }

  /** The parts of the table, in the order of the nodes. */
  static TableParts of(List<NodeLink> nodes, Catalog catalog, Table table) {
    List<Part> parts = new ArrayList<>();
    for (NodeLink node : nodes) {
      node.known()
          .flatMap(indexes -> Optional.ofNullable(indexes.get(table.id())))
          .filter(known -> known.table().equals(table))
          .ifPresent(known -> parts.add(new Part(node, known.state())));
    }
    return new TableParts(table, schemas(catalog, table), parts);
  }

  private static Set<String> schemas(Catalog catalog, Table table) {
    Set<String> all = new HashSet<>();
    if (table.partitioning() instanceof Partitioning.Broadcast) {
      catalog.schema(table.schema()).ifPresent(schema -> all.add(schema.broadcastSchema().name()));
    } else {
      for (PartitionGroup group : catalog.tableGroup(table).partitionGroups()) {
        all.add(group.physicalSchema().name());
      }
    }
    return all;
  }

  /** What all of them have together: Ready as soon as no partition is missing. */
  PartitionFigures figures() {
    long rows = 0;
    long deltaRows = 0;
    long bytes = 0;
    boolean copies = table.partitioning() instanceof Partitioning.Broadcast;
    Optional<PartitionState> failed = Optional.empty();
    for (Part part : parts) {
      PartitionFigures one = part.state().figures();
      rows = copies ? Math.max(rows, one.rows()) : rows + one.rows();
      deltaRows = copies ? Math.max(deltaRows, one.deltaRows()) : deltaRows + one.deltaRows();
      bytes += one.bytes();
      if (one.state() instanceof PartitionState.Failed) {
        failed = Optional.of(one.state());
      }
    }
    PartitionState state =
        isWhole() ? new PartitionState.Ready() : failed.orElse(new PartitionState.Building(rows));
    return new PartitionFigures(state, rows, deltaRows, bytes);
  }

  /** Whether no index can hold the table as it is. */
  boolean isGivenUp() {
    return parts.stream().anyMatch(part -> part.state().givenUp());
  }

  private boolean isWhole() {
    Set<String> missing = new HashSet<>(schemas);
    parts.stream().filter(Part::isReady).forEach(part -> missing.removeAll(part.state().schemas()));
    return missing.isEmpty();
  }

  /**
   * Who reads what: each partition once, as much as can be by the node that runs the plan.
   *
   * @return empty where a partition is missing
   */
  Optional<List<NodeMessages.Share>> shares(NodeLink runner) {
    Set<String> missing = new HashSet<>(schemas);
    List<NodeMessages.Share> shares = new ArrayList<>();
    List<Part> ordered = new ArrayList<>(parts.stream().filter(Part::isReady).toList());
    ordered.sort((one, other) -> Boolean.compare(other.node() == runner, one.node() == runner));
    for (Part part : ordered) {
      List<String> own = part.state().schemas().stream().filter(missing::remove).toList();
      if (!own.isEmpty()) {
        shares.add(new NodeMessages.Share(part.node().name(), table.id(), own));
      }
    }
    return missing.isEmpty() ? Optional.of(shares) : Optional.empty();
  }
}
