package io.alrai.cn.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.backend.Eventually;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.node.DnMember;
import io.alrai.optimizer.api.MembersStatement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes of members are seen while they run, end by KILL and CANCEL DDL, and outlive their CN. */
@Timeout(60)
class MemberJobsTest {
  private static final DnId DN = new DnId("dn-1");
  private static final MembersStatement.AsJob ADD =
      new MembersStatement.Add("logger-2", "dn-1", false);
  private static final MembersStatement.AsJob DROP = new MembersStatement.Drop("logger-1", "dn-1");
  private static final MembersStatement.AsJob REBUILD =
      new MembersStatement.Rebuild("dn-1-b", Optional.empty());

  private final DdlCluster cluster = new DdlCluster(1);
  private final FakeMembers group = new FakeMembers();

  @BeforeEach
  void prepare() {
    cluster.shards.members = Map.of(DN, group);
    for (String logger : List.of("logger-1", "logger-2")) {
      cluster.gms.submit(
          new CatalogCommand.PutDnMember(
              DN, new DnMember(logger, "h:" + logger, DnMember.Keeps.LOG)));
    }
  }

  private String error(MembersStatement.AsJob statement) {
    try {
      cluster.run(statement);
      return "";
    } catch (AlraiException e) {
      return e.errno() + " " + e.sentence();
    }
  }

  private CompletableFuture<String> runs(MembersStatement.AsJob statement, Thread[] thread) {
    CompletableFuture<String> ended = new CompletableFuture<>();
    thread[0] = Thread.startVirtualThread(() -> ended.complete(error(statement)));
    return ended;
  }

  private DdlJob last() {
    return cluster.gms.catalog().jobs().values().stream()
        .max((a, b) -> Long.compare(a.id(), b.id()))
        .orElseThrow();
  }

  private void awaitAsked(int times) throws Exception {
    Eventually.await(times + " questions", () -> group.asked.size() >= times);
  }

  private String awaitEnd(CompletableFuture<String> ended) throws Exception {
    return ended.get(30, TimeUnit.SECONDS);
  }

  private boolean registered(String member) {
    return cluster.gms.catalog().dataNode(DN).orElseThrow().members().stream()
        .anyMatch(each -> each.name().equals(member));
  }

  @Test
  void aMemberIsAddedAndDropped() {
    assertEquals("", error(ADD));
    assertEquals(DdlJob.State.DONE, last().state());
    assertEquals("ADD_MEMBER", last().kind());
    assertEquals("add logger-2 at h:logger-2 by dn-1-a", group.asked.getFirst());
    assertEquals("", error(ADD), "once more");
    assertEquals("", error(DROP));
    assertEquals("DROP_MEMBER", last().kind());
    assertEquals("[dn-1-a, dn-1-b, logger-2]", group.voters.toString());
    assertTrue(!registered("logger-1") && registered("logger-2"));
  }

  @Test
  void whatIsRefusedHasChangedNothing() {
    group.refusal = "it leads its group";
    assertEquals("8501 it leads its group", error(DROP));
    assertEquals(DdlJob.State.FAILED, last().state());
    assertEquals("it leads its group", last().error());
    assertTrue(registered("logger-1"));
    assertTrue(error(new MembersStatement.Drop("x' ;--", "dn-1")).contains("no member 'x' ;--'"));
    assertTrue(error(new MembersStatement.Add("x", "dn-7", true)).contains("no DN 'dn-7'"));
    assertTrue(
        error(new MembersStatement.Rebuild("logger-1", Optional.of("dn-1")))
            .contains("those that can lead are [dn-1-a, dn-1-b]"));
    assertTrue(cluster.gms.catalog().jobs().values().stream().noneMatch(DdlJob::open));
  }

