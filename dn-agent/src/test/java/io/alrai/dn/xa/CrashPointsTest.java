package io.alrai.dn.xa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.xa.FakeCoordinator.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every crash of the coordinator between two steps, combined with every crash of every mysqld:
 * between two steps, just before a statement and just after it. Afterwards the transaction is on
 * all DNs or on none, nothing is prepared, and what was acknowledged is there.
 */
final class CrashPointsTest {
  private static final List<String> NODES = List.of("dn-1", "dn-2", "dn-3");
  private static final List<String> ALL = NODES;
  private static final int STEPS = Step.values().length;

  @TestFactory
  Stream<DynamicTest> theCoordinatorDies() {
    List<DynamicTest> tests = new ArrayList<>();
    for (int stop = 0; stop <= STEPS; stop++) {
      int steps = stop;
      for (boolean keeps : List.of(true, false)) {
        tests.add(
            DynamicTest.dynamicTest(
                "after " + steps + " steps" + kept(keeps),
                () -> {
                  FakeCluster cluster = new FakeCluster(keeps, "dn-1", "dn-2", "dn-3");
                  FakeCoordinator coordinator = new FakeCoordinator(cluster);
                  runSteps(cluster, coordinator, 0, steps);
                  coordinator.die();
                  cluster.passWithRecovery(5_000);
                  check(cluster, coordinator);
                }));
      }
    }
    return tests.stream();
  }

  @TestFactory
  Stream<DynamicTest> aMysqldCrashesBetweenTwoSteps() {
    List<DynamicTest> tests = new ArrayList<>();
    for (String node : NODES) {
      for (int at = 0; at <= STEPS; at++) {
        for (int stop = at; stop <= STEPS; stop++) {
          int crashAt = at;
          int steps = stop;
          for (boolean keeps : List.of(true, false)) {
            tests.add(
                DynamicTest.dynamicTest(
                    node + " after " + at + " steps, the coordinator after " + stop + kept(keeps),
                    () -> crashBetween(keeps, node, crashAt, steps)));
          }
        }
      }
    }
    return tests.stream();
  }

  private static String kept(boolean keeps) {
    return keeps ? ", kept by sessions" : ", kept by nobody";
  }

  private static void crashBetween(boolean keeps, String node, int crashAt, int steps) {
    FakeCluster cluster = new FakeCluster(keeps, "dn-1", "dn-2", "dn-3");
    FakeCoordinator coordinator = new FakeCoordinator(cluster);
    runSteps(cluster, coordinator, 0, crashAt);
    cluster.node(node).mysqld().crash();
    runSteps(cluster, coordinator, crashAt, steps);
    cluster.passWithRecovery(3_000);
    coordinator.die();
    cluster.node(node).mysqld().restart();
    cluster.passWithRecovery(5_000);
    check(cluster, coordinator);
  }

  private record Point(String node, String statement) {}

  @TestFactory
  Stream<DynamicTest> aMysqldCrashesAtAStatement() {
    List<Point> points =
        List.of(
            new Point("dn-1", "INSERT"),
            new Point("dn-1", "COMMIT"),
            new Point("dn-2", "XA END"),
            new Point("dn-2", "XA PREPARE"),
            new Point("dn-2", "XA COMMIT"),
            new Point("dn-3", "XA PREPARE"),
            new Point("dn-3", "XA COMMIT"));
    List<DynamicTest> tests = new ArrayList<>();
    for (Point point : points) {
      for (boolean after : List.of(false, true)) {
        for (boolean backSoon : List.of(false, true)) {
          for (boolean keeps : List.of(true, false)) {
            tests.add(
                DynamicTest.dynamicTest(
                    point
                        + (after ? " done, answer lost" : " not done")
                        + ", back "
                        + backSoon
                        + kept(keeps),
                    () -> crashAtStatement(point, after, backSoon, keeps)));
          }
        }
      }
    }
    return tests.stream();
  }

  private static void crashAtStatement(
      Point point, boolean after, boolean backSoon, boolean keeps) {
    FakeCluster cluster = new FakeCluster(keeps, "dn-1", "dn-2", "dn-3");
    FakeMysqld mysqld = cluster.node(point.node).mysqld();
    if (after) {
      mysqld.crashAfter(point.statement);
    } else {
      mysqld.crashBefore(point.statement);
    }
    FakeCoordinator coordinator = new FakeCoordinator(cluster);
    for (Step step : Step.values()) {
      if (!coordinator.step(step)) {
        break;
      }
      cluster.pass(backSoon ? 20 : 0);
      if (step == Step.DECIDE) {
        if (backSoon) {
          mysqld.restart();
        }
        // longer than the participant looks for a lost decision
        cluster.passWithRecovery(12_000);
      }
    }
    coordinator.die();
    mysqld.restart();
    cluster.passWithRecovery(5_000);
    check(cluster, coordinator);
    if (backSoon) {
      assertTrue(
          coordinator.acknowledged() || coordinator.refused() || !coordinator.decision().isDone(),
          "with its mysqld back in time a decision is not left in doubt");
    }
  }

  private static void runSteps(FakeCluster cluster, FakeCoordinator coordinator, int from, int to) {
    for (Step step : List.of(Step.values()).subList(from, to)) {
      if (!coordinator.step(step)) {
        return;
      }
      cluster.pass(10);
    }
  }

  private static void check(FakeCluster cluster, FakeCoordinator coordinator) {
    assertEquals(List.of(), cluster.preparedOn(), "nothing stays prepared");
    List<String> committed = cluster.committedOn(FakeCoordinator.MARKER);
    assertTrue(committed.isEmpty() || committed.equals(ALL), "half a transaction: " + committed);
    if (coordinator.refused()) {
      assertEquals(List.of(), committed, "the client was told that it is rolled back");
    }
    if (coordinator.acknowledged()) {
      assertEquals(ALL, committed, "acknowledged, so it must be there");
    }
  }
}
