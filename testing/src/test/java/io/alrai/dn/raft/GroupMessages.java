package io.alrai.dn.raft;

import io.alrai.dn.raft.GroupEntry.Kind;
import io.alrai.dn.raft.ReservationState.Phase;
import io.alrai.dn.raft.ReservationState.Step;
import java.util.List;

/** What a leader of the primary's group, P, and one of the other group, Q, may tell each other. */
record GroupMessages(ReservationState now) {
  void steps(List<Step> steps, int p, int q) {
    push(steps, p, q);
    outcome(steps, p, q);
    finish(steps, p, q);
    forget(steps, p, q);
  }

  /** Q asks P whether the transaction may still be committed at or below the snapshot. */
  private void push(List<Step> steps, int p, int q) {
    GroupLeader asked = now.primary.leaders.get(p);
    GroupLeader asking = now.other.leaders.get(q);
    if (now.snapshot == 0
        || now.otherView != null
        || !now.holds(asking)
        || asking.pushAnswer != GroupLeader.NOTHING
        || !now.may(
            now.primary,
            asked,
            Math.max(asked.clock, now.snapshot),
            now.rules.answersPushesBelowReservation())) {
      return;
    }
    GroupEntry decision = now.primary.known(asked, Kind.DECISION);
    int answer;
    if (decision != null) {
      answer = decision.at();
    } else if (asked.waitsBelow(now.snapshot)) {
      return;
    } else if (now.primary.known(asked, Kind.TOMBSTONE) != null) {
      answer = GroupLeader.ROLLED_BACK;
    } else {
      answer = GroupLeader.ABOVE;
    }
    steps.add(
        new Step(
            "P" + p + " answers a push of Q" + q + ": " + answer,
            s -> {
              s.answer(s.primary, s.primary.leaders.get(p), s.snapshot);
              s.other.leaders.get(q).pushAnswer = answer;
            }));
  }

  /** Q, which holds a branch, asks P what became of the transaction. */
  private void outcome(List<Step> steps, int p, int q) {
    GroupLeader asked = now.primary.leaders.get(p);
    GroupLeader asking = now.other.leaders.get(q);
    if (!now.holds(asking) || asking.outcome != GroupLeader.NOTHING) {
      return;
    }
    GroupEntry decision = now.primary.forgotten ? null : now.primary.known(asked, Kind.DECISION);
    boolean tombstone = now.primary.known(asked, Kind.TOMBSTONE) != null;
    boolean answers = now.answers(now.primary, asked, Math.max(asked.clock, asking.clock));
    if (decision != null && answers) {
      tell(steps, p, q, decision.at());
    } else if (decision == null && tombstone && answers) {
      tell(steps, p, q, GroupLeader.ROLLED_BACK);
    } else if (decision == null && !now.rules.tombstonesAreLogged() && answers) {
      tell(steps, p, q, GroupLeader.ROLLED_BACK);
    } else if (decision == null
        && !tombstone
        && !asked.hasPending(Kind.DECISION)
        && !asked.hasPending(Kind.TOMBSTONE)) {
      steps.add(
          new Step(
              "P" + p + " writes a tombstone",
              s -> {
                GroupLeader own = s.primary.leaders.get(p);
                own.follow(s.other.leaders.get(q).clock);
                own.pending.add(new GroupEntry(Kind.TOMBSTONE, 0));
              }));
    }
  }

  private static void tell(List<Step> steps, int p, int q, int answer) {
    steps.add(
        new Step(
            "P" + p + " tells Q" + q + " the outcome: " + answer,
            s -> {
              GroupLeader asked = s.primary.leaders.get(p);
              s.answer(s.primary, asked, s.other.leaders.get(q).clock);
              s.other.leaders.get(q).outcome = answer;
              s.other.leaders.get(q).follow(asked.clock);
            }));
  }

  /** Q ends its branch, by the answer that it has, or the coordinator. */
  private void finish(List<Step> steps, int p, int q) {
    GroupLeader leader = now.other.leaders.get(q);
    if (!now.holds(leader)
        || leader.hasPending(Kind.XA_COMMIT)
        || leader.hasPending(Kind.XA_ROLLBACK)
        || p > 0) {
      return;
    }
    GroupEntry decision = now.primary.find(Kind.DECISION);
    int known = leader.outcome;
    if (known == GroupLeader.NOTHING && now.phase == Phase.COMMITTED && decision != null) {
      known = decision.at();
    }
    if (known == GroupLeader.NOTHING && leader.pushAnswer > 0) {
      known = leader.pushAnswer;
    }
    int commitTs = known;
    if (commitTs > 0) {
      steps.add(
          new Step(
              "XA COMMIT at Q" + q,
              s -> {
                GroupLeader own = s.other.leaders.get(q);
                own.follow(commitTs);
                own.pending.add(new GroupEntry(Kind.XA_COMMIT, commitTs));
              }));
    } else if (known == GroupLeader.ROLLED_BACK || now.phase == Phase.GIVEN_UP) {
      steps.add(
          new Step(
              "XA ROLLBACK at Q" + q,
              s -> s.other.leaders.get(q).pending.add(new GroupEntry(Kind.XA_ROLLBACK, 0))));
    }
  }

  /** P, which knows the decision, asks Q whether anybody still needs it. */
  private void forget(List<Step> steps, int p, int q) {
    GroupLeader asking = now.primary.leaders.get(p);
    GroupLeader asked = now.other.leaders.get(q);
    GroupEntry decision = now.primary.known(asking, Kind.DECISION);
    if (now.primary.forgotten
        || decision == null
        || now.holds(asked)
        || asked.hasPending(Kind.PREPARE)
        || !now.may(
            now.other,
            asked,
            Math.max(asked.clock, decision.at()),
            now.rules.tellsHoldingsBelowReservation())) {
      return;
    }
    steps.add(
        new Step(
            "Q" + q + " tells P" + p + " that it holds nothing",
            s -> {
              s.answer(s.other, s.other.leaders.get(q), decision.at());
              s.primary.forgotten = true;
            }));
  }
}
