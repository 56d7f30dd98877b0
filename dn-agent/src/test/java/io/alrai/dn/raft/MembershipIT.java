package io.alrai.dn.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.backend.Eventually;
import io.alrai.dn.link.GroupLimit;
import io.alrai.dn.raft.GroupMember.Keeps;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members come and go while their group serves. */
class MembershipIT {
  private static final long BOUND_SECONDS = 30;

  @TempDir private Path directory;

  private static void appended(LogGroup group, String text) throws Exception {
    group
        .append(group.leader(), text.getBytes(StandardCharsets.UTF_8))
        .get(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  private static void done(CompletableFuture<Void> change) throws Exception {
    change.get(BOUND_SECONDS, TimeUnit.SECONDS);
  }

  private static String refusal(CompletableFuture<Void> change) {
    ExecutionException refused =
        assertThrows(ExecutionException.class, () -> change.get(BOUND_SECONDS, TimeUnit.SECONDS));
    return ((AlraiException) refused.getCause()).sentence();
  }

  private static List<String> names(GroupLog log) {
    return log.members().stream().map(GroupMember::name).toList();
  }

  private static String other(String leader) {
    return leader.equals("a") ? "b" : "a";
  }

  @Test
  void aLoggerIsReplaced() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      appended(group, "before");
      group.stop("l");
      GroupLog leader = group.log(group.leader());
      GroupMember joiner = group.join("l2", Keeps.LOG);
      assertFalse(group.log("l2").isMember());
      done(leader.addMember(joiner));
      done(leader.addMember(joiner));
      Eventually.await("what was before", () -> group.heard("l2").committed.size() == 1);
      assertEquals(List.of("a", "b", "l", "l2"), names(leader));
      done(leader.dropMember("l"));
      done(leader.dropMember("l"));
      assertEquals(List.of("a", "b", "l2"), names(leader));
      group.stop(other(group.leader()));
      appended(group, "with the new one");
      Eventually.await("both", () -> group.heard("l2").committed.size() == 2);
      Eventually.await("it knows", () -> names(group.log("l2")).equals(List.of("a", "b", "l2")));
      assertEquals(Keeps.LOG, group.log("l2").members().getLast().keeps());
      assertTrue(group.log("l2").isMember());
      // the one that is gone comes back with its disk
      group.start("l");
      Eventually.await("it is told", () -> group.heard("l").dropped);
      group.stop("l");
      AlraiException refused = assertThrows(AlraiException.class, () -> group.start("l"));
      assertTrue(refused.sentence().contains("was dropped from the group"), refused::sentence);
      // the new one votes, after a start of its own, too
      group.stop("l2");
      group.start("l2");
      appended(group, "after a start");
      assertTrue(group.log("l2").isMember());
    }
  }

  private static String drop(LogGroup group, String member) throws Exception {
    done(group.log(group.leader()).dropMember(member));
    Eventually.await("it is told", () -> group.heard(member).dropped);
    return member;
  }

