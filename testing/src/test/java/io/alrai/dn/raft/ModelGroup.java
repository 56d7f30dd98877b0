package io.alrai.dn.raft;

import io.alrai.dn.raft.GroupEntry.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A Raft group as its log shows it: what is committed never changes, and the leader of an earlier
 * term can have nothing more committed, but may hear late of what was. How members vote is Raft's
 * affair.
 */
final class ModelGroup {
  /** What all leaders to come will know. */
  final List<GroupEntry> committed = new ArrayList<>();

  final List<GroupLeader> leaders = new ArrayList<>();

  /** The highest reservation in the log, or what a later entry has given back of it. */
  int reserved;

  /** The decision is in nobody's memory any more. */
  boolean forgotten;

  /** What the first leader may hear of. */
  private int firstTermEnd;

  ModelGroup copy() {
    ModelGroup copy = new ModelGroup();
    copy.committed.addAll(committed);
    leaders.forEach(leader -> copy.leaders.add(leader.copy()));
    copy.reserved = reserved;
    copy.forgotten = forgotten;
    copy.firstTermEnd = firstTermEnd;
    return copy;
  }

  boolean leads(int leader) {
    return leader == leaders.size() - 1;
  }

  /** Whether a leader has yet to hear of an entry that is committed. */
  boolean mayLearn(int leader) {
    return leaders.get(leader).learned < (leads(leader) ? committed.size() : firstTermEnd);
  }

  /** A leader hears that its next entry is committed, or reads one that it has inherited. */
  void learn(int leader) {
    GroupLeader of = leaders.get(leader);
    of.fence = Math.max(of.fence, committed.get(of.learned++).at());
  }

  /** The entry of that kind that the leader knows to be committed. */
  @Nullable GroupEntry known(GroupLeader leader, Kind kind) {
    return find(leader.learned, kind);
  }

  /** The entry of that kind that is committed. */
  @Nullable GroupEntry find(Kind kind) {
    return find(committed.size(), kind);
  }

  private @Nullable GroupEntry find(int among, Kind kind) {
    for (int i = 0; i < among; i++) {
      if (committed.get(i).kind() == kind) {
        return committed.get(i);
      }
    }
    return null;
  }

  /** The next entry of the present leader is on a majority of members, and it hears of it. */
  void commitNext(ReservationRules rules) {
    GroupLeader leader = leaders.getLast();
    GroupEntry next = leader.pending.removeFirst();
    committed.add(next);
    if (rules.entriesReserveTheirStamps()) {
      reserve(leader, next.at());
    }
    learn(leaders.size() - 1);
  }

  /** A reservation of the present leader is committed. */
  void reserve(GroupLeader leader, int upTo) {
    reserved = Math.max(reserved, upTo);
    leader.reserved = Math.max(leader.reserved, upTo);
  }

  /** What the present leader has asked for is committed. */
  void reserveAsked() {
    GroupLeader leader = leaders.getLast();
    reserve(leader, leader.underWay);
    leader.underWay = 0;
  }

  /** The present leader hears that what it has given back since is committed. */
  void hearLate() {
    GroupLeader leader = leaders.getLast();
    leader.reserved = Math.max(leader.reserved, leader.late);
    leader.late = 0;
  }

  /**
   * The present leader gives back what it has reserved above its clock. What it has asked for is in
   * the log before that.
   */
  void giveBack(ReservationRules rules) {
    GroupLeader leader = leaders.getLast();
    reserved = leader.clock;
    leader.late = rules.countsWhatIsAskedForLater() ? 0 : leader.underWay;
    leader.underWay = 0;
    if (rules.keepsToWhatItGivesBack()) {
      leader.reserved = leader.clock;
    }
  }

  /**
   * Another member leads: it has what is committed, and of what its predecessor has written as much
   * as had reached it.
   */
  void elect(int survivors, ReservationRules rules) {
    GroupLeader old = leaders.getFirst();
    for (GroupEntry entry : old.pending.subList(0, survivors)) {
      committed.add(entry);
      if (rules.entriesReserveTheirStamps()) {
        reserved = Math.max(reserved, entry.at());
      }
    }
    firstTermEnd = committed.size();
    int clock = rules.beginsAboveReservations() ? reserved + 1 : 0;
    int learned = rules.readsTheLogFirst() ? committed.size() : 0;
    leaders.add(new GroupLeader(learned, clock));
  }

  void hash(Fingerprint into) {
    hash(committed, into);
    into.add(leaders.size());
    leaders.forEach(leader -> leader.hash(into));
    into.add(reserved);
    into.add(forgotten ? 1 : 0);
    into.add(firstTermEnd);
  }

  static void hash(List<GroupEntry> entries, Fingerprint into) {
    into.add(entries.size());
    for (GroupEntry entry : entries) {
      into.add(entry.kind().ordinal());
      into.add(entry.at());
    }
  }
}
