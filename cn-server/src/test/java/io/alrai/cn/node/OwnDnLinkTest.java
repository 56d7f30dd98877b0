package io.alrai.cn.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.OwnLead;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.ViewOpener;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OwnDnLinkTest {
  private static final DnId DN = new DnId("dn-1");
  private static final TransactionId ID = new TransactionId(new NodeId("cn-1"), 1, 2, DN);
  private static final HlcTimestamp TS = HlcTimestamp.ofMillis(5);

  private final List<String> calls = new ArrayList<>();
  private final OwnLead own = new OwnLead(DN);
  private final DnLink direct = way("direct", 3, new CompletableFuture<>());
  private final OwnDnLink link =
      new OwnDnLink(own, way("envelope", 7, CompletableFuture.completedFuture(null)));

  /** One of the two ways, whose answers to what belongs to no branch are those. */
  private DnLink way(String name, long stamp, CompletableFuture<Void> answer) {
    ViewOpener views =
        fake(ViewOpener.class, name, stamp, new CompletableFuture<ViewOpener.Opening>());
    CommitParticipant participant =
        (CommitParticipant)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {CommitParticipant.class},
                (proxy, method, arguments) -> {
                  calls.add(name + " " + method.getName());
                  return switch (method.getName()) {
                    case "commitPrepared" -> new CommitParticipant.Finishing(answer, answer);
                    case "forget" -> null;
                    default -> answer;
                  };
                });
    return (DnLink)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {DnLink.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "dn" -> DN;
                  case "views" -> views;
                  case "participant" -> participant;
                  case "equals" -> proxy == arguments[0];
                  case "hashCode" -> name.hashCode();
                  case "openBranches" -> 2;
                  default -> {
                    calls.add(name + " " + method.getName());
                    yield method.getReturnType() == boolean.class ? true : null;
                  }
                });
  }

  private <T> T fake(Class<T> type, String name, long stamp, Object answer) {
    return type.cast(
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.getReturnType() == long.class) {
                return stamp;
              }
              calls.add(name + " " + method.getName());
              return answer;
            }));
  }

  private Branch branch(boolean throughAgent) {
    BranchState state = new BranchState();
    if (throughAgent) {
      state.goesThroughAgent();
    }
    return (Branch)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Branch.class},
            (proxy, method, arguments) -> state);
  }

  @Test
  void theOnlyReplicaIsReachedDirectly() {
    link.forgetSchemas();
    own.leads(0, direct);
    link.answers();
    link.forgetSchemas();
    assertEquals(
        List.of(
            "envelope forgetSchemas",
            "direct answers",
            "direct forgetSchemas",
            "envelope forgetSchemas"),
        calls);
    assertEquals(4, link.openBranches());
  }

  @Test
  void aLeaderOfAGroupIsAskedByTheEnvelope() {
    own.leads(3, direct); // its group has to confirm that it leads
    assertTrue(link.answers());
    link.participant().forget(ID);
    assertEquals(List.of("envelope answers", "envelope forget"), calls);
  }

  @Test
  void aBranchStaysWithTheWayByWhichItCame() {
    own.leads(0, direct);
    Branch first = branch(false);
    Branch second = branch(true);
    own.leaves();
    link.views().open(first, TS, "", "", false);
    link.views().open(second, TS, "", "", false);
    link.participant().prepare(first, ID);
    link.participant().decide(second, ID, TS, List.of());
    assertEquals(
        List.of("direct open", "envelope open", "direct prepare", "envelope decide"), calls);
  }

  @Test
  void whatWasReadByOneWayIsNotMissingByTheOther() {
    assertEquals(7, link.views().visibleStamp());
    own.leads(0, way("other", 9, new CompletableFuture<>()));
    own.leaves();
    assertEquals(9, link.views().visibleStamp());
  }

  @Test
  void whatWasDecidedIsFinishedByWhicheverWayThereIs() {
    CompletableFuture<Void> lost = new CompletableFuture<>();
    own.leads(0, way("direct", 1, lost));
    CommitParticipant.Finishing finishing = link.participant().commitPrepared(ID, TS);
    CompletableFuture<Void> rolledBack = link.participant().rollbackPrepared(ID);
    own.leaves();
    lost.completeExceptionally(new IllegalStateException("it leads no more"));
    finishing.submitted().join();
    finishing.done().join();
    rolledBack.join();
    assertEquals(
        2,
        calls.stream().filter("envelope commitPrepared"::equals).count()
            + calls.stream().filter("envelope rollbackPrepared"::equals).count());
  }

  @Test
  void whatFailsOnAWayThatGoesOnHasFailed() {
    own.leads(0, way("direct", 1, CompletableFuture.failedFuture(new IllegalStateException("no"))));
    assertTrue(link.participant().commitPrepared(ID, TS).done().isCompletedExceptionally());
    assertTrue(link.participant().outcome(ID).isCompletedExceptionally());
    assertFalse(calls.contains("envelope outcome"), calls.toString());
  }
}
