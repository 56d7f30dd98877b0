package io.alrai.cn.shard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.branch.Commands;
import io.alrai.cn.branch.DnLinks;
import io.alrai.cn.branch.OwnWork;
import io.alrai.cn.branch.QueryKiller;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.settings.SettingsRegistry;
import io.alrai.cn.tx.FakeDns;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.backend.FakeBranch;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What ends the waits for statements on mysqlds. */
final class BoundedCallsTest {
  private static final DnId A = new DnId("dn-1");

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final FakeDns dns = new FakeDns(channel.eventLoop());

  private FakeBranch silent() {
    dns.mute.add(A);
    dns.take(
        A,
        "",
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {}

          @Override
          public void refused(AlraiException reason) {
            throw reason;
          }
        });
    return dns.branches.getLast();
  }

  private static void send(Branch branch) {
    branch.send(
        Commands.query(ByteBufAllocator.DEFAULT, Sql.of("SELECT SLEEP(1000)")),
        ReplyKind.RESULTS,
        new ShardCall(() -> {}));
    branch.flush();
  }

  @Test
  void aKillThatIsNotAnsweredClosesItsVictim() {
    FakeBranch victim = silent();
    send(victim);
    new QueryKiller(dns).kill(victim);
    assertEquals(List.of("KILL QUERY 1"), dns.branches.getLast().statements);
    assertTrue(victim.alive());
    channel.advanceTimeBy(5, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    assertFalse(victim.alive());
  }

  @Test
  void aKillThatIsAnsweredLeavesItsVictimAlone() {
    FakeBranch victim = silent();
    send(victim);
    dns.mute.clear();
    new QueryKiller(dns).kill(victim);
    channel.advanceTimeBy(5, TimeUnit.SECONDS);
    channel.runScheduledPendingTasks();
    assertTrue(victim.alive());
  }

  @Test
  void whoIsInterruptedWaitsForNothingThatWasNotSent() {
    ShardCall call = new ShardCall(() -> {});
    Thread.currentThread().interrupt();
    call.close();
    assertTrue(Thread.interrupted());
    assertTrue(call.abandoned(), "and it will not be sent");
  }

  @Test
  void aDnWithoutALinkRefusesAStatement() {
    DefaultEventLoop loop = new DefaultEventLoop();
    try {
      ShardQueries queries =
          new ShardQueries(new DnLinks(), loop, new SettingsRegistry().defaults());
      AlraiException refused =
          assertThrows(AlraiException.class, () -> queries.query(A, "", Sql.of("SELECT 1")));
      assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), refused.errno());
    } finally {
      loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }
  }

  @Test
  void killFindsWhatASessionsThreadHasSentBesideItsConnections() {
    channel.freezeTime();
    OwnWork work = new OwnWork();
    List<StatementEnding> made = new ArrayList<>();
    work.whileRunning(
        () -> made.add(new StatementEnding(channel.eventLoop(), new QueryKiller(dns))));
    StatementEnding ending = made.getFirst();
    FakeBranch branch = silent();
    send(branch);
    ending.runsOn(branch);
    assertTrue(work.end());
    channel.runPendingTasks();
    assertEquals(List.of("KILL QUERY 1"), dns.branches.getLast().statements);
    assertTrue(work.end());
    channel.runPendingTasks();
    assertTrue(branch.alive());
    channel.advanceTimeBy(1, TimeUnit.SECONDS);
    assertTrue(work.end());
    channel.runPendingTasks();
    assertFalse(branch.alive());
    ending.over();
    assertFalse(work.end());
  }

  @Test
  void whatHasNotRunIsSentAgainAndNobodyIsTold() {
    List<String> told = new ArrayList<>();
    ShardCall call = new ShardCall(() -> told.add("over"));
    call.sentAgainBy(AlraiException::hasNotRun);
    call.failed(new AlraiException(ErrorCode.CR_SERVER_GONE_ERROR, "stale"));
    assertEquals(List.of(), told);
    call.failed(new AlraiException(ErrorCode.CR_SERVER_LOST, "it may have run"));
    assertEquals(List.of("over"), told);
  }

  @Test
  void whoReadsWhatGivesRowsAllTheTimeWaitsForThemWithinABound() {
    FakeBranch branch = silent();
    ShardCall call = new ShardCall(() -> {});
    call.speaksWithin(Duration.ofMillis(20));
    call.runsOn(branch);
    call.endsBy(branch::close);
    branch.send(
        Commands.query(ByteBufAllocator.DEFAULT, Sql.of("SELECT a FROM t")),
        ReplyKind.RESULTS,
        call);
    branch.flush();
    AlraiException silence = assertThrows(AlraiException.class, call::nextRow);
    assertEquals(ErrorCode.ALRAI_NODE_UNAVAILABLE.errno(), silence.errno());
    assertTrue(silence.getMessage().contains("dn-1 has sent nothing"), silence.getMessage());
    call.close();
    assertFalse(branch.alive());
  }
}
