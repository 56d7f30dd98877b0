package io.alrai.cn.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
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

  /** A role whose process runs the first script at first, then the second and so on. */
  private KeptRole role(String... scripts) {
    Path log = directory.resolve("role.log");
    AtomicInteger launches = new AtomicInteger();
    return new KeptRole(
        "role",
        () -> {
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
}
