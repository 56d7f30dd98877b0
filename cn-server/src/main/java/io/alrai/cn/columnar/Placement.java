package io.alrai.cn.columnar;

import io.alrai.common.id.NodeId;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/**
 * Which column node keeps which partitions: of a table group those of one number meet on one node,
 * and a node that comes or goes moves its own part only (rendezvous hashing; Thaler and
 * Ravishankar, 1998). Every process finds the same. Stateless.
 */
public final class Placement {
  private Placement() {}

  /** The node that keeps a partition; empty without nodes. */
  public static Optional<NodeId> holder(Collection<NodeId> nodes, long tableGroup, int partition) {
    long key = mixed(mixed(tableGroup) + partition);
    return nodes.stream()
        .max(
            Comparator.comparingLong((NodeId node) -> mixed(key ^ hash(node.name())))
                .thenComparing(NodeId::name));
  }

  private static long hash(String name) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < name.length(); i++) {
      hash = (hash ^ name.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }

  /** SplitMix64's finish: every bit of the result depends on every bit of the number. */
  private static long mixed(long number) {
    long bits = number + 0x9e3779b97f4a7c15L;
    bits = (bits ^ bits >>> 30) * 0xbf58476d1ce4e5b9L;
    bits = (bits ^ bits >>> 27) * 0x94d049bb133111ebL;
    return bits ^ bits >>> 31;
  }
}
