package io.alrai.dn.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.link.GroupLimit;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

class GroupLogIT {
  private static final long BOUND_SECONDS = 30;
  private static final long AWAY_SECONDS = 27;

  /** Shorter than a member waits for its leader, and longer than a busy machine needs. */
  private static final long MOST_MILLIS = 2_500;

  @TempDir private Path directory;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static long appended(LogGroup group, String name, String text) throws Exception {
    return group.append(name, bytes(text)).get(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  /** What can be read of a log by now. */
  private static List<String> read(GroupLog log) throws Exception {
    List<String> texts = new ArrayList<>();
    LogCursor cursor = log.cursor(log.firstKept());
    LogEntry next;
    while ((next = cursor.poll(0)) != null) {
      texts.add(StandardCharsets.UTF_8.decode(next.content()).toString());
    }
    return texts;
  }

  private static String other(String leader) {
    return leader.equals("a") ? "b" : "a";
  }

  @Test
  void entriesReachEveryMemberInTheirOrder() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      String leader = group.leader();
      List<CompletableFuture<Long>> under = new ArrayList<>();
      List<String> texts = IntStream.range(0, 500).mapToObj(i -> "entry " + i).toList();
      texts.forEach(text -> under.add(group.append(leader, bytes(text))));
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
      appended(group, leader, "by two");
      group.stop(other(leader));
      CompletableFuture<Long> alone = group.append(leader, bytes("by one"));
      ExecutionException uncertain =
          assertThrows(ExecutionException.class, () -> alone.get(BOUND_SECONDS, TimeUnit.SECONDS));
      assertTrue(uncertain.getMessage().contains("does not lead"), uncertain::getMessage);
      assertFalse(group.heard(leader).committed.contains("by one"));
      group.start("l");
      appended(group, group.leader(), "by two again");
      Eventually.await(
          "the same log", () -> group.heard("l").committed.equals(group.heard(leader).committed));
      assertTrue(group.heard("l").committed.containsAll(List.of("by two", "by two again")));
    }
  }

