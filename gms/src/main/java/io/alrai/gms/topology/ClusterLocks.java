package io.alrai.gms.topology;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.ClusterLock;
import io.alrai.gms.api.LockStage;
import io.alrai.gms.api.node.ComputeNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The locks over the cluster, in the order of their ids, and their changes, each of which may be
 * applied twice. Pure.
 */
public final class ClusterLocks {
  private ClusterLocks() {}

  /**
   * Adds a lock that no CN has reached yet.
   *
   * @throws AlraiException ALRAI_CATALOG_CONFLICT when its id is another one's
   */
  public static List<ClusterLock> add(List<ClusterLock> locks, CatalogCommand.AddClusterLock add) {
    Optional<ClusterLock> same = find(locks, add.id());
    if (same.isPresent()) {
      if (same.get().owner().equals(add.owner())) {
        return locks;
      }
      throw conflict("lock " + add.id() + " is there already");
    }
    List<ClusterLock> added = new ArrayList<>(locks);
    added.add(new ClusterLock(add.id(), add.owner(), add.stage(), Set.of()));
    added.sort((one, other) -> Long.compare(one.id(), other.id()));
    return List.copyOf(added);
  }

  /**
   * Records that a CN has reached a stage; changes nothing if the lock is gone or at another stage.
   */
  public static List<ClusterLock> reach(
      List<ClusterLock> locks, CatalogCommand.ReachClusterLock reach) {
    Optional<ClusterLock> lock = find(locks, reach.id());
    if (lock.isEmpty()
        || lock.get().stage() != reach.stage()
        || lock.get().reached().contains(reach.node())) {
      return locks;
    }
    Set<NodeId> reached = new HashSet<>(lock.get().reached());
    reached.add(reach.node());
    return with(locks, lock.get().id(), reach.stage(), reached);
  }

  /**
   * Goes on to a stage, or stays at the one there is, if all CNs with a lease have reached that.
   *
   * @throws AlraiException ALRAI_CATALOG_CONFLICT when one has not, or when the lock is gone
   */
  public static List<ClusterLock> advance(
      List<ClusterLock> locks, List<ComputeNode> nodes, CatalogCommand.AdvanceClusterLock advance) {
    ClusterLock lock =
        find(locks, advance.id())
            .orElseThrow(() -> conflict("lock " + advance.id() + " is not there any more"));
    for (ComputeNode node : nodes) {
      if (node.leaseUntilMillis() > advance.nowMillis() && !lock.reached().contains(node.id())) {
        throw conflict(node.id() + " has not reached lock " + lock.id() + " yet");
      }
    }
    return lock.stage() == advance.stage()
        ? locks
        : with(locks, lock.id(), advance.stage(), Set.of());
  }

  /**
   * Takes a lock out: its owner may, and everybody where the owner has no lease.
   *
   * @throws AlraiException ALRAI_CATALOG_CONFLICT when it is another living CN's
   */
  public static List<ClusterLock> drop(
      List<ClusterLock> locks, List<ComputeNode> nodes, CatalogCommand.DropClusterLock drop) {
    Optional<ClusterLock> lock = find(locks, drop.id());
    if (lock.isEmpty()) {
      return locks;
    }
    NodeId owner = lock.get().owner();
    if (!owner.equals(drop.node()) && Leases.alive(nodes, owner, drop.nowMillis())) {
      throw conflict("lock " + drop.id() + " belongs to " + owner);
    }
    return locks.stream().filter(other -> other.id() != drop.id()).toList();
  }

  private static List<ClusterLock> with(
      List<ClusterLock> locks, long id, LockStage stage, Set<NodeId> reached) {
    return locks.stream()
        .map(lock -> lock.id() == id ? new ClusterLock(id, lock.owner(), stage, reached) : lock)
        .toList();
  }

  private static Optional<ClusterLock> find(List<ClusterLock> locks, long id) {
    return locks.stream().filter(lock -> lock.id() == id).findFirst();
  }

  private static AlraiException conflict(String sentence) {
    return new AlraiException(ErrorCode.ALRAI_CATALOG_CONFLICT, sentence);
  }
}
