package io.alrai.dn.raft;

import io.alrai.dn.raft.GroupEntry.Kind;
import java.util.ArrayList;
import java.util.List;

/** What the leader of one term knows, whether it still leads or only thinks so. */
final class GroupLeader {
  static final int NOTHING = 0;
  static final int ROLLED_BACK = -1;
  static final int ABOVE = -2;

  /** How many entries it knows to be committed. */
  int learned;

  int clock;

  /** Its group has let it answer up to here. */
  int reserved;

  /** It has asked for that, and has not heard that it is committed; 0 for nothing. */
  int underWay;

  /** It has given that back before it heard that it was committed; 0 for nothing. */
  int late;

  /** Snapshots below it are refused. */
  int fence;

  /**
   * The timestamp that it has answered the PREPARE with; 0 for not yet, or by an earlier leader.
   */
  int preparedAt;

  /** The answer to its push for the snapshot: ABOVE, ROLLED_BACK, a timestamp. */
  int pushAnswer;

  /** The answer to its question about the outcome: ROLLED_BACK or a timestamp. */
  int outcome;

  /** Written, sent to the others, and not known to be committed. */
  final List<GroupEntry> pending = new ArrayList<>();

  GroupLeader(int learned, int clock) {
    this.learned = learned;
    this.clock = clock;
    this.fence = clock;
  }

  GroupLeader copy() {
    GroupLeader copy = new GroupLeader(learned, clock);
    copy.reserved = reserved;
    copy.underWay = underWay;
    copy.late = late;
    copy.fence = fence;
    copy.preparedAt = preparedAt;
    copy.pushAnswer = pushAnswer;
    copy.outcome = outcome;
    copy.pending.addAll(pending);
    return copy;
  }

  void follow(int other) {
    clock = Math.max(clock, other);
  }

  boolean hasPending(Kind kind) {
    for (GroupEntry entry : pending) {
      if (entry.kind() == kind) {
        return true;
      }
    }
    return false;
  }

  /** Whether something waits for the group that a snapshot would have to show. */
  boolean waitsBelow(int snapshot) {
    for (GroupEntry entry : pending) {
      if (entry.at() > 0 && entry.at() <= snapshot) {
        return true;
      }
    }
    return false;
  }

  void hash(Fingerprint into) {
    into.add(learned);
    into.add(clock);
    into.add(reserved);
    into.add(underWay);
    into.add(late);
    into.add(fence);
    into.add(preparedAt);
    into.add(pushAnswer);
    into.add(outcome);
    ModelGroup.hash(pending, into);
  }
}
