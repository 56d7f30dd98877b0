package io.alrai.cn.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.process.StepLoop;
import io.alrai.cn.session.FixedSession;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.cn.tx.FakeDns;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.backend.FakeReply;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** One statement of a session's on its way to a branch. */
class ShardLaunchTest {
  private static final DnId A = new DnId("dn-1");
  private static final String READ = "SELECT c0 FROM t";

  private final StepLoop loop = new StepLoop();
  private final FakeDns dns = new FakeDns(loop);
  private final Session session = FixedSession.of(dns, new SettingsRegistry());
  private final SessionShards shards = new SessionShards(session, loop, dns);

  /** The replies to the read, one after the other; a row after the last. */
  private final Queue<FakeReply> replies = new ArrayDeque<>();

  ShardLaunchTest() {
    dns.replies =
        sql ->
            sql.equals(READ)
                ? Optional.of(replies.isEmpty() ? FakeReply.rows("shop", 1, "a") : replies.remove())
                : Optional.empty();
  }

  private ShardCall start(RowAccess access) {
    ShardCall call = shards.start(A, "", Sql.of(READ), access);
    loop.settle();
    return call;
  }

  private long sent() {
    return dns.branches.stream()
        .flatMap(branch -> branch.statements.stream())
        .filter(READ::equals)
        .count();
  }

  private static void hasOneRow(ShardCall call) {
    assertTrue(call.succeeded());
    assertEquals(1, call.columns().size());
    assertEquals(2, call.nextRow().length);
    call.status();
  }

  private static int error(ShardCall call) {
    return assertThrows(AlraiException.class, call::columns).errno();
  }

  @Test
  void itsBranchIsGivenBackWhenTheReplyIsThere() {
    hasOneRow(start(RowAccess.CONSISTENT));
    assertTrue(dns.branches.getFirst().released);
    assertEquals(0, shards.atWork().size());
  }

  @Test
  void whatNoMysqldHasReadIsSentAgainTwice() {
    replies.add(FakeReply.leaves(ErrorCode.ER_SERVER_SHUTDOWN, "shutdown"));
    replies.add(FakeReply.leaves(ErrorCode.ER_SERVER_SHUTDOWN, "shutdown"));
    hasOneRow(start(RowAccess.CHANGING));
    assertEquals(3, sent());
    for (int i = 0; i < 3; i++) {
      replies.add(FakeReply.leaves(ErrorCode.ER_SERVER_SHUTDOWN, "shutdown"));
    }
    assertEquals(ErrorCode.CR_SERVER_GONE_ERROR.errno(), error(start(RowAccess.CHANGING)));
    assertEquals(6, sent());
    assertEquals(0, shards.atWork().size());
  }

  @Test
  void whatMayHaveRunIsNotSentAgain() {
    replies.add(FakeReply.empty().breaksBefore(0));
    assertEquals(ErrorCode.CR_SERVER_LOST.errno(), error(start(RowAccess.CHANGING)));
    assertEquals(1, sent());
  }

  @Test
  void withinATransactionNothingIsSentToAnotherConnection() {
    session.transaction().begin(new TransactionOptions("REPEATABLE READ", false, false));
    replies.add(FakeReply.leaves(ErrorCode.ER_SERVER_SHUTDOWN, "shutdown"));
    assertTrue(start(RowAccess.CHANGING).connectionId() != 0);
    assertEquals(1, sent());
    session.transaction().abandon();
    loop.settle();
  }

  @Test
  void withinATransactionItsBranchIsKept() {
    session.transaction().begin(new TransactionOptions("REPEATABLE READ", false, false));
    hasOneRow(start(RowAccess.CHANGING));
    hasOneRow(start(RowAccess.CHANGING));
    assertEquals(1, dns.branches.size());
    assertFalse(dns.branches.getFirst().released);
    session.transaction().abandon();
    loop.settle();
  }

  @Test
  void aReadThatWouldContradictOthersIsSentAtASnapshot() {
    dns.disturbances.add(true);
    hasOneRow(start(RowAccess.CONSISTENT));
    assertEquals(1, sent());
    assertEquals(1, dns.asked.size());
    assertTrue(dns.branches.stream().allMatch(branch -> branch.released));
  }

  @Test
  void aReadThatWasDisturbedIsForgottenAndSentAtASnapshot() {
    dns.disturbances.add(false);
    dns.disturbances.add(true);
    replies.add(FakeReply.rows("shop", 1, "old", "older"));
    hasOneRow(start(RowAccess.CONSISTENT));
    assertEquals(2, sent());
    assertTrue(dns.branches.stream().allMatch(branch -> branch.released));
  }

  @Test
  void aDnThatIsDownIsItsReadersError() {
    dns.down.add(A);
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), error(start(RowAccess.CONSISTENT)));
  }

  @Test
  void nothingIsSentForAClientThatIsGone() {
    shards.leave();
    assertEquals(ErrorCode.ER_QUERY_INTERRUPTED.errno(), error(start(RowAccess.CONSISTENT)));
    assertEquals(0, dns.branches.size());
  }

  @Test
  void aBranchThatComesWhenItsReaderHasLeftIsGivenBackUnused() {
    dns.full = true;
    ShardCall call = shards.start(A, "", Sql.of(READ), RowAccess.CHANGING);
    loop.settle();
    Thread.currentThread().interrupt();
    call.close();
    assertTrue(Thread.interrupted());
    dns.giveLate();
    FakeBranch branch = dns.branches.getFirst();
    assertTrue(branch.released);
    assertEquals(List.of(), branch.statements);
  }
}