  @Test
  void anAdditionThatIsKilledIsTakenBack() throws Exception {
    group.slices = -1;
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = runs(ADD, thread);
    awaitAsked(2);
    assertEquals(DdlJob.State.RUNNING, last().state());
    assertTrue(
        cluster
            .jobs
            .find(last().id())
            .orElseThrow()
            .steps()
            .getFirst()
            .what()
            .startsWith("logger-2 is sent the log of dn-1"));
    group.slices = 1;
    thread[0].interrupt();
    assertTrue(awaitEnd(ended).matches("|1317 .*"), "it may have been done");
    if (last().state() == DdlJob.State.FAILED) {
      assertEquals("drop logger-2 by dn-1-a", group.asked.getLast());
      assertEquals("[dn-1-a, dn-1-b, logger-1]", group.voters.toString());
    }
  }

  @Test
  void anAdditionIsCancelledAtAnotherCn() throws Exception {
    group.slices = -1;
    CompletableFuture<String> ended = runs(ADD, new Thread[1]);
    awaitAsked(2);
    cluster.gms.submit(new CatalogCommand.CancelJob(last().id(), "not wanted"));
    cluster.jobs.look(cluster.gms.catalog());
    assertEquals("1317 not wanted", awaitEnd(ended));
    assertEquals("drop logger-2 by dn-1-a", group.asked.getLast());
    assertEquals(DdlJob.State.ROLLING_BACK, last().state(), "it is being added still");
    group.voters.add("logger-2");
    group.slices = 1;
    group.loss = Optional.of(new TimeoutException());
    assertEquals(0, cluster.recovery("cn-2").runOnce(), "nobody knows whether it is out");
    group.loss = Optional.empty();
    cluster.recover("cn-2");
    assertEquals(DdlJob.State.FAILED, last().state());
    assertEquals("not wanted", last().error());
    assertEquals("[dn-1-a, dn-1-b, logger-1]", group.voters.toString());
  }

  /** The remedy may be to drop another one, which must not wait for the way back. */
  @Test
  void whoCannotBeTakenBackStays() throws Exception {
    group.slices = -1;
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = runs(ADD, thread);
    awaitAsked(2);
    group.voters.add("logger-2");
    group.keepsAll = "only [dn-1-a] answer";
    thread[0].interrupt();
    assertTrue(awaitEnd(ended).startsWith("1317 "));
    assertEquals(DdlJob.State.FAILED, last().state());
    assertTrue(
        last()
            .error()
            .endsWith(
                "; logger-2 has joined dn-1: DROP NODE it later, as now only [dn-1-a] answer"),
        last().error());
    group.keepsAll = "";
    group.slices = 1;
    assertEquals("", error(DROP));
  }

  /** Its leader has begun, and nobody can take that back. */
  @Test
  void aDropThatIsKilledGoesOnByItself() throws Exception {
    group.slices = -1;
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = runs(DROP, thread);
    awaitAsked(2);
    thread[0].interrupt();
    assertTrue(awaitEnd(ended).contains("goes on by itself: see SHOW DDL"));
    assertTrue(last().open() && last().onlyForward());
    group.slices = 1;
    cluster.recover("cn-2");
    assertEquals(DdlJob.State.DONE, last().state());
    assertTrue(!registered("logger-1"));
  }

  /** It may be done, and the catalog has the member still. */
  @Test
  void aDropWhoseAnswerIsLostGoesOnByItself() {
    for (Exception loss :
        List.of(
            new TimeoutException(),
            new AlraiException(ErrorCode.CR_SERVER_LOST, "the connection broke"))) {
      MemberJobsTest fresh = new MemberJobsTest();
      fresh.prepare();
      fresh.group.slices = 1;
      fresh.group.loss = Optional.of(loss);
      String error = fresh.error(DROP);
      assertTrue(error.matches("8501 .*it may be done.* goes on by itself: see SHOW DDL"), error);
      assertTrue(fresh.last().open() && fresh.last().onlyForward());
      assertTrue(fresh.registered("logger-1"));
      fresh.group.loss = Optional.empty();
      fresh.cluster.recover("cn-2");
      assertEquals(DdlJob.State.DONE, fresh.last().state());
      assertTrue(!fresh.registered("logger-1"));
    }
  }

