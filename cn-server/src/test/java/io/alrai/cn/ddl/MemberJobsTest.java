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
import java.util.Collections;
import java.util.List;
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

  private final MemberJobs members = new MemberJobs();
  private final DdlCluster cluster = members.cluster;
  private final FakeMembers group = members.group;

  @BeforeEach
  void prepare() {
    for (String logger : List.of("logger-1", "logger-2")) {
      members.register(logger, DnMember.Keeps.LOG);
    }
  }

  private void awaitAsked(int times) throws Exception {
    Eventually.await(times + " questions", () -> group.asked.size() >= times);
  }

  @Test
  void aMemberIsAddedAndDropped() {
    assertEquals("", members.error(ADD));
    assertEquals(DdlJob.State.DONE, members.last().state());
    assertEquals("ADD_MEMBER", members.last().kind());
    assertEquals("add logger-2 at h:logger-2 by dn-1-a", group.asked.getFirst());
    assertEquals("", members.error(ADD), "once more");
    assertEquals("", members.error(DROP));
    assertEquals("DROP_MEMBER", members.last().kind());
    assertEquals("[dn-1-a, dn-1-b, logger-2]", group.voters.toString());
    assertTrue(!members.registered("logger-1") && members.registered("logger-2"));
  }

  @Test
  void whatIsRefusedHasChangedNothing() {
    group.refusal = "it leads its group";
    assertEquals("8501 it leads its group", members.error(DROP));
    assertEquals(DdlJob.State.FAILED, members.last().state());
    assertEquals("it leads its group", members.last().error());
    assertTrue(members.registered("logger-1"));
    assertTrue(
        members.error(new MembersStatement.Drop("x' ;--", "dn-1")).contains("no member 'x' ;--'"));
    assertTrue(members.error(new MembersStatement.Add("x", "dn-7", true)).contains("no DN 'dn-7'"));
    assertTrue(
        members
            .error(new MembersStatement.Rebuild("logger-1", Optional.of("dn-1")))
            .contains("those that can lead are [dn-1-a, dn-1-b]"));
    assertTrue(cluster.gms.catalog().jobs().values().stream().noneMatch(DdlJob::open));
  }

  @Test
  void anAdditionThatIsKilledIsTakenBack() throws Exception {
    group.slices = -1;
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = members.runs(ADD, thread);
    awaitAsked(2);
    assertEquals(DdlJob.State.RUNNING, members.last().state());
    assertTrue(
        cluster
            .jobs
            .find(members.last().id())
            .orElseThrow()
            .steps()
            .getFirst()
            .what()
            .startsWith("logger-2 is sent the log of dn-1"));
    group.slices = 1;
    thread[0].interrupt();
    assertTrue(MemberJobs.awaitEnd(ended).matches("|1317 .*"), "it may have been done");
    if (members.last().state() == DdlJob.State.FAILED) {
      assertEquals("drop logger-2 by dn-1-a", group.asked.getLast());
      assertEquals("[dn-1-a, dn-1-b, logger-1]", group.voters.toString());
    }
  }

  @Test
  void anAdditionIsCancelledAtAnotherCn() throws Exception {
    group.slices = -1;
    CompletableFuture<String> ended = members.runs(ADD, new Thread[1]);
    awaitAsked(2);
    cluster.gms.submit(new CatalogCommand.CancelJob(members.last().id(), "not wanted"));
    cluster.jobs.look(cluster.gms.catalog());
    assertEquals("1317 not wanted", MemberJobs.awaitEnd(ended));
    assertEquals("drop logger-2 by dn-1-a", group.asked.getLast());
    assertEquals(DdlJob.State.ROLLING_BACK, members.last().state(), "it is being added still");
    group.voters.add("logger-2");
    group.slices = 1;
    group.loss = Optional.of(new TimeoutException());
    assertEquals(0, cluster.recovery("cn-2").runOnce(), "nobody knows whether it is out");
    group.loss = Optional.empty();
    cluster.recover("cn-2");
    assertEquals(DdlJob.State.FAILED, members.last().state());
    assertEquals("not wanted", members.last().error());
    assertEquals("[dn-1-a, dn-1-b, logger-1]", group.voters.toString());
  }

  /** The remedy may be to drop another one, which must not wait for the way back. */
  @Test
  void whoCannotBeTakenBackStays() throws Exception {
    group.slices = -1;
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = members.runs(ADD, thread);
    awaitAsked(2);
    group.voters.add("logger-2");
    group.keepsAll = "only [dn-1-a] answer";
    thread[0].interrupt();
    assertTrue(MemberJobs.awaitEnd(ended).startsWith("1317 "));
    assertEquals(DdlJob.State.FAILED, members.last().state());
    assertTrue(
        members
            .last()
            .error()
            .endsWith(
                "; logger-2 has joined dn-1: DROP NODE it later, as now only [dn-1-a] answer"),
        members.last().error());
    group.keepsAll = "";
    group.slices = 1;
    assertEquals("", members.error(DROP));
  }

  /** Its leader has begun, and nobody can take that back. */
  @Test
  void aDropThatIsKilledGoesOnByItself() throws Exception {
    group.slices = -1;
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = members.runs(DROP, thread);
    awaitAsked(2);
    thread[0].interrupt();
    assertTrue(MemberJobs.awaitEnd(ended).contains("goes on by itself: see SHOW DDL"));
    assertTrue(members.last().open() && members.last().onlyForward());
    group.slices = 1;
    cluster.recover("cn-2");
    assertEquals(DdlJob.State.DONE, members.last().state());
    assertTrue(!members.registered("logger-1"));
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
      String error = fresh.members.error(DROP);
      assertTrue(error.matches("8501 .*it may be done.* goes on by itself: see SHOW DDL"), error);
      assertTrue(fresh.members.last().open() && fresh.members.last().onlyForward());
      assertTrue(fresh.members.registered("logger-1"));
      fresh.group.loss = Optional.empty();
      fresh.cluster.recover("cn-2");
      assertEquals(DdlJob.State.DONE, fresh.members.last().state());
      assertTrue(!fresh.members.registered("logger-1"));
    }
  }

  @Test
  void aDropWhoseAnswerIsLostIsAskedForAgain() {
    group.slices = 1;
    group.loss = Optional.of(new TimeoutException());
    group.mostLosses = 2;
    assertEquals("", members.error(DROP));
    assertEquals(DdlJob.State.DONE, members.last().state());
    assertEquals(3, Collections.frequency(group.asked, "drop logger-1 by dn-1-a"));
  }

  /**
   * The next leader has the member still, and keeps it: others must be able to change the group.
   */
  @Test
  void aDropThatGoesOnEndsWhereItIsRefused() throws Exception {
    group.slices = -1;
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = members.runs(DROP, thread);
    awaitAsked(2);
    thread[0].interrupt();
    MemberJobs.awaitEnd(ended);
    group.keepsAll = "only [dn-1-b] answer";
    cluster.recover("cn-2");
    assertEquals(DdlJob.State.FAILED, members.last().state());
    assertEquals("only [dn-1-b] answer", members.last().error());
    assertTrue(members.registered("logger-1"));
    group.slices = 1;
    assertEquals("", members.error(ADD));
  }

  @Test
  void aJobGoesOnWithTheNextLeader() throws Exception {
    group.slices = -1;
    CompletableFuture<String> ended = members.runs(ADD, new Thread[1]);
    awaitAsked(2);
    group.leader = "";
    group.slices = 1;
    group.leader = "dn-1-b";
    assertEquals("", MemberJobs.awaitEnd(ended));
    assertTrue(group.asked.getLast().endsWith(" by dn-1-b"), group.asked::toString);
  }

  @Test
  void aRebuildEndsWithItsCloneAndSaysHowFarItIs() throws Exception {
    CompletableFuture<String> ended = members.runs(REBUILD, new Thread[1]);
    awaitAsked(1);
    assertEquals("REBUILD_MEMBER", members.last().kind());
    group.beginsAnew(); // and has to be asked again
    awaitAsked(2);
    group.rebuilt();
    assertEquals("", MemberJobs.awaitEnd(ended));
    assertEquals(List.of("rebuild dn-1-b", "rebuild dn-1-b"), group.asked);
  }

  @Test
  void aRebuildThatIsKilledIsGivenUp() throws Exception {
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = members.runs(REBUILD, thread);
    awaitAsked(1);
    thread[0].interrupt();
    assertTrue(MemberJobs.awaitEnd(ended).startsWith("1317 "));
    assertEquals("end rebuild dn-1-b", group.asked.getLast());
    assertEquals(DdlJob.State.FAILED, members.last().state());
  }

  /** DROP is the remedy. */
  @Test
  void aRebuildOfALostMemberDoesNotKeepItFromBeingDropped() throws Exception {
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = members.runs(REBUILD, thread);
    awaitAsked(1);
    group.lost = "dn-1-b";
    thread[0].interrupt();
    assertTrue(MemberJobs.awaitEnd(ended).startsWith("1317 "));
    assertEquals(DdlJob.State.FAILED, members.last().state());
    group.slices = 1;
    assertEquals("", members.error(new MembersStatement.Drop("dn-1-b", "dn-1")));
  }

  @Test
  void aRebuildOfAMemberThatNobodyKnowsEnds() throws Exception {
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = members.runs(REBUILD, thread);
    awaitAsked(1);
    group.voters.remove("dn-1-b");
    thread[0].interrupt();
    assertTrue(MemberJobs.awaitEnd(ended).startsWith("1317 "));
    assertEquals(DdlJob.State.FAILED, members.last().state());
  }

  @Test
  void aMemberThatIsAwayForLongIsNotWaitedFor() throws Exception {
    CompletableFuture<String> ended = members.runs(REBUILD, new Thread[1]);
    awaitAsked(1);
    group.lost = "dn-1-b";
    cluster.nanos.addAndGet(TimeUnit.MINUTES.toNanos(5) + 1);
    assertTrue(MemberJobs.awaitEnd(ended).contains("dn-1-b has not answered for 5 minutes"));
    assertEquals(DdlJob.State.FAILED, members.last().state());
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
        assertEquals(dropped, !fresh.members.registered("logger-1"), "after " + point);
      }
    }
  }
}