  @Test
  void whoIsDroppedWhileItRunsVotesNoMore() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      appended(group, "before");
      String first = group.leader();
      String dropped = drop(group, other(first));
      assertEquals(List.of(first, "l"), names(group.log(first)));
      appended(group, "by two");
      group.stop("l");
      CompletableFuture<Long> alone =
          group.append(first, "by one".getBytes(StandardCharsets.UTF_8));
      assertThrows(ExecutionException.class, () -> alone.get(BOUND_SECONDS, TimeUnit.SECONDS));
      assertFalse(group.heard(dropped).committed.contains("by one"));
    }
  }

  /** Its log may say so; Ratis waits then, and nobody speaks to it. */
  @Test
  void whoWasKilledBeforeItHeardThatItWasDroppedHearsItAfterItsNextStart() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      appended(group, "before");
      String dropped = drop(group, other(group.leader()));
      TimeUnit.SECONDS.sleep(7);
      assertEquals(List.of(), group.heard(dropped).failures);
      group.stop(dropped);
      Files.delete(group.config(dropped).directory().resolve("dropped"));
      group.start(dropped);
      Eventually.await("it is told again", () -> group.heard(dropped).dropped);
      group.stop(dropped);
      assertThrows(AlraiException.class, () -> group.start(dropped));
    }
  }

  @Test
  void whatCannotBeIsRefusedAndChangesNothing() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      String name = group.leader();
      GroupLog leader = group.log(name);
      List<GroupMember> before = leader.members();
      GroupMember logger = before.getLast();
      assertTrue(refusal(leader.dropMember(name)).contains("leads its group"));
      assertTrue(
          refusal(leader.addMember(new GroupMember("l", "127.0.0.1:1", Keeps.LOG)))
              .contains("the group has l at"));
      assertTrue(
          refusal(leader.addMember(new GroupMember("l3", logger.address(), Keeps.LOG)))
              .contains("the group has l at"));
      // nobody is there
      GroupMember silent = new GroupMember("l2", "127.0.0.1:1", Keeps.LOG);
      CompletableFuture<Void> adding = leader.addMember(silent);
      assertTrue(refusal(leader.dropMember("l")).contains("adding l2 is at work"));
      assertTrue(refusal(adding).contains("does not answer its leader"));
      assertTrue(refusal(group.log(other(name)).addMember(silent)).contains("does not lead"));
      group.stop(other(name));
      String majority = refusal(leader.dropMember("l"));
      assertTrue(majority.contains("is no majority"), majority);
      assertEquals(before, leader.members());
      appended(group, "still");
    }
  }

  @Test
  void whoJoinsMayDieAndComeBack() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      byte[] padding = new byte[1 << 20];
      for (int i = 0; i < 40; i++) {
        group.append(group.leader(), padding).get(BOUND_SECONDS, TimeUnit.SECONDS);
      }
      GroupLog leader = group.log(group.leader());
      GroupMember joiner = group.join("l2", Keeps.LOG);
      CompletableFuture<Void> adding = leader.addMember(joiner);
      Eventually.await("a part", () -> group.log("l2").firstKept() >= 0 || adding.isDone());
      group.stop("l2");
      adding.exceptionally(late -> null).get(BOUND_SECONDS, TimeUnit.SECONDS);
      group.start("l2");
      done(group.log(group.leader()).addMember(joiner));
      appended(group, "all");
      Eventually.await("all of it", () -> group.heard("l2").committed.contains("all"));
    }
  }

  @Test
  void aLeaderMayDieWhileSomebodyJoins() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      appended(group, "before");
      String first = group.leader();
      GroupMember joiner = group.join("l2", Keeps.LOG);
      CompletableFuture<Void> adding = group.log(first).addMember(joiner);
      group.stop(first);
      assertThrows(ExecutionException.class, () -> done(adding));
      GroupLog next = group.log(group.leader());
      done(next.addMember(joiner));
      assertEquals(List.of("a", "b", "l", "l2"), names(next));
      appended(group, "after");
      Eventually.await("both", () -> group.heard("l2").committed.size() == 2);
    }
  }

  @Test
  void aLoggerBeginsWhereTheLogBegins() throws Exception {
    LogBounds small = new LogBounds(1 << 20, 10, GroupLimit.LOG_RETENTION.usual());
    try (LogGroup group = new LogGroup(directory, small).start("a", "b", "l")) {
      String leader = group.leader();
      String padding = "x".repeat(50_000);
      for (int i = 0; i < 60; i++) {
        appended(group, i + padding);
      }
      for (String name : List.of("a", "b")) {
        group.log(name).release(group.log(name).lastCommitted() - 5);
      }
      for (int i = 60; i < 75; i++) {
        appended(group, i + padding);
      }
      Eventually.await("an end of the first file", () -> !group.hasFirstFile(leader));
      GroupMember joiner = group.join("l2", Keeps.LOG);
      done(group.log(leader).addMember(joiner));
      appended(group, "last");
      Eventually.await("the last", () -> group.heard("l2").committed.contains("last"));
      assertTrue(group.log("l2").firstKept() > 1);
      done(group.log(leader).dropMember("l"));
      group.stop("l2");
      group.start("l2");
      appended(group, "once more");
      Eventually.await("once more", () -> group.heard("l2").committed.contains("once more"));
    }
  }
}