  /**
   * The next leader has the member still, and keeps it: others must be able to change the group.
   */
  @Test
  void aDropThatGoesOnEndsWhereItIsRefused() throws Exception {
    group.slices = -1;
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = runs(DROP, thread);
    awaitAsked(2);
    thread[0].interrupt();
    awaitEnd(ended);
    group.keepsAll = "only [dn-1-b] answer";
    cluster.recover("cn-2");
    assertEquals(DdlJob.State.FAILED, last().state());
    assertEquals("only [dn-1-b] answer", last().error());
    assertTrue(registered("logger-1"));
    group.slices = 1;
    assertEquals("", error(ADD));
  }

  @Test
  void aJobGoesOnWithTheNextLeader() throws Exception {
    group.slices = -1;
    CompletableFuture<String> ended = runs(ADD, new Thread[1]);
    awaitAsked(2);
    group.leader = "";
    group.slices = 1;
    group.leader = "dn-1-b";
    assertEquals("", awaitEnd(ended));
    assertTrue(group.asked.getLast().endsWith(" by dn-1-b"), group.asked::toString);
  }

  @Test
  void aRebuildEndsWithItsCloneAndSaysHowFarItIs() throws Exception {
    CompletableFuture<String> ended = runs(REBUILD, new Thread[1]);
    awaitAsked(1);
    assertEquals("REBUILD_MEMBER", last().kind());
    group.beginsAnew(); // and has to be asked again
    awaitAsked(2);
    group.rebuilt();
    assertEquals("", awaitEnd(ended));
    assertEquals(List.of("rebuild dn-1-b", "rebuild dn-1-b"), group.asked);
  }

  @Test
  void aRebuildThatIsKilledIsGivenUp() throws Exception {
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = runs(REBUILD, thread);
    awaitAsked(1);
    thread[0].interrupt();
    assertTrue(awaitEnd(ended).startsWith("1317 "));
    assertEquals("end rebuild dn-1-b", group.asked.getLast());
    assertEquals(DdlJob.State.FAILED, last().state());
  }

  /** DROP is the remedy. */
  @Test
  void aRebuildOfALostMemberDoesNotKeepItFromBeingDropped() throws Exception {
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = runs(REBUILD, thread);
    awaitAsked(1);
    group.lost = "dn-1-b";
    thread[0].interrupt();
    assertTrue(awaitEnd(ended).startsWith("1317 "));
    assertEquals(DdlJob.State.FAILED, last().state());
    group.slices = 1;
    assertEquals("", error(new MembersStatement.Drop("dn-1-b", "dn-1")));
  }

  @Test
  void aRebuildOfAMemberThatNobodyKnowsEnds() throws Exception {
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = runs(REBUILD, thread);
    awaitAsked(1);
    group.voters.remove("dn-1-b");
    thread[0].interrupt();
    assertTrue(awaitEnd(ended).startsWith("1317 "));
    assertEquals(DdlJob.State.FAILED, last().state());
  }

  @Test
  void aMemberThatIsAwayForLongIsNotWaitedFor() throws Exception {
    CompletableFuture<String> ended = runs(REBUILD, new Thread[1]);
    awaitAsked(1);
    group.lost = "dn-1-b";
    cluster.nanos.addAndGet(TimeUnit.MINUTES.toNanos(5) + 1);
    assertTrue(awaitEnd(ended).contains("dn-1-b has not answered for 5 minutes"));
    assertEquals(DdlJob.State.FAILED, last().state());
  }

  /** At each point: it is done then, or was not begun. */
  @Test
  void eachOutlivesItsCn() {
    for (MembersStatement.AsJob statement : List.of(ADD, DROP)) {
      for (int point = 1; ; point++) {
        MemberJobsTest fresh = new MemberJobsTest();
        fresh.prepare();
        fresh.group.slices = 1;
        fresh.cluster.crashes.arm(point);
        try {
          fresh.cluster.run(statement);
          assertTrue(point > 3, "no crash point was met");
          break;
        } catch (CrashPoints.Death death) {
          fresh.cluster.recover(point % 2 == 0 ? "cn-1" : "cn-2");
        }
        boolean dropped = !fresh.group.voters.contains("logger-1");
        assertEquals(dropped, !fresh.registered("logger-1"), "after " + point);
      }
    }
  }
}
