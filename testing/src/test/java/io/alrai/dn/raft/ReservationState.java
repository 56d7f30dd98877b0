package io.alrai.dn.raft;

import io.alrai.dn.raft.GroupEntry.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Two groups, each of which changes its leader at most once at any moment, while the old leader
 * goes on and notices nothing. A transaction over both, with its primary in the first; a plain one
 * in the second; a reader of both at one snapshot. Clocks are counters; time does not pass.
 */
final class ReservationState {
  /** The transaction, as its coordinator sees it. */
  enum Phase {
    NEW,
    WORKS,
    PREPARES,
    PREPARED,
    DECIDES,
    COMMITTED,
    GIVEN_UP
  }

  /** What a reader saw in a group. */
  record View(boolean transaction, boolean plain) {}

  /** Something that may happen next. */
  record Step(String name, Consumer<ReservationState> action) {}

  final ReservationRules rules;
  private final Limits limits;

  /** The group of the transaction's primary, and that of its other branch. */
  final ModelGroup primary;

  final ModelGroup other;
  private int cnClock;
  Phase phase = Phase.NEW;
  private int primaryLeader;
  private int otherLeader;
  private int preparedAt;
  private boolean plainBegun;
  private boolean plainReported;
  private int plainLeader;
  int snapshot;
  private @Nullable View primaryView;
  @Nullable View otherView;

  /**
   * How far the search goes.
   *
   * @param ticks how far a CN's clock may have gone on when it is used
   * @param ahead how far a reservation is ahead of the clock that asks for it
   * @param actors who is at work beside the groups
   */
  record Limits(int ticks, int ahead, Set<Actor> actors) {}

  enum Actor {
    /** The coordinator of the transaction over both groups. */
    COORDINATOR,
    /** Who writes the plain transaction. */
    WRITER,
    READER,
    /** The groups' first leaders, which reserve time ahead, and give back what they do not use. */
    CLOCKS
  }

  ReservationState(ReservationRules rules, Limits limits) {
    this.rules = rules;
    this.limits = limits;
    this.primary = new ModelGroup();
    this.other = new ModelGroup();
    primary.leaders.add(new GroupLeader(0, 0));
    other.leaders.add(new GroupLeader(0, 0));
  }

  private ReservationState(ReservationState of) {
    this.rules = of.rules;
    this.limits = of.limits;
    this.primary = of.primary.copy();
    this.other = of.other.copy();
    this.cnClock = of.cnClock;
    this.phase = of.phase;
    this.primaryLeader = of.primaryLeader;
    this.otherLeader = of.otherLeader;
    this.preparedAt = of.preparedAt;
    this.plainBegun = of.plainBegun;
    this.plainReported = of.plainReported;
    this.plainLeader = of.plainLeader;
    this.snapshot = of.snapshot;
    this.primaryView = of.primaryView;
    this.otherView = of.otherView;
  }

  ReservationState after(Step step) {
    ReservationState next = new ReservationState(this);
    step.action().accept(next);
    return next;
  }

  long fingerprint() {
    Fingerprint into = new Fingerprint();
    primary.hash(into);
    other.hash(into);
    into.add(cnClock);
    into.add(phase.ordinal());
    into.add(primaryLeader);
    into.add(otherLeader);
    into.add(preparedAt);
    into.add((plainBegun ? 1 : 0) + (plainReported ? 2 : 0));
    into.add(plainLeader);
    into.add(snapshot);
    into.add(hash(primaryView));
    into.add(hash(otherView));
    return into.value();
  }

  private static int hash(@Nullable View view) {
    return view == null ? 0 : 1 + (view.transaction() ? 1 : 0) + (view.plain() ? 2 : 0);
  }

  // What must be so.

