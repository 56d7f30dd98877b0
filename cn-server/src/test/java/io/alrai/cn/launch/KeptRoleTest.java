package io.alrai.cn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.RunDirectory;
import io.alrai.common.error.AlraiException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class KeptRoleTest {
  @TempDir Path directory;
  private final BlockingQueue<Detached> launched = new LinkedBlockingQueue<>();

  /** Which starts kept the log of the one before. */
  private final List<Boolean> kept = new CopyOnWriteArrayList<>();

  /** A role whose process runs the first script at first, then the second and so on. */
  private KeptRole role(String... scripts) {
    Path log = directory.resolve("role.log");
    AtomicInteger launches = new AtomicInteger();
    return new KeptRole(
        "role",
        keepsLog -> {
          kept.add(keepsLog);
          String script = scripts[Math.min(launches.getAndIncrement(), scripts.length - 1)];
          try {
            Detached process =
                new Detached(
                    new ProcessBuilder("sh", "-c", script).redirectError(log.toFile()).start(),
                    log);
            launched.add(process);
            return process;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private Detached next() throws InterruptedException {
    Detached process = launched.poll(30, TimeUnit.SECONDS);
    assertTrue(process != null, "it was not started");
    return process;
  }

  @Test
  void isStartedAgainWheneverItIsKilledAndNotWhenItIsClosed() throws Exception {
    KeptRole role = role("echo ready now; exec sleep 1000");
    role.start();
    Detached first = next();
    assertEquals("ready now", first.awaitReady());
    first.process().destroyForcibly();
    Detached second = next();
    second.awaitReady();
    second.process().destroyForcibly();
    Detached third = next();
    third.awaitReady();
    role.close();
    assertFalse(RunDirectory.runs(third.process()));
    assertTrue(launched.isEmpty());
  }

  @Test
  void saysWhyItDoesNotStart() throws Exception {
    KeptRole role = role("echo noise >&2; echo 'alrai: the moon is full' >&2; exit 1");
    AlraiException error = assertThrows(AlraiException.class, role::start);
    assertEquals("it did not start: the moon is full", error.sentence());
    next();
    role.close();
    assertTrue(launched.isEmpty());
  }

  @Test
  void goesOnTryingAfterAStartThatFails() throws Exception {
    KeptRole role = role("echo ready now", "exit 1", "exit 1", "echo ready again; exec sleep 1000");
    role.start();
    for (int i = 0; i < 3; i++) {
      next();
    }
    next().awaitReady();
    role.close();
  }

  @Test
  void startsThatFailOneAfterTheOtherDoNotPushOutTheLogsBeforeThem() throws Exception {
    KeptRole role =
        role("echo ready now", "exit 1", "exit 2", "exit 3", "echo ready now", "exec sleep 1000");
    role.start();
    for (int i = 0; i < 6; i++) {
      next();
    }
    role.close();
    assertEquals(List.of(true, true, true, false, false, true), kept);
  }

  @Test
  void isTriedAgainWhenItDoesNotStartAtFirst() throws Exception {
    KeptRole role = role("echo 'alrai: too early' >&2; exit 1", "echo ready now; exec sleep 1000");
    assertEquals("it did not start: too early", role.startOrRetry().orElseThrow().sentence());
    next();
    assertEquals("ready now", next().awaitReady());
    role.close();
  }

  @Test
  void ofThreeRolesOneMayBeLate() throws Exception {
    KeptRole late = role("exit 1", "echo ready late; exec sleep 1000");
    KeptRole good = role("echo ready now; exec sleep 1000");
    KeptRole other = role("echo ready now; exec sleep 1000");
    try (RoleGroup group = new RoleGroup(List.of(late, good, other))) {
      group.startMajority();
      Set<String> ends = new HashSet<>();
      for (int i = 0; i < 4; i++) {
        ends.add(end(next()));
      }
      assertEquals(Set.of("it did not start", "ready now", "ready late"), ends);
    }
    assertTrue(launched.isEmpty());
  }

  @Test
  void whoWaitsForAnotherOneIsStartedWithIt() throws Exception {
    Path there = directory.resolve("there");
    KeptRole waits =
        role(
            "while [ ! -e '" + there + "' ]; do sleep 0.05; done; echo ready now; exec sleep 1000");
    KeptRole comes = role("touch '" + there + "'; echo ready now; exec sleep 1000");
    try (RoleGroup group = new RoleGroup(List.of(waits, comes))) {
      group.startTogether(2);
    }
    try (RoleGroup group = new RoleGroup(List.of(role("exit 1")))) {
      assertFalse(group.startAtLeast(0));
    }
    try (RoleGroup group = new RoleGroup(List.of(role("exit 1")))) {
      assertThrows(AlraiException.class, () -> group.startTogether(1));
    }
  }

  private static String end(Detached start) throws InterruptedException {
    try {
      return start.awaitReady();
    } catch (AlraiException e) {
      return e.sentence().replaceFirst(":.*", "");
    }
  }

  @Test
  void ofThreeRolesTwoMayNotBeLate() throws Exception {
    String why = "echo 'alrai: no' >&2; exit 1";
    try (RoleGroup group =
        new RoleGroup(List.of(role("echo ready now; exec sleep 1000"), role(why), role(why)))) {
      AlraiException error = assertThrows(AlraiException.class, group::startMajority);
      assertEquals("it did not start: no", error.sentence());
    }
    try (RoleGroup alone = new RoleGroup(List.of(role(why)))) {
      assertThrows(AlraiException.class, alone::startMajority);
    }
  }

  /** A member that has lost its log is refused, and its DN works without it. */
  @Test
  void ofTwoRolesOneIsEnough() throws Exception {
    String why = "echo 'alrai: its log is lost' >&2; exit 1";
    try (RoleGroup group =
        new RoleGroup(List.of(role(why), role("echo ready now; exec sleep 1000")))) {
      group.startAtLeast(1);
    }
    try (RoleGroup nobody = new RoleGroup(List.of(role(why), role(why)))) {
      AlraiException error = assertThrows(AlraiException.class, () -> nobody.startAtLeast(1));
      assertEquals("it did not start: its log is lost", error.sentence());
    }
  }
}
