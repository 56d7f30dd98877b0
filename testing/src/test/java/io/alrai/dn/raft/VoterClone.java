package io.alrai.dn.raft;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gets the rows of a model's member from another one, as Rebuild does. */
final class VoterClone {
  private static final long LOST = 10_000;

  private final MembersRun run;
  private final Voter voter;
  private final VoterMysqld mysqld;
  private boolean asked;
  private int attempts;
  private long again;
  private @Nullable Attempt attempt;

  private static final class Attempt {
    boolean ended;
    boolean done;
  }

  VoterClone(MembersRun run, Voter voter, VoterMysqld mysqld) {
    this.run = run;
    this.voter = voter;
    this.mysqld = mysqld;
  }

  /** A person wants it. */
  void ask() {
    asked = true;
  }

  boolean asked() {
    return asked;
  }

  /** The member is of use as it is. */
  void forget() {
    asked = false;
    end();
  }

  void end() {
    Attempt running = attempt;
    if (running != null) {
      running.ended = true;
    }
  }

  void crash() {
    end();
    attempt = null;
    asked = false;
  }

  void restarted() {
    Attempt last = attempt;
    if (last != null && last.done) {
      attempt = null;
    }
  }

  void step() {
    if (attempt != null || run.world.now() < again) {
      return;
    }
    List<Voter> able =
        run.othersWithRows(voter).stream()
            .map(run::voter)
            .filter(other -> other.up() && run.linked(voter.id(), other.id()))
            .filter(other -> other.member().follows() || other.member().leads())
            .sorted(
                Comparator.comparing((Voter other) -> other.member().leads())
                    .thenComparingLong(other -> other.member().unapplied()))
            .toList();
    int number = attempts++;
    if (able.isEmpty()) {
      again = run.world.now() + LOST;
      return;
    }
    Voter donor = able.get(number % able.size());
    Attempt next = new Attempt();
    attempt = next;
    int life = donor.member().mysqld().life();
    int own = mysqld.life();
    VoterMysqld.Copy begun = donor.member().mysqld().copy();
    voter.later(run.world.between(10_000, 150_000), () -> finish(next, donor, life, own, begun));
  }

  private void finish(Attempt now, Voter donor, int life, int own, VoterMysqld.Copy begun) {
    if (attempt != now) {
      return;
    }
    VoterMysqld from = donor.member().mysqld();
    boolean whole =
        donor.up()
            && from.life() == life
            && mysqld.life() == own
            && run.linked(voter.id(), donor.id());
    if (!whole || now.ended && run.rules.lateClonesEnd()) {
      attempt = null;
      again = run.world.now() + LOST;
      return;
    }
    run.checks.replaces(voter);
    VoterMysqld.Copy copy = from.copy();
    mysqld.replace(
        run.rules.clonesAreWhole() ? copy : new VoterMysqld.Copy(begun.rows(), copy.executed()));
    now.done = true;
    asked = false;
    run.clones++;
    mysqld.kill();
  }
}
