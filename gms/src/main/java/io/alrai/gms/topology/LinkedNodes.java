package io.alrai.gms.topology;

import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.ComputeNode;
import io.alrai.gms.api.node.DataNode;
import io.alrai.gms.api.node.DnMember;
import io.alrai.gms.api.node.ForcedGroup;
import io.alrai.gms.api.node.LinkedNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The agents and column nodes in the order of their names, and who has not heard of a change of the
 * catalog. Pure; times are the leader's wall milliseconds.
 */
public final class LinkedNodes {
  private LinkedNodes() {}

  /** A node that has not said that it knows a version of the catalog. */
  public record Unaware(String name, long leaseUntilMillis) {
    /** Whether it holds a lease at that time: it will hear of it. */
    public boolean leased(long nowMillis) {
      return leaseUntilMillis > nowMillis;
    }
  }

  /** Those after one of them, known or new, has renewed its lease. */
  public static List<LinkedNode> renew(
      List<LinkedNode> nodes, CatalogCommand.RenewLinkedNode renewal) {
    List<LinkedNode> renewed = new ArrayList<>(without(nodes, Set.of(renewal.id().name())));
    renewed.add(
        new LinkedNode(
            renewal.id(), renewal.catalogVersion(), renewal.nowMillis() + renewal.leaseMillis()));
    renewed.sort(Comparator.comparing(node -> node.id().name()));
    return List.copyOf(renewed);
  }

  /** Those without agents that were members of DNs before, and are not now. */
  public static List<LinkedNode> without(
      List<LinkedNode> nodes, List<DataNode> before, List<DataNode> now) {
    Set<String> gone = members(before).collect(Collectors.toSet());
    members(now).forEach(gone::remove);
    return without(nodes, gone);
  }

  private static Stream<String> members(List<DataNode> dns) {
    return dns.stream().flatMap(dn -> dn.members().stream()).map(DnMember::name);
  }

  /** Those that have other names. */
  public static List<LinkedNode> without(List<LinkedNode> nodes, Set<String> names) {
    return nodes.stream().noneMatch(node -> names.contains(node.id().name()))
        ? nodes
        : nodes.stream().filter(node -> !names.contains(node.id().name())).toList();
  }

  /**
   * CNs and linked nodes that may still believe those that a group was forced without: they have
   * not said that they know the catalog that says so, and nobody has said that they have ended. A
   * lease that runs out does not make one know.
   */
  public static List<Unaware> unaware(Catalog catalog, ForcedGroup forced) {
    long version = forced.version();
    return Stream.concat(
            catalog.computeNodes().stream()
                .filter(node -> node.catalogVersion() < version)
                .map((ComputeNode node) -> new Unaware(node.id().name(), node.leaseUntilMillis())),
            catalog.linkedNodes().stream()
                .filter(node -> node.catalogVersion() < version)
                .map((LinkedNode node) -> new Unaware(node.id().name(), node.leaseUntilMillis())))
        .filter(node -> !node.name().equals(forced.survivor()))
        .filter(node -> !forced.ended().contains(node.name()))
        .toList();
  }
}
