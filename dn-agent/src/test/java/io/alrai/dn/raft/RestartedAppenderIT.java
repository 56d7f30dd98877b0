package io.alrai.dn.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.backend.Eventually;
import io.alrai.dn.link.GroupLimit;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppender;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of logs where something in Ratis fails and begins anew, or does not. */
class RestartedAppenderIT {
  private static final String PADDING = "x".repeat(50_000);

  @TempDir private Path directory;

  private static void append(LogGroup group, String leader, int from, int to) throws Exception {
    for (String entry : entries(from, to)) {
      group.append(leader, entry.getBytes(StandardCharsets.UTF_8)).get(30, TimeUnit.SECONDS);
    }
  }

  private static List<String> entries(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> i + PADDING).toList();
  }

  private static void awaitAll(LogGroup group, String name, int count) throws Exception {
    Eventually.await(
        count + " entries of " + name, () -> group.heard(name).committed.size() == count);
    assertEquals(entries(0, count), group.heard(name).committed);
    assertEquals(List.of(), group.heard(name).skipped);
    assertEquals(List.of(), group.heard(name).failures);
  }

  private static RaftServer.Division division(LogGroup group, String name) throws Exception {
    return group.log(name).server().getDivision(group.config(name).id());
  }

  /** As Ratis does where one of them has failed, which is a race. */
  private static void restartAppenders(RaftServer.Division leader) throws Exception {
    Object state = got(got(leader, "getRole"), "getLeaderStateNonNull");
    List<LogAppender> appenders =
        ((Stream<?>) got(state, "getLogAppenders")).map(LogAppender.class::cast).toList();
    assertEquals(2, appenders.size());
    appenders.forEach(((LeaderState) state)::restart);
  }

  private static Object got(Object from, String getter) throws ReflectiveOperationException {
    Method method = from.getClass().getDeclaredMethod(getter);
    method.setAccessible(true);
    return method.invoke(from);
  }

  @Test
  void aMemberThatHasAllSkipsNothingWhenItsLeaderBeginsAnew() throws Exception {
    LogBounds small = new LogBounds(1 << 20, 10, GroupLimit.LOG_RETENTION.usual());
    try (LogGroup group = new LogGroup(directory, small).start("a", "b", "l")) {
      String leader = group.leader();
      append(group, leader, 0, 70);
      for (String name : List.of("a", "b", "l")) {
        awaitAll(group, name, 70);
      }
      division(group, leader).getRaftLog().purge(45);
      Eventually.await("a shorter log", () -> group.log(leader).firstKept() > 0);
      restartAppenders(division(group, leader));
      append(group, leader, 70, 90);
      String follower = leader.equals("a") ? "b" : "a";
      awaitAll(group, follower, 90);
      awaitAll(group, "l", 90);
      group.stop(follower);
      group.start(follower);
      awaitAll(group, follower, 90);
    }
  }

  @Test
  void aLogThatHasClosedItselfIsReported() throws Exception {
    try (LogGroup group = new LogGroup(directory).start("a", "b", "l")) {
      String leader = group.leader();
      group.log("l").server().getDivision(group.config("l").id()).close();
      Eventually.await("the failure", () -> !group.heard("l").failures.isEmpty());
      TimeUnit.MILLISECONDS.sleep(1_500);
      assertEquals(1, group.heard("l").failures.size());
      String said = String.valueOf(group.heard("l").failures.getFirst().getMessage());
      assertTrue(said.contains("the log of l has closed itself"), said);
      group.stop("l");
      group.start("l");
      append(group, leader, 0, 10);
      awaitAll(group, "l", 10);
    }
  }
}