  /** Ratis waits longest only after 30 attempts, so this takes half a minute. */
  @EnabledIfSystemProperty(named = "group.away", matches = ".*")
  @Test
  void whoWasAwayForLongHearsFromTheLeaderAtOnce() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "l")) {
      String leader = group.leader();
      assertEquals("a", leader);
      appended(group, leader, "without b");
      long start = System.nanoTime();
      // after thirty attempts Ratis would wait longest, by itself
      Eventually.await(
          "many attempts to reach b",
          () -> System.nanoTime() - start > TimeUnit.SECONDS.toNanos(AWAY_SECONDS));
      group.start("b");
      long back = System.nanoTime();
      Eventually.await("the entry at b", () -> group.heard("b").committed.size() == 1);
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - back);
      assertTrue(millis < MOST_MILLIS, millis + " ms");
      appended(group, leader, "with b");
      Eventually.await("both entries at b", () -> group.heard("b").committed.size() == 2);
      assertEquals(1, group.heard(leader).terms.size());
    }
  }

  /** Nobody waits for an election's timeout. */
  @Test
  void whoSeesThatItsLeadersProcessIsGoneWantsToLead() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      String leader = group.leader();
      String other = leader.equals("a") ? "b" : "a";
      group.restartPatiently("l");
      group.restartPatiently(other);
      group.append(leader, "all".getBytes(StandardCharsets.UTF_8)).get();
      Eventually.await("both have it", () -> hasAll(group, "l") && hasAll(group, other));
      group.stop(leader);
      assertEquals(other, group.leader());
      group.append(other, "on".getBytes(StandardCharsets.UTF_8)).get();
    }
  }

  private static boolean hasAll(LogGroup group, String member) {
    return group.heard(member).committed.contains("all");
  }

  @Test
  void whoHasOnlyTheLogHandsOver() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      for (int round = 0; round < 5; round++) {
        String before = group.leader();
        // to the one without rows, as an election may
        group.log(before).handOver("l").exceptionally(late -> null).join();
        String next = group.leader();
        appended(group, next, "round " + round);
      }
      assertEquals(List.of(), group.heard("l").terms);
    }
  }

  @Test
  void aNewLeaderHasAllThatWasCommitted() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      String first = group.leader();
      appended(group, first, "one");
      group.stop(first);
      String second = group.leader();
      assertEquals(other(first), second);
      assertEquals(List.of("one"), group.heard(second).committed);
      appended(group, second, "two");
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
              ExecutionException.class,
              () ->
                  group
                      .log(other(leader))
                      .append(group.heard(leader).terms.getLast(), bytes("not mine"))
                      .get(BOUND_SECONDS, TimeUnit.SECONDS));
      assertTrue(refused.getMessage().contains("does not lead"), refused::getMessage);
      assertFalse(group.heard(leader).committed.contains("not mine"));
    }
  }

  @Test
  void allOfItCanBeStoppedAndStarted() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      appended(group, group.leader(), "kept");
      for (String name : List.of("a", "b", "l")) {
        group.stop(name);
      }
      group.start("a", "b", "l");
      String leader = group.leader();
      assertEquals(List.of("kept"), group.heard(leader).committed);
      assertThrows(
          IllegalArgumentException.class,
          () -> group.append(leader, new byte[GroupSettings.ENTRY_MAX + 1]));
      byte[] largest = new byte[GroupSettings.ENTRY_MAX];
      group.append(leader, largest).get(BOUND_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Test
  void whatIsReleasedDoesNotComeAgainAndGoes() throws Exception {
    LogBounds small = new LogBounds(1 << 20, 10, GroupLimit.LOG_RETENTION.usual());
    try (LogGroup group = new LogGroup(directory, small).start("a", "b", "l")) {
      String leader = group.leader();
      String padding = "x".repeat(50_000);
      long released = 0;
      for (int i = 0; i < 60; i++) {
        long index = appended(group, leader, i + padding);
        released = i == 39 ? index : released;
      }
      for (String name : List.of("a", "b")) {
        group.log(name).release(released);
      }
      // a look is taken when something more is committed
      for (int i = 60; i < 75; i++) {
        appended(group, leader, i + padding);
      }
      for (String name : List.of("a", "b", "l")) {
        Eventually.await("an end of the first file of " + name, () -> !group.hasFirstFile(name));
      }
      String follower = other(leader);
      group.stop(follower);
      group.start(follower);
      Eventually.await("the rest", () -> group.heard(follower).committed.size() >= 35);
      assertEquals(40 + padding, group.heard(follower).committed.getFirst());
      LogCursor late = group.log(leader).cursor(1);
      AlraiException gone = assertThrows(AlraiException.class, () -> late.poll(0));
      assertTrue(gone.getMessage().contains("does not keep entry 1 "), gone::getMessage);
    }
  }

  @Test
  void aMemberThatIsAwayForTooLongDoesNotHoldTheLog() throws Exception {
    LogBounds small = new LogBounds(1 << 20, 10, 6 << 20);
    try (LogGroup group = new LogGroup(directory, small).start("a", "b", "l")) {
      String leader = group.leader();
      String away = other(leader);
      appended(group, leader, "with both");
      Eventually.await("one entry", () -> group.heard(away).committed.size() == 1);
      group.stop(away);
      String padding = "x".repeat(100_000);
      long last = 0;
      for (int i = 0; i < 200; i++) {
        last = appended(group, leader, i + padding);
        group.log(leader).release(last - 5);
      }
      for (String name : List.of(leader, "l")) {
        Eventually.await(
            "a short log of " + name,
            () -> group.log(name).gauges().bytesOnDisk() <= small.retainedBytes());
        assertFalse(group.hasFirstFile(name));
      }
      group.start(away);
      GroupLog back = group.log(away);
      long wanted = last;
      Eventually.await("the last entry", () -> back.lastCommitted() >= wanted);
      assertEquals(1, group.heard(away).skipped.size());
      long skipped = group.heard(away).skipped.getFirst();
      assertTrue(back.firstKept() == skipped + 1 && skipped > 100, () -> skipped + " were skipped");
      List<String> kept = read(back);
      assertEquals(199 + padding, kept.getLast());
      assertEquals(kept, read(group.log(leader)).reversed().subList(0, kept.size()).reversed());
      // it votes, leads and is started again as any other
      group.log(leader).handOver(away).join();
      assertEquals(away, group.leader());
      long next = appended(group, away, "by the one that was away");
      group.stop(away);
      group.start(away);
      Eventually.await("all of it again", () -> group.log(away).lastCommitted() >= next);
      assertEquals(List.of(), group.heard(away).skipped);
    }
  }

  @Test
  void whatIsWrittenInATermThatIsOverIsVoid() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      String leader = group.leader();
      long before = group.heard(leader).terms.getLast();
      appended(group, leader, "before");
      group.log(leader).handOver(other(leader)).join();
      appended(group, group.leader(), "between");
      group.log(other(leader)).handOver(leader).join();
      Eventually.await("it leads again", () -> group.leader().equals(leader));
      GroupLog log = group.log(leader);
      ExecutionException uncertain =
          assertThrows(
              ExecutionException.class,
              () -> log.append(before, bytes("late")).get(BOUND_SECONDS, TimeUnit.SECONDS));
      assertTrue(uncertain.getMessage().contains("is void"), uncertain::getMessage);
      appended(group, leader, "after");
      List<String> all = List.of("before", "between", "after");
      for (String name : List.of("a", "b", "l")) {
        Eventually.await("all at " + name, () -> group.heard(name).committed.equals(all));
        assertEquals(all, read(group.log(name)));
      }
    }
  }

  @Test
  void entriesAreReadFromDiskAfterAStart() throws Exception {
    LogBounds small = new LogBounds(1 << 20, 1_000_000, GroupLimit.LOG_RETENTION.usual());
    try (LogGroup group = new LogGroup(directory, small).start("a", "b", "l")) {
      String leader = group.leader();
      String padding = "x".repeat(100_000);
      List<String> texts = IntStream.range(0, 60).mapToObj(i -> i + padding).toList();
      for (String text : texts) {
        appended(group, leader, text);
      }
      String follower = other(leader);
      group.stop(follower);
      group.start(follower);
      Eventually.await("all", () -> group.heard(follower).committed.size() == texts.size());
      // twice: what was read first may have left memory
      assertEquals(texts, read(group.log(follower)));
      assertEquals(texts, read(group.log(follower)));
      assertEquals(texts, read(group.log(leader)));
    }
  }

  @Test
  void whoReadsWhileOthersWriteMissesNothing() throws Exception {
    LogBounds small = new LogBounds(1 << 20, 1_000_000, GroupLimit.LOG_RETENTION.usual());
    try (LogGroup group = new LogGroup(directory, small).start("a", "b", "l")) {
      String leader = group.leader();
      List<String> texts = IntStream.range(0, 2_000).mapToObj(i -> i + "y".repeat(5_000)).toList();
      CompletableFuture<List<String>> reading =
          CompletableFuture.supplyAsync(
              () -> readOn(group.log(other(leader)), texts.size()), Thread::startVirtualThread);
      List<CompletableFuture<Long>> under = new ArrayList<>();
      texts.forEach(text -> under.add(group.append(leader, bytes(text))));
      for (CompletableFuture<Long> each : under) {
        each.get(BOUND_SECONDS, TimeUnit.SECONDS);
      }
      assertEquals(texts, reading.get(BOUND_SECONDS, TimeUnit.SECONDS));
    }
  }

  private static List<String> readOn(GroupLog log, int count) {
    List<String> texts = new ArrayList<>();
    LogCursor cursor = log.cursor(0);
    try {
      while (texts.size() < count) {
        LogEntry next = cursor.poll(TimeUnit.SECONDS.toMillis(BOUND_SECONDS));
        if (next == null) {
          throw new AssertionError("only " + texts.size() + " entries came");
        }
        texts.add(StandardCharsets.UTF_8.decode(next.content()).toString());
      }
      return texts;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whoWaitsHearsOfTheEnd() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      GroupLog log = group.log(other(group.leader()));
      LogCursor cursor = log.cursor(log.lastCommitted() + 1);
      assertNull(cursor.poll(0));
      CompletableFuture<LogEntry> waiting = new CompletableFuture<>();
      Thread.ofVirtual()
          .start(() -> {
            try {
              waiting.complete(cursor.poll(TimeUnit.SECONDS.toMillis(BOUND_SECONDS)));
            } catch (AlraiException | InterruptedException closed) {
              waiting.completeExceptionally(closed);
            }
          });
      log.close();
      ExecutionException closed =
          assertThrows(
              ExecutionException.class, () -> waiting.get(BOUND_SECONDS, TimeUnit.SECONDS));
      assertTrue(closed.getMessage().contains("is closed"), closed::getMessage);
    }
  }
}
