package io.alrai.dn.mysqld;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.mysqld.MysqldException.Reason;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PathLockTest {
  @TempDir Path temporary;

  @Test
  void oneHolderAtATime() {
    Path file = temporary.resolve("lock");
    Path sameFile = temporary.resolve("x/../lock");
    try (PathLock _ = PathLock.tryAcquire(file).orElseThrow()) {
      assertTrue(PathLock.tryAcquire(file).isEmpty());
      assertTrue(PathLock.tryAcquire(sameFile).isEmpty());
      assertTrue(isHeldForOtherProcesses(file), "the refused attempt must not have let go of it");
    }
    try (PathLock _ = PathLock.tryAcquire(file).orElseThrow()) {
      assertTrue(PathLock.tryAcquire(file).isEmpty());
    }
  }

  /** Asks /proc/locks, the kernel's own view. */
  private static boolean isHeldForOtherProcesses(Path file) {
    try {
      String inode = java.nio.file.Files.getAttribute(file, "unix:ino").toString();
      return java.nio.file.Files.readString(Path.of("/proc/locks")).contains(":" + inode + " ");
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whoWaitsGetsItNext() throws InterruptedException {
    Path file = temporary.resolve("lock");
    CountDownLatch waits = new CountDownLatch(1);
    AtomicInteger order = new AtomicInteger();
    Thread second;
    try (PathLock _ = PathLock.tryAcquire(file).orElseThrow()) {
      second =
          Thread.ofVirtual()
              .start(() -> {
                try (PathLock _ = PathLock.acquire(file, waits::countDown)) {
                  order.compareAndSet(1, 2);
                }
              });
      waits.await();
      order.set(1);
    }
    second.join();
    assertEquals(2, order.get());
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsSaid() {
    MysqldException failure =
        assertThrows(
            MysqldException.class, () -> PathLock.tryAcquire(temporary.resolve("none/lock")));
    assertEquals(Reason.IO, failure.reason());
    assertTrue(failure.sentence().contains("none/lock"), failure.sentence());
  }
}
