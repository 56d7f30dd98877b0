package io.alrai.dn.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.alrai.testing.history.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Whole clusters as in {@link GateSim}, with what mysqlds do to locks and transactions by
 * themselves: branches without changes lose their locks at XA PREPARE, errors undo whole
 * transactions, connections break under XA COMMITs, the COMMIT of nothing is not in the log; and
 * statements that read without locks and write. Each rule against that is broken once. {@code
 * -Dgate.seed=N} runs one seed, {@code -Dgate.seeds=N} that many.
 */
class LocksSim {
  private static final int SEEDS = 400;

  /** Transactions that count under mutexes; a crash would take a mutex away. */
  private static class Mutexes extends SessionRules {
    Mutexes() {
      super(Level.SNAPSHOT);
    }

    @Override
    double mutexes() {
      return 1;
    }

    @Override
    boolean kills() {
      return false;
    }
  }

  /** Transactions that copy what they have committed; a crash delays what is acknowledged. */
  private static class Copies extends SessionRules {
    Copies() {
      super(Level.SNAPSHOT);
    }

    @Override
    double copies() {
      return 0.5;
    }

    @Override
    boolean kills() {
      return false;
    }
  }

  /** Mysqlds that undo transactions, and connections that break. */
  private static class Losses extends SessionRules {
    Losses() {
      super(Level.SNAPSHOT);
    }

    @Override
    double losesTransactions() {
      return 0.05;
    }

    @Override
    double breaksXaCommits() {
      return 0.1;
    }
  }

  /** Primaries that have undone what they wrote: their COMMIT logs nothing. */
  private static class Undone extends SessionRules {
    Undone() {
      super(Level.SNAPSHOT);
    }

    @Override
    double undoesWrites() {
      return 0.4;
    }
  }

  private static List<String> found(long seed, SessionRules rules) {
    Cluster cluster = new Cluster(seed, new GateRules(), rules);
    try {
      cluster.run();
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed, e);
    }
    assertEquals(List.of(), cluster.wrongViews(), "seed " + seed);
    List<String> all = new ArrayList<>(cluster.surprises);
    all.addAll(cluster.lostWrites());
    cluster.anomalies().forEach(anomaly -> all.add(anomaly.toString()));
    // of a transfer that goes on without a statement that failed the sums prove nothing
    all.removeIf(anomaly -> anomaly.startsWith("TORN_TOTAL"));
    return all;
  }

  private static void holds(Supplier<SessionRules> rules, TestReporter reporter) {
    Long one = Long.getLong("gate.seed");
    long from = one == null ? 1 : one;
    long to = one == null ? Long.getLong("gate.seeds", 200) : one;
    long distributed = 0;
    for (long seed = from; seed <= to; seed++) {
      Cluster cluster = new Cluster(seed, new GateRules(), rules.get());
      try {
        cluster.run();
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
      assertEquals(List.of(), cluster.wrongViews(), "seed " + seed);
      assertEquals(List.of(), cluster.surprises, "seed " + seed);
      assertEquals(List.of(), cluster.lostWrites(), "seed " + seed);
      assertEquals(List.of(), cluster.anomalies(), "seed " + seed);
      distributed += cluster.distributed;
    }
    reporter.publishEntry("commits with two phases", Long.toString(distributed));
    assertTrue(one != null || distributed > 3 * (to - from + 1), "too little");
  }

  /** The seed is clean with the control. */
  private static void expectFound(
      SessionRules broken, SessionRules control, TestReporter reporter) {
    for (long seed = 1; seed <= SEEDS; seed++) {
      List<String> anomalies;
      try {
        anomalies = found(seed, broken);
      } catch (AssertionError noticed) {
        anomalies = List.of(String.valueOf(noticed.getCause()));
      }
      if (!anomalies.isEmpty() && found(seed, control).isEmpty()) {
        reporter.publishEntry("seed " + seed, anomalies.getFirst());
        return;
      }
    }
    fail("no anomaly in " + SEEDS + " seeds");
  }

  @Test
  void mutexesOfTransactionsThatChangeNothingThere(TestReporter reporter) {
    holds(Mutexes::new, reporter);
  }

  @Test
  void copiesOfWhatASessionHasCommitted(TestReporter reporter) {
    holds(Copies::new, reporter);
  }

  @Test
  void transactionsThatMysqldsUndoAndConnectionsThatBreak(TestReporter reporter) {
    holds(Losses::new, reporter);
  }

  @Test
  void primariesThatHaveUndoneWhatTheyWrote(TestReporter reporter) {
    holds(Undone::new, reporter);
  }

  @Test
  void believingThatTheCommitOfNothingDecides(TestReporter reporter) {
    expectFound(
        new Undone() {
          @Override
          boolean writesWhatCommitHasNotLogged() {
            return false;
          }
        },
        new Undone(),
        reporter);
  }

  @Test
  void preparingBranchesThatChangedNothing(TestReporter reporter) {
    expectFound(
        new Mutexes() {
          @Override
          boolean countsChanges() {
            return false;
          }
        },
        new Mutexes(),
        reporter);
  }

  @Test
  void readingWithoutLocksBeforeTheOwnCommitIsVisible(TestReporter reporter) {
    expectFound(
        new Copies() {
          @Override
          boolean awaitsOwnCommits() {
            return false;
          }
        },
        new Copies(),
        reporter);
  }

  @Test
  void goingOnBehindAnErrorThatUndidTheTransaction(TestReporter reporter) {
    expectFound(
        new Losses() {
          @Override
          boolean noticesLoss(boolean alone) {
            return false;
          }
        },
        new Losses(),
        reporter);
  }

  /** A coordinator that does not notice, and an agent that believes it. */
  private static class Blind extends Losses {
    @Override
    boolean noticesLoss(boolean alone) {
      return alone;
    }

    @Override
    boolean decidesInTransactionsOnly() {
      return false;
    }
  }

  @Test
  void decidingOnAConnectionInNoTransaction(TestReporter reporter) {
    expectFound(new Blind(), new Losses(), reporter);
  }

  @Test
  void believingThatAnUnknownXidIsDone(TestReporter reporter) {
    expectFound(
        new Losses() {
          @Override
          boolean asksWhoEnds() {
            return false;
          }
        },
        new Losses(),
        reporter);
  }
}
