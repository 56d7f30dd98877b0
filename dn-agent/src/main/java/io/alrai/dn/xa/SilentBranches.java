package io.alrai.dn.xa;

import io.alrai.common.id.TransactionId;
import io.alrai.dn.link.Branch;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Since when the branches on this DN have been prepared, or may have been; from that it follows
 * whose coordinator is silent. XA RECOVER is the truth; this follows it. Thread-safe.
 */
final class SilentBranches {
  /**
   * One branch.
   *
   * @param sinceNanos when it was first seen, by the agent's monotonic clock
   */
  record Prepared(TransactionId id, long sinceNanos) {}

  private final Map<TransactionId, Prepared> branches = new ConcurrentHashMap<>();

  /** Connections that keep what is prepared on them. */
  private final Map<TransactionId, Branch> kept = new ConcurrentHashMap<>();

  /** Those there are now. */
  List<Prepared> snapshot() {
    return List.copyOf(branches.values());
  }

  /** How many there are. */
  int size() {
    return branches.size();
  }

  /** Whether there is none. */
  boolean isEmpty() {
    return branches.isEmpty();
  }

  /** XA PREPARE is about to be sent, or XA RECOVER lists it. */
  void add(TransactionId id, long nowNanos) {
    branches.putIfAbsent(id, new Prepared(id, nowNanos));
  }

  /** It is prepared on a connection that keeps it; on the connection's loop. */
  void keep(TransactionId id, Branch branch) {
    branch.keep();
    kept.put(id, branch);
  }

  /** The connection to end it on; empty where any will do. */
  Optional<Branch> keeper(TransactionId id) {
    return Optional.ofNullable(kept.get(id)).filter(Branch::alive);
  }

  /** Its outcome is known and applied. */
  void remove(TransactionId id) {
    branches.remove(id);
    letGo(id);
  }

  private void letGo(TransactionId id) {
    Branch branch = kept.remove(id);
    if (branch == null) {
      return;
    }
    if (branch.eventLoop().inEventLoop()) {
      branch.letGo();
    } else {
      branch.eventLoop().execute(branch::letGo);
    }
  }

  /**
   * Takes what XA RECOVER listed: adds what is new, drops what was there before the question and is
   * not listed.
   *
   * @param before {@link #snapshot} from before XA RECOVER was sent
   * @param maybeYoung branches younger than this may be on their way to be prepared and stay
   * @return those that were dropped
   */
  List<TransactionId> reconcile(
      Collection<TransactionId> listed, List<Prepared> before, long nowNanos, long maybeYoung) {
    for (TransactionId id : listed) {
      add(id, nowNanos);
    }
    List<TransactionId> dropped = new ArrayList<>();
    for (Prepared old : before) {
      if (!listed.contains(old.id())
          && nowNanos - old.sinceNanos() > maybeYoung
          && branches.remove(old.id(), old)) {
        letGo(old.id());
        dropped.add(old.id());
      }
    }
    return dropped;
  }
}
