package io.alrai.dn.gate;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The XA branches on this DN, from their PREPARE until their end is acknowledged.
 *
 * <pre>
 *            prepared              decided             submitted           arrived
 * PREPARING ----------> PREPARED ----------> DECIDED ------------> SUBMITTED --------> COMMITTED
 *     |                  |  ^ |                                                           |
 *     | failed       push|  | | rolled back, or unknown to the mysqld                     | acked
 *     +--------> gone <--+--+-+---------------------------------------------------- gone <+
 * </pre>
 *
 * A branch that is PREPARING needs no push: its prepare timestamp is still to come, and will be
 * above every snapshot that was asked for. A branch that came back from XA RECOVER, or whose
 * PREPARE came in the stream alone, has an unknown prepare timestamp, ZERO.
 */
final class PreparedSet {
  private enum State {
    PREPARING,
    PREPARED,
    ROLLING_BACK,
    DECIDED,
    SUBMITTED,
    COMMITTED
  }

  private static final class Branch {
    private State state;
    private HlcTimestamp prepareTs = HlcTimestamp.ZERO;

    /** The branch commits at or above this, if at all. */
    private HlcTimestamp lowerBound = HlcTimestamp.ZERO;

    /** The largest snapshot above which its primary was asked to push it. */
    private HlcTimestamp asked = HlcTimestamp.ZERO;

    private HlcTimestamp commitTs = HlcTimestamp.ZERO;
    private Optional<BinlogPosition> committedAt = Optional.empty();

    Branch(State state) {
      this.state = state;
    }
  }

  private final GateRules rules;
  private final Map<TransactionId, Branch> branches = new LinkedHashMap<>();

  PreparedSet(GateRules rules) {
    this.rules = rules;
  }

  /** Branches in whatever state. */
  int size() {
    return branches.size();
  }

  Set<TransactionId> ids() {
    return Set.copyOf(branches.keySet());
  }

  boolean contains(TransactionId id) {
    return branches.containsKey(id);
  }

  /** XA PREPARE is about to be sent. */
  void preparing(TransactionId id) {
    branches.putIfAbsent(id, new Branch(State.PREPARING));
  }

  /** XA PREPARE was answered; this timestamp goes to the coordinator. */
  void prepared(TransactionId id, HlcTimestamp prepareTs) {
    Branch branch = branches.computeIfAbsent(id, key -> new Branch(State.PREPARING));
    if (branch.state == State.PREPARING) {
      branch.state = State.PREPARED;
      branch.prepareTs = prepareTs;
      branch.lowerBound = prepareTs;
    }
  }

  /** XA RECOVER lists it, or its XA PREPARE came in the stream. */
  void found(TransactionId id) {
    branches.putIfAbsent(id, new Branch(State.PREPARED));
  }

  /** It was not prepared, was rolled back, or the mysqld does not know it. */
  void gone(TransactionId id) {
    Branch branch = branches.get(id);
    if (branch != null && branch.state != State.COMMITTED) {
      branches.remove(id);
    }
  }

  /** XA RECOVER does not list it; neither does it list one whose XA COMMIT is not acknowledged. */
  void notListed(TransactionId id) {
    Branch branch = branches.get(id);
    if (branch != null
        && (branch.state == State.PREPARING
            || branch.state == State.PREPARED
            || branch.state == State.ROLLING_BACK)) {
      branches.remove(id);
    }
  }

  /** It is aborted for good, and will be rolled back. */
  void rollingBack(TransactionId id) {
    Branch branch = branches.get(id);
    if (branch != null && branch.state == State.PREPARED) {
      branch.state = State.ROLLING_BACK;
    }
  }

  /** Its primary says that it commits, if at all, above this. */
  void pushed(TransactionId id, HlcTimestamp above) {
    Branch branch = branches.get(id);
    if (branch != null) {
      branch.lowerBound = Fence.max(branch.lowerBound, new HlcTimestamp(above.value() + 1));
    }
  }

  /**
   * It is decided to commit.
   *
   * @return whether its XA COMMIT is still to be submitted
   */
  boolean decided(TransactionId id, HlcTimestamp commitTs) {
    Branch branch = branches.computeIfAbsent(id, key -> new Branch(State.PREPARED));
    switch (branch.state) {
      case PREPARING, PREPARED -> {
        branch.state = State.DECIDED;
        branch.commitTs = commitTs;
        return true;
      }
      case DECIDED -> {
        return true;
      }
      case ROLLING_BACK -> throw new IllegalStateException(id + " is rolled back and committed");
      case SUBMITTED, COMMITTED -> {
        return false;
      }
    }
    throw new AssertionError(branch.state);
  }

  /** Decided ones whose XA COMMIT is not submitted; with their timestamps. */
  Map<TransactionId, HlcTimestamp> unsubmitted() {
    if (branches.isEmpty()) {
      return Map.of();
    }
    Map<TransactionId, HlcTimestamp> found = new LinkedHashMap<>();
    branches.forEach((id, branch) -> {
      if (branch.state == State.DECIDED) {
        found.put(id, branch.commitTs);
      }
    });
    return found;
  }

  /** Its XA COMMIT goes to the mysqld. */
  void submitted(TransactionId id) {
    Branch branch = branches.get(id);
    if (branch != null) {
      branch.state = State.SUBMITTED;
    }
  }

  /**
   * Its XA COMMIT arrived.
   *
   * @return the commit timestamp; empty when it was submitted before this agent started
   */
  Optional<HlcTimestamp> committed(TransactionId id, BinlogPosition end) {
    Branch branch = branches.computeIfAbsent(id, key -> new Branch(State.PREPARED));
    boolean known = branch.state == State.DECIDED || branch.state == State.SUBMITTED;
    branch.state = State.COMMITTED;
    branch.committedAt = Optional.of(end);
    return known ? Optional.of(branch.commitTs) : Optional.empty();
  }

  /** Everything up to there is acknowledged. */
  void acknowledged(BinlogPosition through) {
    branches
        .values()
        .removeIf(branch ->
            branch.committedAt.isPresent() && branch.committedAt.get().compareTo(through) <= 0);
  }

  /** A push to be asked for. */
  record Wanted(TransactionId id, HlcTimestamp prepareTs) {}

  /**
   * The branches to be pushed above the snapshot that were not asked for yet; now they count as
   * asked for.
   */
  List<Wanted> toPush(HlcTimestamp snapshot) {
    List<Wanted> wanted = new ArrayList<>();
    branches.forEach((id, branch) -> {
      if (mayStillBeIn(branch, snapshot) && branch.asked.compareTo(snapshot) < 0) {
        branch.asked = snapshot;
        wanted.add(new Wanted(id, branch.prepareTs));
      }
    });
    return wanted;
  }

  private boolean mayStillBeIn(Branch branch, HlcTimestamp snapshot) {
    return branch.state == State.PREPARED && rules.mustPush(branch.lowerBound, snapshot);
  }

  /**
   * Whether it is known of every branch whether it is in the snapshot, and those that are in it
   * have arrived.
   */
  boolean settledFor(HlcTimestamp snapshot) {
    for (Branch branch : branches.values()) {
      boolean missing =
          (branch.state == State.DECIDED || branch.state == State.SUBMITTED)
              && branch.commitTs.compareTo(snapshot) <= 0;
      if (missing || mayStillBeIn(branch, snapshot)) {
        return false;
      }
    }
    return true;
  }
}
