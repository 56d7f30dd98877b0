package io.alrai.dn.gate;

import io.alrai.testing.BrokenRules;
import io.alrai.testing.history.Level;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Each rule about the log around the gates broken once: the simulator must show what follows from
 * it, in what clients see, in a copy of the rows that follows the log, or in a run without end.
 */
class BrokenLogRulesSim {
  private static final int SEEDS = 800;

  private static SessionRules with(LogRules rules) {
    return new SessionRules(Level.SNAPSHOT) {
      @Override
      public LogRules log() {
        return rules;
      }
    };
  }

  private static List<String> faults(long seed, LogRules rules) {
    Cluster cluster = new Cluster(seed, new GateRules(), with(rules));
    try {
      cluster.run();
    } catch (IllegalStateException noRest) {
      return List.of(noRest.toString());
    }
    List<String> found = new ArrayList<>(cluster.wrongViews());
    cluster.anomalies().forEach(anomaly -> found.add(anomaly.toString()));
    found.addAll(cluster.wrongCopies());
    return found;
  }

  private static void expectFault(LogRules broken, TestReporter reporter) {
    BrokenRules.expectFault(
        1, SEEDS, seed -> faults(seed, broken), seed -> faults(seed, new LogRules()), reporter);
  }

  @Test
  void keepingNumbersOfTablesOverTheLivesOfAMysqld(TestReporter reporter) {
    expectFault(
        new LogRules() {
          @Override
          boolean numbersTablesAnew() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void deletingFilesAtTheStartOfAMysqld(TestReporter reporter) {
    expectFault(
        new LogRules() {
          @Override
          boolean keepsFiles() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void movingTheMarkBeyondDecisionsWithoutRows(TestReporter reporter) {
    expectFault(
        new LogRules() {
          @Override
          boolean copiesSlowOnes() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void answeringBeforeTheLogIsRead(TestReporter reporter) {
    expectFault(
        new LogRules() {
          @Override
          public boolean readsBeforeAnswering() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void tellingOfAcknowledgedCommitsBeforeTheyAreMarked(TestReporter reporter) {
    expectFault(
        new LogRules() {
          @Override
          boolean marksFirst() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void cuttingTheLastFileOnly(TestReporter reporter) {
    expectFault(
        new LogRules() {
          @Override
          boolean cutsEarlierFiles() {
            return false;
          }
        },
        reporter);
  }

  @Test
  void goingOnWithAGateThatHasThrown(TestReporter reporter) {
    expectFault(
        new LogRules() {
          @Override
          boolean endsBrokenGates() {
            return false;
          }
        },
        reporter);
  }
}
