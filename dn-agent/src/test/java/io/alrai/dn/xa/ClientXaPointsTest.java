package io.alrai.dn.xa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.link.XaName;
import io.alrai.dn.xa.FakeXaClient.Told;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * A client's XA PREPARE, step by step, while somebody asks for the outcome, and any of its steps
 * comes between two statements of the answer, and the primary's mysqld dies at any of them. What
 * was reported as prepared can soon be committed; what was reported as rolled back is gone.
 */
final class ClientXaPointsTest {
  private static final List<String> NODES = List.of("dn-1", "dn-2", "dn-3");
  private static final int STEPS = NODES.size() + 1;
  private static final int MOST_TRIES = 10;

  /** Statements of an answer to a question for the outcome, and of XA PREPARE. */
  private static final List<String> STATEMENTS =
      List.of("SELECT commit_ts FROM alrai.tx_log", "INSERT INTO alrai.tx_log");

  /** A crash, at the first such statement after the question; none where there is no statement. */
  private record Crash(String statement, boolean after) {}

  /**
   * One run.
   *
   * @param askedAfter the steps before the question
   * @param between the statement of the answer before which more steps come
   * @param steps how many; one more stands for another question and XA COMMIT
   */
  private record Run(int askedAfter, String between, int steps, Crash crash) {}

  @TestFactory
  Stream<DynamicTest> aQuestionForTheOutcome() {
    List<Crash> crashes = new ArrayList<>(List.of(new Crash("", false)));
    for (String statement : STATEMENTS) {
      crashes.add(new Crash(statement, false));
      crashes.add(new Crash(statement, true));
    }
    List<Run> runs = new ArrayList<>();
    for (int asked = 0; asked <= STEPS; asked++) {
      for (String between : STATEMENTS) {
        for (int steps = 0; steps <= STEPS + 1 - asked; steps++) {
          for (Crash crash : crashes) {
            runs.add(new Run(asked, between, steps, crash));
          }
        }
      }
    }
    return runs.stream().map(run -> DynamicTest.dynamicTest(run.toString(), () -> play(run)));
  }

  private static void play(Run run) {
    FakeCluster cluster = new FakeCluster(false, NODES.toArray(String[]::new));
    FakeMysqld mysqld = cluster.node("dn-1").mysqld();
    FakeXaClient client = new FakeXaClient(cluster);
    int[] done = {0};
    Runnable next =
        () -> {
          if (done[0] < STEPS) {
            client.prepare(done[0]);
          } else {
            cluster.node("dn-1").participant().outcome(client.id);
            client.commit();
          }
          done[0]++;
        };
    for (int i = 0; i < run.askedAfter; i++) {
      next.run();
    }
    if (!run.crash.statement.isEmpty()) {
      if (run.crash.after) {
        mysqld.crashAfter(run.crash.statement);
      } else {
        mysqld.crashBefore(run.crash.statement);
      }
    }
    mysqld.before(
        run.between,
        () -> {
          for (int i = 0; i < run.steps; i++) {
            next.run();
          }
        });
    cluster.node("dn-1").participant().outcome(client.id);
    mysqld.restart();
    while (done[0] < STEPS) {
      next.run();
    }
    mysqld.restart();
    boolean ended = false;
    for (int tries = 0; tries < MOST_TRIES && !ended; tries++) {
      cluster.passWithRecovery(2_000);
      ended = client.told == Told.ROLLED_BACK || client.commit();
    }
    assertTrue(ended, "XA COMMIT has to be said again for ever");
    cluster.passWithRecovery(5_000);
    assertEquals(List.of(), cluster.preparedOn(), "nothing stays prepared");
    List<String> committed = cluster.committedOn(FakeXaClient.MARKER);
    FakeTxLog.Row row = mysqld.log.rows.get(XaName.bytes(client.id.gtrid()).text());
    assertTrue(
        committed.isEmpty() || row == null || row.commitTs() != 0, "a tombstone of what committed");
    switch (client.told) {
      case PREPARED -> assertEquals(NODES, committed, "told to be prepared");
      case ROLLED_BACK -> assertEquals(List.of(), committed, "told to be rolled back");
      case NOTHING ->
          assertTrue(committed.isEmpty() || committed.equals(NODES), "half: " + committed);
    }
  }
}
