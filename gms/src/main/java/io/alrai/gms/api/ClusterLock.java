package io.alrai.gms.api;

import io.alrai.common.id.NodeId;
import java.util.Set;

/**
 * A lock of one session over the whole cluster: FLUSH TABLES WITH READ LOCK, or LOCK INSTANCE FOR
 * BACKUP. Several may be there at once, of either kind.
 *
 * @param id one reserved on the sequence {@code cluster-lock}
 * @param owner the session's CN; without its lease the lock may be taken out
 * @param stage what no CN lets begin that has seen this
 * @param reached the CNs where nothing of that is at work any more
 */
public record ClusterLock(long id, NodeId owner, LockStage stage, Set<NodeId> reached) {
  public ClusterLock {
    reached = Set.copyOf(reached);
  }
}
