package io.alrai.cn.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.session.FixedSession;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.tx.FakeDns;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.alrai.dn.link.ViewOpener.Opening;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Reads of one statement on several DNs, sent after the openings of their views. */
class FollowingReadTest {
  private static final String COMMIT = "COMMIT AND NO CHAIN NO RELEASE";
  private static final String ROLLBACK = "ROLLBACK AND NO CHAIN NO RELEASE";

  private static final DnId A = new DnId("dn-1");
  private static final DnId B = new DnId("dn-2");
  private static final String READ = "SELECT b FROM t";

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FakeDns dns = new FakeDns(channel.eventLoop());
  private final Session session = FixedSession.of(dns, new SettingsRegistry());
  private final SessionShards shards = new SessionShards(session, channel.eventLoop(), dns);
  private int answers;

  private CompletableFuture<List<ShardCall>> start() {
    Map<DnId, ShardStatement> statements = new LinkedHashMap<>();
    statements.put(A, text());
    statements.put(B, text());
    return shards.startAll(statements, RowAccess.CONSISTENT, () -> answers++);
  }

  private static ShardStatement text() {
    return ShardStatement.text(READ.getBytes(StandardCharsets.UTF_8));
  }

  private FakeBranch branch(DnId dn) {
    return dns.branches.stream().filter(one -> one.dn().equals(dn)).findFirst().orElseThrow();
  }

  private void answeredOnce(List<ShardCall> calls) {
    assertEquals(2, answers);
    assertEquals(2, calls.size());
    calls.forEach(call -> {
      assertTrue(call.succeeded());
      assertEquals(0, call.status().warnings());
    });
    assertTrue(shards.atWork().isEmpty());
    assertTrue(dns.branches.stream().allMatch(one -> one.released));
  }

  /** The gate of B answers when the test says so. */
  private CompletableFuture<Opening> slowB() {
    CompletableFuture<Opening> slow = new CompletableFuture<>();
    dns.silent.put(B, slow);
    return slow;
  }

  @Test
  void theyAreSentBehindTheOpeningsAndEachViewEndsBehindItsRead() {
    dns.following.add(A);
    dns.following.add(B);
    answeredOnce(start().join());
    assertEquals(List.of(READ, COMMIT), branch(A).statements);
    assertEquals(List.of(READ, COMMIT), branch(B).statements);
  }

  @Test
  void aGateThatLetsNothingFollowGetsItsReadWhenAllViewsAreOpen() {
    dns.following.add(A);
    CompletableFuture<Opening> slow = slowB();
    CompletableFuture<List<ShardCall>> calls = start();
    assertEquals(List.of(READ), branch(A).statements, "its view serves until all are open");
    assertEquals(List.of(), branch(B).statements);
    slow.complete(new Opening.Open());
    answeredOnce(calls.join());
    assertEquals(List.of(READ, COMMIT), branch(B).statements);
  }

  @Test
  void whatFollowedAnotherSnapshotIsReadAgain() {
    dns.following.add(A);
    dns.following.add(B);
    CompletableFuture<Opening> slow = slowB();
    CompletableFuture<List<ShardCall>> calls = start();
    dns.silent.clear();
    slow.complete(new Opening.Refused(HlcTimestamp.ofMillis(1_000_010)));
    answeredOnce(calls.join());
    assertEquals(List.of(READ, READ, COMMIT), branch(A).statements);
    assertEquals(List.of(READ, COMMIT), branch(B).statements);
  }

  @Test
  void aViewThatOpensForAClientThatIsGoneEnds() {
    dns.following.add(A);
    CompletableFuture<Opening> slow = slowB();
    CompletableFuture<List<ShardCall>> calls = start();
    shards.leave();
    slow.complete(new Opening.Open());
    assertFalse(calls.join().getLast().succeeded());
    assertEquals(List.of(COMMIT), branch(B).statements);
    assertTrue(dns.branches.stream().allMatch(one -> one.released));
    assertTrue(shards.atWork().isEmpty());
  }

  @Test
  void nothingIsOpenedBehindAReadThatNobodyWants() {
    dns.following.add(A);
    dns.mute.add(A);
    CompletableFuture<Opening> slow = slowB();
    CompletableFuture<List<ShardCall>> calls = start();
    dns.silent.clear();
    dns.mute.clear();
    slow.complete(new Opening.Refused(HlcTimestamp.ofMillis(1_000_010)));
    assertEquals(2, dns.asked.size());
    channel.advanceTimeBy(100, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
    assertEquals(List.of("KILL QUERY 1"), dns.branches.getLast().statements);
    assertEquals(2, dns.asked.size());
    branch(A).silent = false;
    branch(A).flush();
    assertEquals(4, dns.asked.size());
    answeredOnce(calls.join());
    assertEquals(List.of(READ, READ, COMMIT), branch(A).statements);
  }

  @Test
  void aReadThatCannotBeSentEndsItsConnectionAndNothingElse() {
    dns.following.add(A);
    ShardStatement broken =
        new ShardStatement() {
          @Override
          public void send(Branch branch, ReplySink reply) {
            throw new IllegalStateException("nothing is sent");
          }

          @Override
          public boolean isSmallText() {
            return false;
          }

          @Override
          public boolean binaryRows() {
            return false;
          }

          @Override
          public String home() {
            return "";
          }
        };
    Map<DnId, ShardStatement> statements = new LinkedHashMap<>();
    statements.put(A, broken);
    statements.put(B, text());
    shards.startAll(statements, RowAccess.CONSISTENT, () -> answers++);
    assertFalse(branch(A).alive());
    assertTrue(branch(B).alive());
  }

  @Test
  void whereAViewFailsTheOthersEndBehindTheirReads() {
    dns.following.add(A);
    CompletableFuture<Opening> slow = slowB();
    CompletableFuture<List<ShardCall>> calls = start();
    assertFalse(calls.isDone());
    slow.completeExceptionally(new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "B is down"));
    assertTrue(calls.isCompletedExceptionally());
    assertEquals(List.of(READ, ROLLBACK), branch(A).statements);
    assertTrue(branch(A).released);
    assertTrue(shards.atWork().isEmpty());
  }
}
