package io.alrai.dn.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Runs of one group whose logs are short: members are away for longer than entries are kept, skip
 * them, are cloned, come and go, lose their logs. {@code -Dmembers.seed=N} runs one seed, {@code
 * -Dmembers.seeds=N} that many.
 */
class MembersSim {
  private static final long FAULTS = 1_500_000;
  private static final long CALM = 1_000_000;
  private static final long QUIET = 500_000;
  private static final long SEEDS = 20;

  /** A run that has ended. */
  record Over(MembersRun run, MembersFaults happened) {
    List<String> faults() {
      return run.checks.faults();
    }
  }

  static Over run(long seed, MembersRules rules) {
    MembersRun run = new MembersRun(seed, rules);
    MembersFaults happens = new MembersFaults(run, FAULTS);
    Over over = new Over(run, happens);
    run.world.run(FAULTS);
    if (!over.faults().isEmpty()) {
      return over;
    }
    happens.end();
    run.world.run(FAULTS + CALM);
    int before = run.checks.acknowledged();
    run.world.run(FAULTS + CALM + QUIET);
    if (run.checks.acknowledged() == before) {
      run.checks.fault("nothing is written any more: " + run.voters());
    }
    run.quiet();
    run.world.run(FAULTS + CALM + 2 * QUIET);
    run.inGroup().stream().filter(Voter::keepsRows).forEach(run.checks::end);
    return over;
  }

  @Test
  void everybodyHasWhatIsCommitted(TestReporter reporter) {
    Long one = Long.getLong("members.seed");
    long from = one == null ? 1 : one;
    long to = one == null ? Long.getLong("members.seeds", SEEDS) : one;
    long commits = 0;
    long leads = 0;
    long skips = 0;
    long clones = 0;
    long changes = 0;
    for (long seed = from; seed <= to; seed++) {
      Over over = run(seed, new MembersRules());
      assertEquals(List.of(), over.faults(), "seed " + seed);
      commits += over.run.checks.acknowledged();
      leads += over.run.checks.leads;
      skips += over.run.checks.skips;
      clones += over.run.clones;
      changes += over.happened.changes;
    }
    long seeds = to - from + 1;
    reporter.publishEntry(
        seeds + " seeds",
        commits
            + " commits, "
            + leads
            + " leads, "
            + skips
            + " skips, "
            + clones
            + " clones, "
            + changes
            + " changes of members");
    assertTrue(
        one != null || leads > 3 * seeds && skips > seeds && clones > seeds && changes > seeds,
        "too little");
  }
}
