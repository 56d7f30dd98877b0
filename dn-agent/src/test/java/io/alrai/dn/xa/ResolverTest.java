package io.alrai.dn.xa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.link.ClientPrepared;
import io.alrai.dn.link.XaName;
import io.alrai.dn.xa.FakeCoordinator.Step;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ResolverTest {
  private final FakeCluster cluster = new FakeCluster("dn-1", "dn-2", "dn-3");
  private final FakeCoordinator coordinator = new FakeCoordinator(cluster);

  private void steps(Step... steps) {
    for (Step step : steps) {
      coordinator.step(step);
    }
  }

  @Test
  void leavesAYoungTransactionAlone() {
    cluster.passWithRecovery(2_000);
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3);
    cluster.passWithRecovery(500);
    assertEquals(List.of("dn-2", "dn-3"), cluster.preparedOn());
    steps(Step.DECIDE, Step.COMMIT_2, Step.COMMIT_3);
    assertEquals(3, cluster.committedOn(FakeCoordinator.MARKER).size());
  }

  @Test
  void endsATransactionWhoseCoordinatorOnlyFellSilent() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3);
    cluster.passWithRecovery(2_500);
    assertEquals(List.of(), cluster.preparedOn());
    steps(Step.DECIDE);
    assertTrue(coordinator.refused());
  }

  @Test
  void waitsForACoordinatorThatIsOnlySlow() {
    cluster.heard = true;
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3);
    cluster.passWithRecovery(8_000);
    assertEquals(List.of("dn-2", "dn-3"), cluster.preparedOn());
    steps(Step.DECIDE, Step.COMMIT_2, Step.COMMIT_3);
    assertEquals(3, cluster.committedOn(FakeCoordinator.MARKER).size());
  }

  @Test
  void endsATransactionThatALivingCoordinatorHasForgotten() {
    cluster.heard = true;
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3);
    cluster.passWithRecovery(12_000);
    assertEquals(List.of(), cluster.preparedOn());
    steps(Step.DECIDE);
    assertTrue(coordinator.refused());
  }

  @Test
  void leavesWhatAClientHasPreparedUntilTheClientDecides() {
    steps(Step.PREPARE_2, Step.PREPARE_3);
    Map<String, FakeTxLog.Row> log = cluster.node("dn-1").mysqld().log.rows;
    String id = XaName.bytes(coordinator.id.gtrid()).text();
    log.put(id, new FakeTxLog.Row(ClientPrepared.STAMP, "dn-2,dn-3;7;1:61:"));
    coordinator.die();
    cluster.passWithRecovery(60_000);
    assertEquals(List.of("dn-2", "dn-3"), cluster.preparedOn());
    cluster.node("dn-2").mysqld().crash();
    cluster.node("dn-2").mysqld().restart();
    cluster.passWithRecovery(60_000);
    assertEquals(List.of("dn-2", "dn-3"), cluster.preparedOn());
    assertEquals(1, log.size());
    log.put(id, new FakeTxLog.Row(0, ""));
    cluster.passWithRecovery(2_000);
    assertEquals(List.of(), cluster.preparedOn());
    assertEquals(List.of(), cluster.committedOn(FakeCoordinator.MARKER));
  }

  @Test
  void isQuietWhileNothingIsPrepared() {
    cluster.passWithRecovery(3_000);
    FakeMysqld mysqld = cluster.node("dn-2").mysqld();
    mysqld.statements.clear();
    cluster.passWithRecovery(4_000);
    assertEquals(2, mysqld.statements.stream().filter("XA RECOVER CONVERT XID"::equals).count());
  }

  @Test
  void needsNoPrimaryThatIsDownForWhatItsAgentRemembers() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3, Step.DECIDE);
    cluster.node("dn-1").mysqld().crash();
    coordinator.die();
    cluster.passWithRecovery(3_000);
    assertEquals(List.of(), cluster.preparedOn());
    assertEquals(3, cluster.committedOn(FakeCoordinator.MARKER).size());
  }

  @Test
  void waitsForAPrimaryThatIsDownWithTheRow() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3, Step.DECIDE);
    cluster.pass(3_000);
    assertEquals(1, cluster.node("dn-1").mysqld().log.rows.size());
    cluster.node("dn-1").mysqld().crash();
    coordinator.die();
    cluster.passWithRecovery(10_000);
    assertEquals(List.of("dn-2", "dn-3"), cluster.preparedOn());
    cluster.node("dn-1").mysqld().restart();
    cluster.passWithRecovery(2_000);
    assertEquals(List.of(), cluster.preparedOn());
    assertEquals(3, cluster.committedOn(FakeCoordinator.MARKER).size());
  }

  @Test
  void sweepsARowThatNobodyForgotOnlyWhenAllAreDone() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3, Step.DECIDE, Step.COMMIT_2);
    cluster.node("dn-3").mysqld().crash();
    cluster.passWithRecovery(60_000);
    assertEquals(1, cluster.node("dn-1").mysqld().log.rows.size());
    cluster.node("dn-3").mysqld().restart();
    cluster.passWithRecovery(10_000);
    assertEquals(0, cluster.node("dn-1").mysqld().log.rows.size());
    assertEquals(3, cluster.committedOn(FakeCoordinator.MARKER).size());
  }

  @Test
  void keepsAYoungRow() {
    steps(Step.PREPARE_2, Step.PRE_COMMIT, Step.PREPARE_3, Step.DECIDE);
    steps(Step.COMMIT_2, Step.COMMIT_3);
    cluster.passWithRecovery(20_000);
    assertEquals(1, cluster.node("dn-1").mysqld().log.rows.size());
    cluster.passWithRecovery(20_000);
    assertEquals(0, cluster.node("dn-1").mysqld().log.rows.size());
  }

  @Test
  void anEntryWithoutABranchLeavesThePreparedSet() {
    FakeMysqld mysqld = cluster.node("dn-2").mysqld();
    mysqld.crashBefore("XA PREPARE");
    steps(Step.PREPARE_2);
    mysqld.restart();
    assertFalse(cluster.node("dn-2").participant().silent().isEmpty());
    cluster.passWithRecovery(3_000);
    assertTrue(cluster.node("dn-2").participant().silent().isEmpty());
  }
}
