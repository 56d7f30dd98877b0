package io.alrai.gms.topology;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.ClusterLock;
import io.alrai.gms.api.LockStage;
import io.alrai.gms.catalog.CatalogState;
import io.alrai.gms.catalog.Samples;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterLocksTest {
  private static final CatalogCommand READ =
      new CatalogCommand.AddClusterLock(7, Samples.CN1, LockStage.STATEMENTS);

  private CatalogState state =
      CatalogState.EMPTY
          .apply(Samples.renew(Samples.CN1, 0, 0))
          .apply(Samples.renew(Samples.CN2, 0, 500));

  private void apply(CatalogCommand command) {
    state = state.apply(command);
  }

  private void refused(CatalogCommand command) {
    AlraiException error = assertThrows(AlraiException.class, () -> state.apply(command));
    assertEquals(ErrorCode.ALRAI_CATALOG_CONFLICT.errno(), error.errno());
  }

  private List<ClusterLock> locks() {
    return state.catalog().locks();
  }

  private static CatalogCommand reach(LockStage stage, NodeId node) {
    return new CatalogCommand.ReachClusterLock(7, stage, node);
  }

  private static CatalogCommand advance(LockStage stage, long nowMillis) {
    return new CatalogCommand.AdvanceClusterLock(7, stage, nowMillis);
  }

  @Test
  void aLockGoesOnWhenAllWithALeaseHaveReachedIt() {
    apply(READ);
    apply(READ);
    refused(advance(LockStage.COMMITS, 600));
    apply(reach(LockStage.STATEMENTS, Samples.CN2));
    refused(advance(LockStage.COMMITS, 600));
    apply(reach(LockStage.COMMITS, Samples.CN1));
    refused(advance(LockStage.COMMITS, 600));
    apply(reach(LockStage.STATEMENTS, Samples.CN1));
    apply(advance(LockStage.COMMITS, 600));
    assertEquals(List.of(new ClusterLock(7, Samples.CN1, LockStage.COMMITS, Set.of())), locks());
    refused(advance(LockStage.COMMITS, 600));
    apply(reach(LockStage.COMMITS, Samples.CN1));
    apply(reach(LockStage.COMMITS, Samples.CN2));
    apply(advance(LockStage.COMMITS, 600));
    assertEquals(Set.of(Samples.CN1, Samples.CN2), locks().getFirst().reached());
  }

  @Test
  void oneWithoutALeaseIsNotWaitedForAndOneThatCameLaterIs() {
    apply(READ);
    apply(reach(LockStage.STATEMENTS, Samples.CN2));
    apply(advance(LockStage.STATEMENTS, 1000));
    apply(Samples.renew(new NodeId("cn-3"), 0, 1000));
    refused(advance(LockStage.STATEMENTS, 1000));
  }

  @Test
  void theOwnerTakesItOutAndOthersOnlyBehindItsLease() {
    apply(READ);
    refused(new CatalogCommand.DropClusterLock(7, Samples.CN2, 999));
    apply(new CatalogCommand.DropClusterLock(7, Samples.CN2, 1000));
    assertEquals(List.of(), locks());
    apply(READ);
    apply(new CatalogCommand.DropClusterLock(7, Samples.CN1, 1));
    apply(new CatalogCommand.DropClusterLock(7, Samples.CN1, 1));
    apply(reach(LockStage.STATEMENTS, Samples.CN2));
    assertEquals(List.of(), locks());
    refused(advance(LockStage.COMMITS, 5000));
  }

  @Test
  void theOwnerThatLeftLeavesNothing() {
    apply(READ);
    apply(new CatalogCommand.RemoveComputeNode(Samples.CN1));
    apply(new CatalogCommand.DropClusterLock(7, Samples.CN2, 1));
    assertEquals(List.of(), locks());
  }

  @Test
  void severalAreThereAtOnceAndNoVersionIsRaised() {
    apply(READ);
    apply(new CatalogCommand.AddClusterLock(5, Samples.CN2, LockStage.DEFINITIONS));
    refused(new CatalogCommand.AddClusterLock(5, Samples.CN1, LockStage.DEFINITIONS));
    assertEquals(List.of(5L, 7L), locks().stream().map(ClusterLock::id).toList());
    assertEquals(0, state.catalog().version());
  }
}
