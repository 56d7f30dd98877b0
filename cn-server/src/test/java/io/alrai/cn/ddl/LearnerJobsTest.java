package io.alrai.cn.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.DnId;
import io.alrai.dn.backend.Eventually;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.node.DnMember;
import io.alrai.optimizer.api.MembersStatement;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A learner is waited for until it has nearly all rows, and not longer than it can get them. */
@Timeout(60)
class LearnerJobsTest {
  private static final DnId DN = new DnId("dn-1");
  private static final String NAME = "rö '`%_";
  private static final MembersStatement.AsJob ADD = new MembersStatement.AddLearner(NAME, "dn-1");
  private static final MembersStatement.AsJob DROP = new MembersStatement.Drop(NAME, "dn-1");
  private static final List<String> TOLD = List.of("dn-1-a learns", NAME + " learns");

  private final MemberJobs members = new MemberJobs();
  private final DdlCluster cluster = members.cluster;
  private final FakeMembers group = members.group;

  @BeforeEach
  void prepare() {
    members.register(NAME, DnMember.Keeps.LEARNER);
    group.learns(NAME, "JOINING", -1, "");
  }

  private void awaitTold(int times) throws Exception {
    Eventually.await(
        times + " times",
        () -> group.asked.stream().filter(TOLD.getLast()::equals).count() >= times);
  }

  @Test
  void itIsAddedWhenItHasNearlyAllRows() throws Exception {
    CompletableFuture<String> ended = members.runs(ADD, new Thread[1]);
    awaitTold(2); // it says that it waits: it is asked again
    assertEquals(TOLD, group.asked.subList(0, 2));
    for (long unapplied : new long[] {-1, 1_001, 7_000_000}) {
      group.learns(NAME, "FOLLOWING", unapplied, "");
      TimeUnit.MILLISECONDS.sleep(250);
      assertFalse(ended.isDone(), "lacks " + unapplied);
    }
    group.learns(NAME, "FOLLOWING", 1_000, "nobody sends it the log");
    TimeUnit.MILLISECONDS.sleep(250);
    assertFalse(ended.isDone());
    group.learns(NAME, "FOLLOWING", 1_000, "");
    assertEquals("", MemberJobs.awaitEnd(ended));
    assertEquals(DdlJob.State.DONE, members.last().state());
    assertEquals("", members.error(ADD), "once more");
    assertEquals("", members.error(DROP));
    assertEquals(NAME + " learns no more", group.asked.getLast());
    assertFalse(members.registered(NAME));
  }

  @Test
  void oneThatCannotLearnIsNotWaitedFor() throws Exception {
    for (String state : List.of("DROPPED", "ERRANT")) {
      group.asked.clear();
      group.learns(NAME, "REBUILDING", -1, "");
      CompletableFuture<String> ended = members.runs(ADD, new Thread[1]);
      awaitTold(1);
      group.learns(NAME, state, 3, "it has x:7");
      String error = MemberJobs.awaitEnd(ended);
      assertTrue(
          error.startsWith("8501 " + NAME)
              && error.contains(state.equals("ERRANT") ? "it has x:7" : "remove its directory"),
          error);
      assertEquals(DdlJob.State.FAILED, members.last().state());
      assertEquals(NAME + " learns no more", group.asked.getLast());
    }
  }

  @Test
  void oneThatIsAwayForLongIsNotWaitedFor() throws Exception {
    CompletableFuture<String> ended = members.runs(ADD, new Thread[1]);
    awaitTold(1);
    group.lost = NAME;
    cluster.nanos.addAndGet(TimeUnit.MINUTES.toNanos(5) + 1);
    String error = MemberJobs.awaitEnd(ended);
    assertTrue(error.contains("has not answered for 5 minutes"), error);
    assertTrue(
        members.last().error().endsWith(NAME + " does not answer: DROP NODE it"),
        members.last().error());
  }

  @Test
  void anAdditionThatIsKilledIsTakenBack() throws Exception {
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = members.runs(ADD, thread);
    awaitTold(1);
    thread[0].interrupt();
    assertTrue(MemberJobs.awaitEnd(ended).startsWith("1317 "));
    assertEquals(DdlJob.State.FAILED, members.last().state());
    assertEquals(NAME + " learns no more", group.asked.getLast());
  }

  @Test
  void whoIsNoLearnerIsNotTold() {
    members.register("logger-1", DnMember.Keeps.LOG);
    assertTrue(
        members
            .error(new MembersStatement.AddLearner("logger-1", "dn-1"))
            .contains("without --learner"));
    assertTrue(
        members
            .error(new MembersStatement.AddLearner("x", "dn-1"))
            .contains("no process waits to learn"));
    group.lost = NAME;
    assertTrue(members.error(ADD).contains("does not answer; start it first"));
    assertEquals(List.of(), group.asked);
  }
}
