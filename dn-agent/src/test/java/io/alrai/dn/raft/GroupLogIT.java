package io.alrai.dn.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.backend.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GroupLogIT {
  private static final long BOUND_SECONDS = 30;

  @TempDir private Path directory;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static long appended(GroupLog log, String text) throws Exception {
    return log.append(bytes(text)).get(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  private static String other(String leader) {
    return leader.equals("a") ? "b" : "a";
  }

  @Test
  void entriesReachEveryMemberInTheirOrder() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      GroupLog log = group.log(group.leader());
      List<CompletableFuture<Long>> under = new ArrayList<>();
      List<String> texts = IntStream.range(0, 500).mapToObj(i -> "entry " + i).toList();
      texts.forEach(text -> under.add(log.append(bytes(text))));
      long last = 0;
      for (CompletableFuture<Long> each : under) {
        long index = each.get(BOUND_SECONDS, TimeUnit.SECONDS);
        assertTrue(index > last, index + " after " + last);
        last = index;
      }
      for (String name : List.of("a", "b", "l")) {
        Eventually.await("entries at " + name, () -> group.heard(name).committed.size() == 500);
        assertEquals(texts, group.heard(name).committed);
      }
    }
  }

  @Test
  void oneMemberOfThreeMayBeDownAndTwoMayNot() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      String leader = group.leader();
      group.stop("l");
      appended(group.log(leader), "by two");
      group.stop(other(leader));
      CompletableFuture<Long> alone = group.log(leader).append(bytes("by one"));
      ExecutionException uncertain =
          assertThrows(ExecutionException.class, () -> alone.get(BOUND_SECONDS, TimeUnit.SECONDS));
      assertTrue(uncertain.getMessage().contains("does not lead"), uncertain::getMessage);
      assertFalse(group.heard(leader).committed.contains("by one"));
      group.start("l");
      appended(group.log(group.leader()), "by two again");
      Eventually.await(
          "the same log", () -> group.heard("l").committed.equals(group.heard(leader).committed));
      assertTrue(group.heard("l").committed.containsAll(List.of("by two", "by two again")));
    }
  }

  @Test
  void whoHasOnlyTheLogHandsOver() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      for (int round = 0; round < 5; round++) {
        String before = group.leader();
        // to the one without rows, as an election may
        group.log(before).handOver("l").exceptionally(late -> null).join();
        String next = group.leader();
        appended(group.log(next), "round " + round);
      }
      assertEquals(List.of(), group.heard("l").terms);
    }
  }

  @Test
  void aNewLeaderHasAllThatWasCommitted() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      String first = group.leader();
      appended(group.log(first), "one");
      group.stop(first);
      String second = group.leader();
      assertEquals(other(first), second);
      assertEquals(List.of("one"), group.heard(second).committed);
      appended(group.log(second), "two");
      group.start(first);
      Eventually.await(
          "both entries", () -> group.heard(first).committed.equals(List.of("one", "two")));
      assertTrue(group.heard(second).terms.getLast() > 1);
    }
  }

  @Test
  void whoDoesNotLeadCannotAppend() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      String leader = group.leader();
      ExecutionException refused =
          assertThrows(
              ExecutionException.class, () -> appended(group.log(other(leader)), "not mine"));
      assertTrue(refused.getMessage().contains("does not lead"), refused::getMessage);
      assertFalse(group.heard(leader).committed.contains("not mine"));
    }
  }

  @Test
  void allOfItCanBeStoppedAndStarted() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      appended(group.log(group.leader()), "kept");
      for (String name : List.of("a", "b", "l")) {
        group.stop(name);
      }
      group.start("a", "b", "l");
      String leader = group.leader();
      assertEquals(List.of("kept"), group.heard(leader).committed);
      assertThrows(
          IllegalArgumentException.class,
          () -> group.log(leader).append(new byte[GroupSettings.ENTRY_MAX + 1]));
      byte[] largest = new byte[GroupSettings.ENTRY_MAX];
      group.log(leader).append(largest).get(BOUND_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Test
  void whatIsReleasedDoesNotComeAgainAndGoes() throws Exception {
    LogBounds small = new LogBounds(1 << 20, 10);
    try (LogGroup group = new LogGroup(directory, small).start("a", "b", "l")) {
      String leader = group.leader();
      String padding = "x".repeat(50_000);
      long released = 0;
      for (int i = 0; i < 60; i++) {
        long index = appended(group.log(leader), i + padding);
        released = i == 39 ? index : released;
      }
      for (String name : List.of("a", "b")) {
        group.log(name).release(released);
      }
      // a look is taken when something more is committed
      for (int i = 60; i < 75; i++) {
        appended(group.log(leader), i + padding);
      }
      for (String name : List.of("a", "b", "l")) {
        Eventually.await("an end of the first file of " + name, () -> !group.hasFirstFile(name));
      }
      String follower = other(leader);
      group.stop(follower);
      group.start(follower);
      Eventually.await("the rest", () -> group.heard(follower).committed.size() >= 35);
      assertEquals(40 + padding, group.heard(follower).committed.getFirst());
    }
  }
}
