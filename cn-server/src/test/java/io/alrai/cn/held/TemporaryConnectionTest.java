package io.alrai.cn.held;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.tx.FakeDns;
import io.alrai.cn.tx.branch.Savepoints;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TemporaryConnectionTest {
  private static final DnId DN = new DnId("dn-1");

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FakeDns dns = new FakeDns(channel.eventLoop());
  private final Savepoints savepoints = new Savepoints();
  private boolean inXa;
  private final TemporaryConnection connection =
      new TemporaryConnection(dns, savepoints, () -> inXa);
  private final Taker taker = new Taker();

  /** Remembers what it was given. */
  private static final class Taker implements BranchTaker {
    private final List<Branch> taken = new ArrayList<>();
    private final List<AlraiException> refused = new ArrayList<>();

    @Override
    public void taken(Branch branch) {
      taken.add(branch);
    }

    @Override
    public void refused(AlraiException reason) {
      refused.add(reason);
    }
  }

  TemporaryConnectionTest() {
    dns.dataNodes.add(DN);
  }

  private void takeInside() {
    connection.take(new SettingsRegistry().defaults(), "shop", taker);
  }

  private FakeBranch mine() {
    return dns.branches.getFirst();
  }

  private List<String> ends() {
    return mine().statements.stream()
        .filter(sql -> sql.matches("START.*|COMMIT.*|ROLLBACK.*|SAVEPOINT.*"))
        .toList();
  }

  @Test
  void aSessionKeepsOneConnection() {
    assertNull(connection.dn());
    connection.take(taker);
    taker.taken.getFirst().release();
    connection.take(taker);
    assertEquals(1, dns.branches.size());
    assertEquals(DN, connection.dn());
    assertEquals(DN, taker.taken.getLast().dn());
    assertFalse(mine().released);
  }

  @Test
  void itGoesBackWhenThereIsNoTableAnyMore() {
    connection.take(taker);
    connection.unused();
    assertTrue(mine().released);
    assertNull(connection.dn());
    connection.take(taker);
    assertEquals(2, dns.branches.size());
  }

  @Test
  void itsPartOfATransactionBeginsOnceAndEndsWithIt() {
    takeInside();
    takeInside();
    connection.commit().join();
    connection.commit().join();
    assertEquals(List.of("START TRANSACTION", BranchControl.COMMIT), ends());
    takeInside();
    connection.rollback().join();
    assertEquals(
        List.of(
            "START TRANSACTION", BranchControl.COMMIT, "START TRANSACTION", BranchControl.ROLLBACK),
        ends());
  }

  @Test
  void aTransactionThatFailsIsRolledBackHereToo() {
    takeInside();
    CompletableFuture<Void> failed =
        CompletableFuture.failedFuture(new IllegalStateException("it failed"));
    assertTrue(connection.behind(failed).isCompletedExceptionally());
    assertEquals(List.of("START TRANSACTION", BranchControl.ROLLBACK), ends());
    assertTrue(connection.behind(failed) == failed);
  }

  @Test
  void savepointsFromBeforeAreSetWhenItBegins() {
    connection.savepoint(savepoints.note(Savepoints.Action.SET, "a")).join();
    takeInside();
    connection.savepoint(savepoints.note(Savepoints.Action.ROLLBACK_TO, "a")).join();
    assertEquals(
        List.of("START TRANSACTION", "SAVEPOINT `alrai:1`", "ROLLBACK TO SAVEPOINT `alrai:1`"),
        ends());
  }

  @Test
  void inATransactionItGoesBackBehindItsEnd() {
    takeInside();
    connection.unused();
    assertFalse(mine().released);
    connection.commit().join();
    assertTrue(mine().released);
  }

  @Test
  void transactionsOfXaMustNotTouchThem() {
    inXa = true;
    takeInside();
    assertEquals(4091, taker.refused.getFirst().errno());
    assertTrue(dns.branches.isEmpty());
  }

  @Test
  void tablesAreLostWithTheConnection() {
    connection.take(taker);
    assertFalse(connection.lost());
    mine().closed = true;
    assertTrue(connection.lost());
    connection.take(taker);
    assertEquals(1053, taker.refused.getFirst().errno());
  }

  @Test
  void aSessionThatIsGoneClosesIt() {
    connection.take(taker);
    connection.abandon();
    assertTrue(mine().closed);
    dns.full = true;
    connection.take(taker);
    dns.giveLate();
    assertEquals(1, taker.refused.size());
    assertTrue(dns.branches.getLast().released);
  }
}
