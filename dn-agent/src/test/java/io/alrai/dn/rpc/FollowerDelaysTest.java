package io.alrai.dn.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.link.DnMembers;
import io.alrai.dn.link.MemberStatus;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FollowerDelaysTest {
  private final Map<String, CompletableFuture<MemberStatus>> members = new TreeMap<>();
  private final List<String> gone = new ArrayList<>();
  private final List<String> learners = new ArrayList<>();
  private int asked;
  private long nanos = TimeUnit.SECONDS.toNanos(5);

  private final FollowerDelays delays =
      new FollowerDelays(
          (DnMembers)
              Proxy.newProxyInstance(
                  DnMembers.class.getClassLoader(),
                  new Class<?>[] {DnMembers.class},
                  (proxy, method, arguments) -> {
                    if (method.getName().equals("names")) {
                      List<String> names = new ArrayList<>(members.keySet());
                      names.addAll(gone);
                      names.removeAll(learners);
                      return names;
                    }
                    if (method.getName().equals("learners")) {
                      return List.copyOf(learners);
                    }
                    asked++;
                    return Optional.ofNullable(members.get(String.valueOf(arguments[0])))
                        .orElseThrow(FollowerDelaysTest::unavailable);
                  }),
          () -> nanos);

  private void says(String member, String state, long lagMillis, String error) {
    boolean leads = state.equals("LEADING");
    MemberStatus status =
        new MemberStatus(
            member,
            state,
            leads,
            leads ? 3 : 0,
            7,
            0,
            lagMillis,
            error,
            "",
            List.of(),
            MemberStatus.Cloning.NONE);
    members.put(member, CompletableFuture.completedFuture(status));
  }

  private long later() {
    nanos += TimeUnit.SECONDS.toNanos(1);
    return delays.millis().orElse(-1);
  }

  @Test
  void theSlowestCounts() {
    says("a", "LEADING", 0, "");
    says("b", "FOLLOWING", 40, "");
    says("c", "FOLLOWING", 1_200, "");
    assertEquals(1_200, later());
    says("c", "FOLLOWING", 0, "");
    assertEquals(40, later());
  }

  @Test
  void whoDoesNotFollowIsInfinitelyFarBehind() {
    says("a", "LEADING", 0, "");
    says("b", "REBUILDING", 0, "");
    assertEquals(Long.MAX_VALUE, later());
    says("b", "FOLLOWING", 0, "it has what its group has not");
    assertEquals(Long.MAX_VALUE, later());
    members.put("b", CompletableFuture.failedFuture(unavailable()));
    assertEquals(Long.MAX_VALUE, later());
    says("c", "FOLLOWING", 7, "");
    assertEquals(7, later(), "b serves nobody");
  }

  private static AlraiException unavailable() {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "no answer");
  }

  @Test
  void oneThatIsGoneSinceItWasNamedDoesNotEndTheAsking() {
    says("a", "LEADING", 0, "");
    says("b", "FOLLOWING", 3, "");
    gone.add("c");
    assertEquals(3, later());
    gone.clear();
    says("b", "FOLLOWING", 4, "");
    assertEquals(4, later());
  }

  @Test
  void whatWasHeardLongAgoSaysNothing() {
    says("a", "LEADING", 0, "");
    says("b", "FOLLOWING", 9_000, "");
    assertEquals(9_000, later());
    members.put("b", new CompletableFuture<>());
    nanos += TimeUnit.SECONDS.toNanos(4);
    assertEquals(OptionalLong.empty(), delays.millis());
  }

  @Test
  void nobodyWaitsAndNobodyIsAskedTooOften() {
    CompletableFuture<MemberStatus> silent = new CompletableFuture<>();
    says("a", "LEADING", 0, "");
    members.put("b", silent);
    assertEquals(OptionalLong.empty(), delays.millis());
    assertEquals(2, asked);
    assertEquals(-1, later(), "still at work");
    assertEquals(2, asked);
    says("b", "FOLLOWING", 5, "");
    silent.complete(members.get("b").join());
    assertEquals(OptionalLong.of(5), delays.millis());
    assertEquals(4, asked);
    delays.millis();
    assertEquals(4, asked);
  }

  @Test
  void aDnOfOneReplicaHasNone() {
    says("a", "LEADING", 0, "");
    assertEquals(-1, later());
  }

  @Test
  void aLearnerCountsWhileItFollows() {
    says("a", "LEADING", 0, "");
    learners.add("r");
    says("r", "FOLLOWING", 700, "");
    assertEquals(700, later());
    says("b", "FOLLOWING", 40, "");
    says("r", "REBUILDING", 0, "");
    assertEquals(40, later());
    says("r", "ERRANT", 9_000, "it has too much");
    assertEquals(40, later());
    members.put(
        "r",
        CompletableFuture.failedFuture(
            new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "no answer")));
    assertEquals(40, later());
  }
}
