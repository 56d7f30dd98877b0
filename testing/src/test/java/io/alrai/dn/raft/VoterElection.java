package io.alrai.dn.raft;

import java.util.Set;
import java.util.TreeSet;

/**
 * How a model's member votes and is elected: a candidate asks first whether it would have votes.
 */
final class VoterElection {
  private static final int NOBODY = -1;

  private final MembersRun run;
  private final MembersRules rules;
  private final Voter voter;

  /** On disk, as the term is. */
  private int votedFor = NOBODY;

  private final Set<Integer> votes = new TreeSet<>();
  private boolean asksFirst;
  private boolean stands;

  VoterElection(MembersRun run, Voter voter) {
    this.run = run;
    this.rules = run.rules;
    this.voter = voter;
  }

  void newTerm() {
    votedFor = NOBODY;
    stands = false;
  }

  void over() {
    stands = false;
  }

  /** Wants to lead. */
  void stand(boolean first) {
    voter.waitAnew();
    if (voter.waits()) {
      return;
    }
    VoterLog log = voter.log();
    if (!log.ballot().has(voter.id())) {
      voter.drop();
      return;
    }
    stands = true;
    asksFirst = first;
    voter.standsIn(first ? voter.term() : voter.term() + 1);
    if (!first) {
      votedFor = voter.id();
    }
    votes.clear();
    votes.add(voter.id());
    long asked = first ? voter.term() + 1 : voter.term();
    long last = log.last();
    long lastTerm = log.lastTerm();
    for (int other : mayVote(log.ballot())) {
      if (other != voter.id()) {
        VoterElection there = run.voter(other).election();
        run.send(voter.id(), other, () -> there.asked(voter, asked, last, lastTerm, first));
      }
    }
    count();
  }

  private Set<Integer> mayVote(Ballot ballot) {
    if (!rules.droppedVotesAreVoid()) {
      return run.everybody();
    }
    Set<Integer> all = ballot.all();
    if (!rules.joinersWait()) {
      run.voters().stream().filter(Voter::waits).forEach(joiner -> all.add(joiner.id()));
    }
    return all;
  }

  private void asked(Voter by, long of, long last, long lastTerm, boolean first) {
    VoterLog log = voter.log();
    if (voter.lead() != null
        && !log.ballot().has(by.id())
        && voter.committed() >= log.ballotIndex()
        && last < log.ballotIndex()) {
      run.send(voter.id(), by.id(), by::drop);
      return;
    }
    if (voter.waits() && rules.joinersWait() || first && voter.isLed()) {
      return;
    }
    int terms = rules.comparesTerms() ? Long.compare(lastTerm, log.lastTerm()) : 0;
    boolean hasAll = terms > 0 || terms == 0 && last >= log.last();
    if (!first) {
      voter.enter(of);
    }
    boolean free = first || votedFor == NOBODY || votedFor == by.id();
    boolean yes = of >= (first ? voter.term() + 1 : voter.term()) && hasAll && free;
    if (yes && !first) {
      votedFor = by.id();
      voter.waitAnew();
    }
    long now = voter.term();
    VoterElection there = by.election();
    run.send(voter.id(), by.id(), () -> there.answered(voter.id(), now, of, yes, first));
  }

  private void answered(int by, long its, long of, boolean yes, boolean first) {
    voter.enter(its);
    boolean same = first == asksFirst && of == (first ? voter.term() + 1 : voter.term());
    if (yes && stands && same) {
      votes.add(by);
      count();
    }
  }

  private void count() {
    Ballot ballot = voter.log().ballot();
    boolean enough =
        rules.droppedVotesAreVoid() && rules.joinersWait()
            ? ballot.agree(votes::contains)
            : votes.size() * 2 > ballot.now().size();
    if (!stands || !enough) {
      return;
    }
    stands = false;
    if (asksFirst) {
      stand(false);
    } else {
      voter.elected();
    }
  }
}
