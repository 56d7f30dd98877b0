package io.alrai.dn.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.raft.GroupMember.Keeps;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.ratis.protocol.RaftClientReply;
import org.junit.jupiter.api.Test;

/** The group is a, which leads, b and l; b is dropped, and it depends on l whether that can be. */
class DroppingTest {
  private final Map<String, Duration> silences = new HashMap<>();
  private final List<Due> due = new ArrayList<>();
  private final CompletableFuture<RaftClientReply> sent = new CompletableFuture<>();
  private boolean changed;
  private Duration passed = Duration.ZERO;

  /** What is done at a time. */
  private record Due(Duration at, Runnable what) {}

  @Test
  void whereAllAnswerNothingIsWaitedFor() {
    CompletableFuture<Void> dropping = begin();
    silences.put("l", Duration.ZERO);
    passTo(Duration.ofMillis(20));
    assertTrue(changed);
    assertFalse(dropping.isDone(), "done before the group has agreed");
  }

  @Test
  void whoAnsweredBeforeItWasAskedForDoesNotCount() {
    silences.put("l", Duration.ofMillis(1));
    begin();
    passTo(Duration.ofMillis(980));
    assertFalse(changed);
  }

  @Test
  void aSlowMajorityIsWaitedForAfterASecond() {
    silences.put("l", Duration.ofMillis(500));
    CompletableFuture<Void> dropping = begin();
    passTo(Duration.ofMillis(2500));
    assertFalse(changed || dropping.isDone());
    silences.put("l", Duration.ofMillis(40));
    passTo(Duration.ofMillis(2520));
    assertTrue(changed);
  }

  @Test
  void aMajorityThatDoesNotAnswerIsARefusalAfterThreeSeconds() {
    silences.put("l", Duration.ofMillis(500));
    CompletableFuture<Void> dropping = begin();
    passTo(Duration.ofMillis(2980));
    assertFalse(dropping.isDone());
    passTo(Duration.ofMillis(3000));
    ExecutionException refused = assertThrows(ExecutionException.class, dropping::get);
    assertTrue(refused.getCause() instanceof AlraiException, refused.toString());
    assertEquals(
        "b cannot be dropped: of those that would be left, [a, l], only [a] answer, which is no"
            + " majority; start the others, or add a member, first",
        ((AlraiException) refused.getCause()).sentence());
    assertFalse(changed);
  }

  private CompletableFuture<Void> begin() {
    List<GroupMember> group =
        List.of(member("a", Keeps.ROWS), member("b", Keeps.ROWS), member("l", Keeps.LOG));
    GroupConfig config =
        new GroupConfig(
            "g",
            group.getFirst(),
            group,
            Path.of("unused"),
            Optional.empty(),
            Duration.ofMillis(1),
            Duration.ofMillis(2),
            LogBounds.standard());
    KnownGroup known = new KnownGroup(group.stream().map(Membership::peer).toList(), 1);
    Membership membership =
        new Membership(
            config,
            () -> Optional.of(known),
            () -> silences,
            change -> {
              changed = true;
              return sent;
            });
    return new Dropping(membership, "b", (time, what) -> due.add(new Due(passed.plus(time), what)))
        .begin();
  }

  private static GroupMember member(String name, Keeps keeps) {
    return new GroupMember(name, "127.0.0.1:" + (1 + name.charAt(0)), keeps);
  }

  /** Whoever is silent stays so. */
  private void passTo(Duration until) {
    while (passed.compareTo(until) < 0) {
      passed = passed.plusMillis(20);
      silences.replaceAll((name, silent) -> silent.isZero() ? silent : silent.plusMillis(20));
      List<Due> now = due.stream().filter(each -> each.at().compareTo(passed) <= 0).toList();
      due.removeAll(now);
      now.forEach(each -> each.what().run());
    }
  }
}