  /** What is wrong in this state, whatever comes later. */
  Optional<String> fault() {
    GroupEntry decision = primary.find(Kind.DECISION);
    if (phase == Phase.COMMITTED && decision == null) {
      return Optional.of("a commit was acknowledged that no later leader knows");
    }
    if (phase == Phase.GIVEN_UP && decision != null) {
      return Optional.of("a transaction that was reported as rolled back is committed");
    }
    if (decision != null && other.find(Kind.XA_ROLLBACK) != null) {
      return Optional.of("one branch of a transaction is committed, the other rolled back");
    }
    if (decision == null && other.find(Kind.XA_COMMIT) != null) {
      return Optional.of("a branch is committed of a transaction that is not decided");
    }
    GroupEntry plain = other.find(Kind.COMMIT);
    if (plainReported && plain == null) {
      return Optional.of("a plain commit was acknowledged that no later leader knows");
    }
    if (wrong(primaryView, decision, null)) {
      return Optional.of("a view at " + snapshot + " of the primary's group is wrong");
    }
    if (wrong(otherView, decision, plain)) {
      return Optional.of("a view at " + snapshot + " of the other group is wrong");
    }
    return Optional.empty();
  }

  private boolean wrong(
      @Nullable View view, @Nullable GroupEntry transaction, @Nullable GroupEntry plain) {
    return view != null
        && (view.transaction() != shows(transaction) || view.plain() != shows(plain));
  }

  private boolean shows(@Nullable GroupEntry committed) {
    return committed != null && committed.at() <= snapshot;
  }

  // What may happen.

