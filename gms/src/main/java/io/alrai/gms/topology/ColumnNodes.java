package io.alrai.gms.topology;

import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.ColumnNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The column nodes in the order of their names. Pure; times are the leader's wall milliseconds. */
public final class ColumnNodes {
  private ColumnNodes() {}

  /** The column nodes after a command about one of them. */
  public static List<ColumnNode> after(
      List<ColumnNode> nodes, CatalogCommand.OnColumnNode command) {
    return switch (command) {
      case CatalogCommand.RenewColumnNode renewal -> renew(nodes, renewal);
      case CatalogCommand.RemoveColumnNode removal -> remove(nodes, removal.id());
    };
  }

  /** Those after one of them, known or new, has renewed its lease. */
  static List<ColumnNode> renew(List<ColumnNode> nodes, CatalogCommand.RenewColumnNode renewal) {
    List<ColumnNode> renewed = new ArrayList<>(remove(nodes, renewal.id()));
    renewed.add(
        new ColumnNode(
            renewal.id(), renewal.address(), renewal.nowMillis() + renewal.leaseMillis()));
    renewed.sort(Comparator.comparing(node -> node.id().name()));
    return List.copyOf(renewed);
  }

  /** Those without one of them; the same list when it was not among them. */
  static List<ColumnNode> remove(List<ColumnNode> nodes, NodeId id) {
    return nodes.stream().noneMatch(node -> node.id().equals(id))
        ? nodes
        : nodes.stream().filter(node -> !node.id().equals(id)).toList();
  }

  /** Those that hold a lease at that time. */
  public static List<ColumnNode> alive(List<ColumnNode> nodes, long nowMillis) {
    return nodes.stream().filter(node -> node.leaseUntilMillis() > nowMillis).toList();
  }
}
