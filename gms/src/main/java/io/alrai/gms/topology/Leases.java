package io.alrai.gms.topology;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.node.ComputeNode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The CNs and until when each counts as alive. Pure; times are the leader's wall milliseconds. */
public final class Leases {
  /** Highest number a CN can have: the high ten bits of its connection ids. */
  public static final int MAX_NUMBER = 1023;

  /** How long a CN's lease lasts after a renewal. */
  public static final long MILLIS = 3_000;

  private Leases() {}

  /**
   * The time by which leases have run out at a leader. One that is new cannot know who is dead: CNs
   * had nobody to renew their leases at. So none has run out until it has led for as long as one
   * lasts.
   *
   * @param ledMillis for how long it has led
   */
  public static long time(long nowMillis, long ledMillis) {
    return ledMillis < MILLIS ? 0 : nowMillis;
  }

  /**
   * The CNs after one of them, known or new, has renewed its lease. A new one gets the lowest free
   * number, or that of the CN that has been gone longest when none is free.
   *
   * @throws AlraiException ALRAI_CATALOG_CONFLICT when 1023 CNs are alive already
   */
  public static List<ComputeNode> renew(
      List<ComputeNode> nodes, CatalogCommand.RenewComputeNode renewal) {
    List<ComputeNode> renewed = new ArrayList<>(nodes);
    int number =
        find(nodes, renewal.id())
            .map(ComputeNode::number)
            .orElseGet(() -> takeNumber(renewed, renewal.nowMillis()));
    renewed.removeIf(node -> node.id().equals(renewal.id()));
    renewed.add(
        new ComputeNode(
            renewal.id(),
            number,
            renewal.address(),
            renewal.catalogVersion(),
            renewal.nowMillis() + renewal.leaseMillis()));
    renewed.sort(Comparator.comparingInt(ComputeNode::number));
    return List.copyOf(renewed);
  }

  /** The CNs without one of them; the same list when it was not among them. */
  public static List<ComputeNode> remove(List<ComputeNode> nodes, NodeId id) {
    if (find(nodes, id).isEmpty()) {
      return nodes;
    }
    return nodes.stream().filter(node -> !node.id().equals(id)).toList();
  }

  /** Whether a CN holds a lease at that time. */
  public static boolean alive(List<ComputeNode> nodes, NodeId id, long nowMillis) {
    return find(nodes, id).filter(node -> node.leaseUntilMillis() > nowMillis).isPresent();
  }

  /** The CNs with a valid lease that said they work with an older version than this. */
  public static List<ComputeNode> behind(List<ComputeNode> nodes, long version, long nowMillis) {
    return nodes.stream()
        .filter(node -> node.leaseUntilMillis() > nowMillis && node.catalogVersion() < version)
        .toList();
  }

  private static Optional<ComputeNode> find(List<ComputeNode> nodes, NodeId id) {
    return nodes.stream().filter(node -> node.id().equals(id)).findFirst();
  }

  private static int takeNumber(List<ComputeNode> nodes, long nowMillis) {
    BitSet taken = new BitSet(MAX_NUMBER + 1);
    nodes.forEach(node -> taken.set(node.number()));
    int free = taken.nextClearBit(1);
    if (free <= MAX_NUMBER) {
      return free;
    }
    ComputeNode oldest =
        nodes.stream()
            .filter(node -> node.leaseUntilMillis() <= nowMillis)
            .min(Comparator.comparingLong(ComputeNode::leaseUntilMillis))
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ALRAI_CATALOG_CONFLICT,
                    "the cluster has " + MAX_NUMBER + " compute nodes, the most it can have"));
    nodes.remove(oldest);
    return oldest.number();
  }
}
