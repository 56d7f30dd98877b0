package io.alrai.dn.xa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.link.XaName;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commits over two real mysqlds, which are killed at every step. */
final class CommitIT {
  private static final MultiThreadIoEventLoopGroup LOOPS =
      new MultiThreadIoEventLoopGroup(2, EpollIoHandler.newFactory());
  private static final Map<DnId, CommitParticipant> PARTICIPANTS = new ConcurrentHashMap<>();
  private static final long RECOVERY_NANOS = TimeUnit.SECONDS.toNanos(5);

  @TempDir static Path directory;

  private static RealNode first;
  private static RealNode second;
  private static int lastNumber;

  @BeforeAll
  static void start() throws Exception {
    first = node("dn-1", 1);
    second = node("dn-2", 2);
    for (RealNode node : List.of(first, second)) {
      node.query("CREATE SCHEMA t;CREATE TABLE t.r (id INT PRIMARY KEY, v INT)");
    }
  }

  private static RealNode node(String name, int serverId) throws Exception {
    RealNode node = new RealNode(name, serverId, directory, LOOPS, PARTICIPANTS::get);
    PARTICIPANTS.put(node.dn(), node.participant());
    return node;
  }

  @AfterAll
  static void stop() throws Exception {
    second.close();
    first.close();
    LOOPS.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /** A transaction that inserts its number on both. */
  private static final class Transaction {
    final int number = ++lastNumber;
    final TransactionId id = new TransactionId(new NodeId("cn-1"), 1, number, new DnId("dn-1"));
    final Branch primary = first.take();
    final Branch other = second.take();
    HlcTimestamp proposed = HlcTimestamp.ZERO;
    HlcTimestamp commitTs = HlcTimestamp.ZERO;

    Transaction() throws Exception {
      String insert = "INSERT INTO t.r VALUES (" + number + ",1)";
      RealNode.run(primary, "START TRANSACTION;" + insert);
      RealNode.run(other, "XA START " + XaName.name(id, second.dn()).text() + ";" + insert);
    }

    void prepare() throws Exception {
      note(RealNode.onLoop(other, () -> second.participant().prepare(other, id)));
    }

    void preCommit() throws Exception {
      note(RealNode.onLoop(primary, () -> first.participant().preCommit(primary, id)));
    }

    private void note(CompletableFuture<HlcTimestamp> stamp) throws Exception {
      HlcTimestamp ts = RealNode.get(stamp);
      proposed = ts.compareTo(proposed) > 0 ? ts : proposed;
    }

    CompletableFuture<HlcTimestamp> sendDecide() {
      return RealNode.onLoop(
          primary, () -> first.participant().decide(primary, id, proposed, List.of(second.dn())));
    }

    void decide() throws Exception {
      commitTs = RealNode.get(sendDecide());
    }

    void commit() throws Exception {
      RealNode.get(second.participant().commitPrepared(id, commitTs).done());
    }

    void die() {
      primary.eventLoop().execute(primary::close);
      other.eventLoop().execute(other::close);
    }

    void checkAfterRecovery(boolean acknowledged) throws Exception {
      first.awaitUp();
      second.awaitUp();
      long up = System.nanoTime();
      Eventually.await("end of prepared branches", () -> !holds(id));
      assertTrue(System.nanoTime() - up < RECOVERY_NANOS, "recovery took too long");
      boolean there = there(first, number);
      assertEquals(there, there(second, number), "half a transaction");
      if (acknowledged) {
        assertTrue(there, "acknowledged, so it must be there");
      }
    }
  }

  private static boolean there(RealNode node, int number) throws Exception {
    return !node.query("SELECT id FROM t.r WHERE id=" + number + " FOR UPDATE").isEmpty();
  }

  @Test
  void commitsOnBothAndLeavesNothing() throws Exception {
    Transaction tx = new Transaction();
    tx.prepare();
    tx.preCommit();
    tx.decide();
    assertTrue(tx.commitTs.compareTo(tx.proposed) >= 0);
    assertEquals(
        new Outcome.Committed(tx.commitTs), RealNode.get(first.participant().outcome(tx.id)));
    tx.commit();
    tx.checkAfterRecovery(true);
    first.participant().forget(tx.id);
    assertTrue(tx.primary.alive() && tx.other.alive());
    tx.die();
  }

  private static boolean holds(TransactionId id) {
    try {
      return RealNode.get(second.participant().holdsPrepared(id));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static boolean logged(TransactionId id) {
    try {
      return !first
          .query("SELECT 1 FROM alrai.tx_log WHERE txid=" + XaName.bytes(id.gtrid()).text())
          .isEmpty();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aDecisionThatNobodyForgetsGetsARowThatGoesWithIt() throws Exception {
    Transaction tx = new Transaction();
    tx.prepare();
    tx.preCommit();
    tx.decide();
    assertFalse(logged(tx.id));
    Eventually.await("the row", () -> logged(tx.id));
    assertEquals(
        new Outcome.Committed(tx.commitTs), RealNode.get(first.participant().outcome(tx.id)));
    tx.commit();
    first.participant().forget(tx.id);
    Eventually.await("deletion of the row", () -> !logged(tx.id));
    assertTrue(tx.primary.alive() && tx.other.alive());
    tx.die();
  }

  @Test
  void aPrimaryThatChangedNothingDecidesWithARow() throws Exception {
    Transaction tx = new Transaction();
    RealNode.run(tx.primary, "ROLLBACK;BEGIN;UPDATE t.r SET v=v WHERE id<0");
    tx.prepare();
    tx.preCommit();
    tx.decide();
    assertTrue(logged(tx.id));
    tx.commit();
    assertTrue(there(second, tx.number));
    tx.die();
  }

  @Test
  void aTombstoneStopsThePreCommit() throws Exception {
    Transaction tx = new Transaction();
    tx.prepare();
    assertEquals(new Outcome.RolledBack(), RealNode.get(first.participant().outcome(tx.id)));
    AlraiException refused = assertThrows(AlraiException.class, tx::preCommit);
    assertEquals(ErrorCode.ER_LOCK_DEADLOCK.errno(), refused.errno());
    assertThrows(AlraiException.class, tx::decide);
    assertEquals(List.of(), RealNode.run(tx.primary, "SELECT id FROM t.r WHERE id=" + tx.number));
    tx.checkAfterRecovery(false);
    assertFalse(there(first, tx.number));
    tx.die();
  }

  @Test
  void aQuestionDuringTheDecisionWaitsForIt() throws Exception {
    Transaction tx = new Transaction();
    tx.prepare();
    // what decide does first, held open
    RealNode.run(
        tx.primary,
        "INSERT INTO alrai.tx_log VALUES ("
            + XaName.bytes(tx.id.gtrid()).text()
            + ",77,'dn-2',NOW(3))");
    assertEquals(new Outcome.InDoubt(), RealNode.get(first.participant().outcome(tx.id)));
    CompletableFuture<Outcome> asked = first.participant().outcome(tx.id);
    RealNode.run(tx.primary, "COMMIT");
    Outcome answer = RealNode.get(asked);
    if (answer.equals(new Outcome.InDoubt())) {
      // a question waits for a lock for a second at most, and a commit may take longer
      answer = RealNode.get(first.participant().outcome(tx.id));
    }
    assertEquals(new Outcome.Committed(new HlcTimestamp(77)), answer);
    tx.checkAfterRecovery(true);
    tx.die();
  }

  /** What the agent had in memory only is in the log that the next one reads. */
  @Test
  void anAgentThatStartsAnewKnowsWhatWasDecided() throws Exception {
    Transaction tx = new Transaction();
    tx.prepare();
    tx.preCommit();
    tx.decide();
    Transaction undecided = new Transaction();
    undecided.prepare();
    undecided.preCommit();
    assertFalse(logged(tx.id));
    first.close();
    first = node("dn-1", 1);
    assertEquals(
        new Outcome.Committed(tx.commitTs), RealNode.get(first.participant().outcome(tx.id)));
    tx.checkAfterRecovery(true);
    undecided.checkAfterRecovery(false);
    assertFalse(there(first, undecided.number));
    tx.die();
    undecided.die();
    // much later its log is not read from the start
    Eventually.await("the row", () -> logged(tx.id));
    first.close();
    first = node("dn-1", 1);
    assertEquals(
        new Outcome.Committed(tx.commitTs), RealNode.get(first.participant().outcome(tx.id)));
  }

  @Test
  void sessionSettingsChangeNeitherNamesNorRows() throws Exception {
    Transaction tx = new Transaction();
    RealNode.run(
        tx.primary,
        "SET character_set_connection=ucs2, sql_mode='ANSI_QUOTES,NO_BACKSLASH_ESCAPES',"
            + " completion_type='CHAIN', div_precision_increment=0");
    RealNode.run(tx.other, "SET character_set_connection=ucs2, completion_type='CHAIN'");
    tx.prepare();
    tx.preCommit();
    tx.decide();
    assertEquals(
        new Outcome.Committed(tx.commitTs), RealNode.get(first.participant().outcome(tx.id)));
    Eventually.await("the row", () -> logged(tx.id));
    assertEquals(
        List.of(List.of("+dn-2")),
        first.query(
            "SELECT participants FROM alrai.tx_log WHERE txid="
                + XaName.bytes(tx.id.gtrid()).text()));
    tx.commit();
    tx.checkAfterRecovery(true);
    tx.die();
  }

  @Test
  void whatIsPreparedOnAPooledConnectionIsItsOwnToEnd() throws Exception {
    Transaction tx = new Transaction();
    tx.prepare();
    AlraiException unknown =
        assertThrows(
            AlraiException.class,
            () -> second.query("XA ROLLBACK " + XaName.name(tx.id, second.dn()).text()));
    assertEquals(ErrorCode.ER_XAER_NOTA.errno(), unknown.errno());
    assertTrue(holds(tx.id), "what is listed is not ended");
    RealNode.get(second.participant().rollbackPrepared(tx.id));
    assertFalse(holds(tx.id));
    tx.die();
  }

  @Test
  void whatABrokenConnectionHadPreparedIsRolledBackAtOnce() throws Exception {
    for (int round = 0; round < 20; round++) {
      Transaction tx = new Transaction();
      tx.prepare();
      tx.die();
      RealNode.get(second.participant().rollbackPrepared(tx.id));
      assertFalse(holds(tx.id), "told that it is rolled back");
    }
  }

  @Test
  void aCoordinatorThatDiesAfterPrepareLeavesNothingPrepared() throws Exception {
    Transaction tx = new Transaction();
    tx.prepare();
    tx.preCommit();
    tx.die();
    tx.checkAfterRecovery(false);
    assertFalse(there(first, tx.number));
  }

  @Test
  void aCoordinatorThatDiesAfterTheDecisionLeavesItCommitted() throws Exception {
    Transaction tx = new Transaction();
    tx.prepare();
    tx.preCommit();
    tx.decide();
    tx.die();
    tx.checkAfterRecovery(true);
  }

  @ParameterizedTest
  @CsvSource({
    "0,dn-1", "0,dn-2", "1,dn-1", "1,dn-2", "2,dn-1", "2,dn-2", "3,dn-1", "3,dn-2", "4,dn-1",
    "4,dn-2"
  })
  void aMysqldKilledBetweenTwoSteps(int killAfter, String which) throws Exception {
    RealNode victim = which.equals("dn-1") ? first : second;
    Transaction tx = new Transaction();
    boolean acknowledged = false;
    for (int step = 0; step <= 4; step++) {
      if (step == killAfter) {
        victim.crash();
      }
      try {
        switch (step) {
          case 0 -> tx.prepare();
          case 1 -> tx.preCommit();
          case 2 -> tx.decide();
          case 3 -> tx.commit();
          default -> {}
        }
        acknowledged |= step == 2;
      } catch (AlraiException failed) {
        assertFalse(acknowledged, "a decided transaction cannot fail: " + failed);
        break;
      }
    }
    tx.die();
    tx.checkAfterRecovery(acknowledged);
  }

  @Test
  void aMysqldKilledDuringTheDecision() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int acknowledged = 0;
    for (int round = 0; round < 6; round++) {
      Transaction tx = new Transaction();
      tx.prepare();
      tx.preCommit();
      CompletableFuture<HlcTimestamp> decision = tx.sendDecide();
      TimeUnit.MICROSECONDS.sleep(random.nextInt(12_000));
      first.crash();
      boolean committed = false;
      try {
        RealNode.get(decision);
        committed = true;
        acknowledged++;
      } catch (AlraiException failed) {
        assertEquals(
            ErrorCode.ER_LOCK_DEADLOCK.errno(),
            failed.errno(),
            "with the mysqld back in time the outcome is known; seed " + seed);
        first.awaitUp();
        assertFalse(there(first, tx.number), "told that it is rolled back; seed " + seed);
      }
      tx.die();
      tx.checkAfterRecovery(committed);
    }
    System.out.println(acknowledged + " of 6 decisions were made before the kill");
  }
}