  List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    if (limits.actors().contains(Actor.COORDINATOR)) {
      coordinator(steps);
    }
    if (limits.actors().contains(Actor.WRITER)) {
      plain(steps);
    }
    if (limits.actors().contains(Actor.READER)) {
      reader(steps);
    }
    group(steps, "P", true);
    group(steps, "Q", false);
    for (int p = 0; p < primary.leaders.size(); p++) {
      for (int q = 0; q < other.leaders.size(); q++) {
        new GroupMessages(this).steps(steps, p, q);
      }
    }
    return steps;
  }

  private void coordinator(List<Step> steps) {
    if (phase == Phase.NEW) {
      for (int p = 0; p < primary.leaders.size(); p++) {
        for (int q = 0; q < other.leaders.size(); q++) {
          int chosenP = p;
          int chosenQ = q;
          steps.add(
              new Step(
                  "begins at P" + p + " and Q" + q,
                  s -> {
                    s.phase = Phase.WORKS;
                    s.primaryLeader = chosenP;
                    s.otherLeader = chosenQ;
                  }));
        }
      }
    }
    if (phase == Phase.WORKS) {
      steps.add(
          new Step(
              "PREPARE at Q" + otherLeader,
              s -> {
                GroupLeader leader = s.other.leaders.get(s.otherLeader);
                leader.follow(s.cnClock);
                leader.pending.add(new GroupEntry(Kind.PREPARE, 0));
                s.phase = Phase.PREPARES;
              }));
    }
    if (phase == Phase.WORKS || phase == Phase.PREPARES || phase == Phase.PREPARED) {
      steps.add(new Step("the coordinator gives up", s -> s.phase = Phase.GIVEN_UP));
    }
    prepared(steps);
    decided(steps);
  }

  private void prepared(List<Step> steps) {
    GroupLeader leader = other.leaders.get(otherLeader);
    if (phase == Phase.PREPARES
        && acknowledged(other, leader, Kind.PREPARE)
        && answers(other, leader, leader.clock + 1)) {
      steps.add(
          new Step(
              "Q" + otherLeader + " is prepared",
              s -> {
                GroupLeader own = s.other.leaders.get(s.otherLeader);
                s.answer(s.other, own, own.clock + 1);
                own.preparedAt = own.clock;
                s.preparedAt = own.preparedAt;
                s.cnClock = Math.max(s.cnClock, own.clock);
                s.phase = Phase.PREPARED;
              }));
    }
  }

  private void decided(List<Step> steps) {
    GroupLeader leader = primary.leaders.get(primaryLeader);
    int commitTs = Math.max(leader.clock, preparedAt) + 1;
    if (phase == Phase.PREPARED && answers(primary, leader, commitTs)) {
      if (primary.known(leader, Kind.TOMBSTONE) != null || leader.hasPending(Kind.TOMBSTONE)) {
        steps.add(new Step("P refuses to decide", s -> s.phase = Phase.GIVEN_UP));
      } else {
        steps.add(
            new Step(
                "P" + primaryLeader + " decides at " + commitTs,
                s -> {
                  GroupLeader own = s.primary.leaders.get(s.primaryLeader);
                  s.answer(s.primary, own, commitTs);
                  own.pending.add(new GroupEntry(Kind.DECISION, commitTs));
                  s.phase = Phase.DECIDES;
                }));
      }
    }
    if (phase == Phase.DECIDES
        && acknowledged(primary, leader, Kind.DECISION)
        && answers(primary, leader, leader.clock)) {
      steps.add(
          new Step(
              "the commit is acknowledged",
              s -> {
                GroupLeader own = s.primary.leaders.get(s.primaryLeader);
                s.answer(s.primary, own, own.clock);
                s.cnClock = Math.max(s.cnClock, own.clock);
                s.phase = Phase.COMMITTED;
              }));
    }
  }

  private void plain(List<Step> steps) {
    if (!plainBegun) {
      for (int q = 0; q < other.leaders.size(); q++) {
        int chosen = q;
        steps.add(
            new Step(
                "a plain transaction at Q" + q,
                s -> {
                  GroupLeader leader = s.other.leaders.get(chosen);
                  leader.follow(s.cnClock);
                  leader.pending.add(new GroupEntry(Kind.COMMIT, ++leader.clock));
                  s.plainBegun = true;
                  s.plainLeader = chosen;
                }));
      }
    } else if (!plainReported) {
      GroupLeader leader = other.leaders.get(plainLeader);
      if (acknowledged(other, leader, Kind.COMMIT) && answers(other, leader, leader.clock)) {
        steps.add(
            new Step(
                "the plain one is acknowledged",
                s -> {
                  GroupLeader own = s.other.leaders.get(s.plainLeader);
                  s.answer(s.other, own, own.clock);
                  s.plainReported = true;
                  s.cnClock = Math.max(s.cnClock, own.clock);
                }));
      }
    }
  }

  private void reader(List<Step> steps) {
    if (snapshot == 0) {
      for (int at = Math.max(1, cnClock); at <= cnClock + limits.ticks(); at++) {
        int chosen = at;
        steps.add(new Step("a snapshot at " + at, s -> s.snapshot = chosen));
      }
      return;
    }
    for (int p = 0; p < primary.leaders.size(); p++) {
      int chosen = p;
      if (primaryView == null && opens(primary, primary.leaders.get(p))) {
        steps.add(
            new Step(
                "a view at P" + p,
                s -> {
                  GroupLeader leader = s.primary.leaders.get(chosen);
                  s.answer(s.primary, leader, s.snapshot);
                  s.primaryView = new View(acknowledged(s.primary, leader, Kind.DECISION), false);
                }));
      }
    }
    for (int q = 0; q < other.leaders.size(); q++) {
      int chosen = q;
      GroupLeader leader = other.leaders.get(q);
      if (otherView == null && opens(other, leader) && !mayBeBelow(leader)) {
        steps.add(
            new Step(
                "a view at Q" + q,
                s -> {
                  GroupLeader own = s.other.leaders.get(chosen);
                  s.answer(s.other, own, s.snapshot);
                  s.otherView =
                      new View(
                          acknowledged(s.other, own, Kind.XA_COMMIT),
                          acknowledged(s.other, own, Kind.COMMIT));
                }));
      }
    }
  }

  private boolean opens(ModelGroup group, GroupLeader leader) {
    return snapshot >= fence(leader)
        && !(rules.acknowledgesCommittedEntries() && leader.waitsBelow(snapshot))
        && answers(group, leader, Math.max(leader.clock, snapshot));
  }

  /** What is visible already has no earlier views. */
  private int fence(GroupLeader leader) {
    int fence = leader.fence;
    if (!rules.acknowledgesCommittedEntries()) {
      for (GroupEntry entry : leader.pending) {
        fence = Math.max(fence, entry.at());
      }
    }
    return fence;
  }

  /** Whether the branch that is prepared there may turn out to be committed below the snapshot. */
  boolean mayBeBelow(GroupLeader leader) {
    if (!holds(leader)) {
      return false;
    }
    if (leader.preparedAt > snapshot || leader.pushAnswer == GroupLeader.ABOVE) {
      return false;
    }
    if (leader.pushAnswer == GroupLeader.ROLLED_BACK) {
      return false;
    }
    return leader.pushAnswer == GroupLeader.NOTHING || leader.pushAnswer <= snapshot;
  }

  /** Whether a branch is prepared there, as that leader knows it. */
  boolean holds(GroupLeader leader) {
    return acknowledged(other, leader, Kind.PREPARE)
        && !acknowledged(other, leader, Kind.XA_COMMIT)
        && !acknowledged(other, leader, Kind.XA_ROLLBACK);
  }

  private void group(List<Step> steps, String name, boolean ofPrimary) {
    ModelGroup group = ofPrimary ? primary : other;
    for (int i = 0; i < group.leaders.size(); i++) {
      int index = i;
      GroupLeader leader = group.leaders.get(i);
      if (group.leads(i) && !leader.pending.isEmpty() && !group.mayLearn(i)) {
        steps.add(
            new Step(
                name + i + "'s next entry is committed",
                s -> s.group(ofPrimary).commitNext(rules)));
      }
      if (group.mayLearn(i)) {
        steps.add(new Step(name + i + " learns", s -> s.group(ofPrimary).learn(index)));
      }
    }
    if (group.leaders.size() == 1) {
      clock(steps, name, ofPrimary);
      for (int k = 0; k <= group.leaders.getFirst().pending.size(); k++) {
        int survivors = k;
        steps.add(
            new Step(
                "another leader of " + name + ", with " + k + " more entries",
                s -> s.group(ofPrimary).elect(survivors, rules)));
      }
    }
  }

  private void clock(List<Step> steps, String name, boolean ofPrimary) {
    GroupLeader leader = group(ofPrimary).leaders.getFirst();
    if (!limits.actors().contains(Actor.CLOCKS)) {
      return;
    }
    if (leader.reserved > leader.clock || leader.underWay > 0) {
      steps.add(new Step(name + "0 gives back its time", s -> s.group(ofPrimary).giveBack(rules)));
    } else if (leader.pending.isEmpty()) {
      steps.add(
          new Step(
              name + "0 asks for time",
              s -> {
                GroupLeader own = s.group(ofPrimary).leaders.getFirst();
                own.underWay = own.clock + limits.ahead();
              }));
    }
    if (leader.underWay > 0 && leader.pending.isEmpty()) {
      steps.add(new Step(name + "0 has its time", s -> s.group(ofPrimary).reserveAsked()));
    }
    if (leader.late > 0) {
      steps.add(new Step(name + "0 hears late", s -> s.group(ofPrimary).hearLate()));
    }
  }

  private ModelGroup group(boolean ofPrimary) {
    return ofPrimary ? primary : other;
  }

  // What a leader may do.

  boolean answers(ModelGroup group, GroupLeader leader, int clock) {
    return may(group, leader, clock, rules.answersBelowReservation());
  }

  /** Whether it has a reservation, or can get one. */
  boolean may(ModelGroup group, GroupLeader leader, int clock, boolean isRule) {
    return !isRule
        || clock <= reserved(group, leader)
        || leader == group.leaders.getLast() && leader.pending.isEmpty();
  }

  private int reserved(ModelGroup group, GroupLeader leader) {
    return rules.reservationIsOfOneTerm() ? leader.reserved : group.reserved;
  }

  /** Answers at that time or later, after a reservation where it needs one. */
  void answer(ModelGroup group, GroupLeader leader, int clock) {
    leader.follow(clock);
    if (leader == group.leaders.getLast() && leader.clock > reserved(group, leader)) {
      group.reserve(leader, leader.clock + limits.ahead());
    }
  }

  private boolean acknowledged(ModelGroup group, GroupLeader leader, Kind kind) {
    return group.known(leader, kind) != null
        || !rules.acknowledgesCommittedEntries() && leader.hasPending(kind);
  }
}
