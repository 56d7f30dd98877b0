package io.alrai.cn.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.dn.backend.Eventually;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.node.DnMember;
import io.alrai.optimizer.api.MembersStatement;
import java.util.List;
import java.util.Map;
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

  private final DdlCluster cluster = new DdlCluster(1);
  private final FakeMembers group = new FakeMembers();

  @BeforeEach
  void prepare() {
    cluster.shards.members = Map.of(DN, group);
    register(NAME, DnMember.Keeps.LEARNER);
    group.learns(NAME, "JOINING", -1, "");
  }

  private void register(String name, DnMember.Keeps keeps) {
    cluster.gms.submit(new CatalogCommand.PutDnMember(DN, new DnMember(name, "h:" + name, keeps)));
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

  private void awaitTold(int times) throws Exception {
    Eventually.await(
        times + " times",
        () -> group.asked.stream().filter(TOLD.getLast()::equals).count() >= times);
  }

  private static String awaitEnd(CompletableFuture<String> ended) throws Exception {
    return ended.get(30, TimeUnit.SECONDS);
  }

  private boolean registered() {
    return cluster.gms.catalog().dataNode(DN).orElseThrow().members().stream()
        .anyMatch(each -> each.name().equals(NAME));
  }

  @Test
  void itIsAddedWhenItHasNearlyAllRows() throws Exception {
    CompletableFuture<String> ended = runs(ADD, new Thread[1]);
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
    assertEquals("", awaitEnd(ended));
    assertEquals(DdlJob.State.DONE, last().state());
    assertEquals("", error(ADD), "once more");
    assertEquals("", error(DROP));
    assertEquals(NAME + " learns no more", group.asked.getLast());
    assertFalse(registered());
  }

  @Test
  void oneThatCannotLearnIsNotWaitedFor() throws Exception {
    for (String state : List.of("DROPPED", "ERRANT")) {
      group.asked.clear();
      group.learns(NAME, "REBUILDING", -1, "");
      CompletableFuture<String> ended = runs(ADD, new Thread[1]);
      awaitTold(1);
      group.learns(NAME, state, 3, "it has x:7");
      String error = awaitEnd(ended);
      assertTrue(
          error.startsWith("8501 " + NAME)
              && error.contains(state.equals("ERRANT") ? "it has x:7" : "remove its directory"),
          error);
      assertEquals(DdlJob.State.FAILED, last().state());
      assertEquals(NAME + " learns no more", group.asked.getLast());
    }
  }

  @Test
  void oneThatIsAwayForLongIsNotWaitedFor() throws Exception {
    CompletableFuture<String> ended = runs(ADD, new Thread[1]);
    awaitTold(1);
    group.lost = NAME;
    cluster.nanos.addAndGet(TimeUnit.MINUTES.toNanos(5) + 1);
    String error = awaitEnd(ended);
    assertTrue(error.contains("has not answered for 5 minutes"), error);
    assertTrue(last().error().endsWith(NAME + " does not answer: DROP NODE it"), last().error());
  }

  @Test
  void anAdditionThatIsKilledIsTakenBack() throws Exception {
    Thread[] thread = new Thread[1];
    CompletableFuture<String> ended = runs(ADD, thread);
    awaitTold(1);
    thread[0].interrupt();
    assertTrue(awaitEnd(ended).startsWith("1317 "));
    assertEquals(DdlJob.State.FAILED, last().state());
    assertEquals(NAME + " learns no more", group.asked.getLast());
  }

  @Test
  void whoIsNoLearnerIsNotTold() {
    register("logger-1", DnMember.Keeps.LOG);
    assertTrue(
        error(new MembersStatement.AddLearner("logger-1", "dn-1")).contains("without --learner"));
    assertTrue(
        error(new MembersStatement.AddLearner("x", "dn-1")).contains("no process waits to learn"));
    group.lost = NAME;
    assertTrue(error(ADD).contains("does not answer; start it first"));
    assertEquals(List.of(), group.asked);
  }
}
