package io.alrai.dn.clock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PersistentClockTest {
  private static final long START = 1_700_000_000_000L;

  @TempDir Path dir;

  private final AtomicLong wall = new AtomicLong(START);

  private PersistentClock open(Path path) throws IOException {
    return PersistentClock.open(path, new HybridLogicalClock(wall::get, 500), wall::get);
  }

  @Test
  void startsAboveEverythingItGaveBeforeACrash() throws IOException {
    Path file = dir.resolve("clock");
    HlcTimestamp last = HlcTimestamp.ZERO;
    try (PersistentClock crashed = open(file)) {
      for (int i = 0; i < 50; i++) {
        wall.addAndGet(97);
        last = crashed.advance();
      }
      // a crash leaves the file as it is now
      Files.copy(file, dir.resolve("left"));
    }
    wall.addAndGet(700);
    try (PersistentClock restarted = open(dir.resolve("left"))) {
      assertTrue(restarted.now().compareTo(last) > 0);
    }
  }

  @Test
  void theMarkOnDiskIsAlwaysAboveWhatWasGiven() throws IOException {
    Path file = dir.resolve("clock");
    try (PersistentClock clock = open(file)) {
      for (int i = 0; i < 40; i++) {
        wall.addAndGet(400);
        HlcTimestamp given = i % 2 == 0 ? clock.advance() : clock.now();
        try (HighWaterFile disk = HighWaterFile.open(file)) {
          assertTrue(disk.read().compareTo(given) > 0, "step " + i);
        }
      }
    }
  }

  @Test
  void anOrderlyStopLeavesNoReservationBehind() throws IOException {
    Path file = dir.resolve("clock");
    PersistentClock stopped = open(file);
    HlcTimestamp last = stopped.advance();
    stopped.close();
    try (PersistentClock restarted = open(file)) {
      assertTrue(restarted.now().compareTo(last) > 0);
      assertEquals(START, restarted.now().millis());
    }
  }

  @Test
  void givesNothingAfterItsEnd() throws IOException {
    PersistentClock clock = open(dir.resolve("clock"));
    clock.close();
    assertThrows(RuntimeException.class, clock::advance);
  }

  @Test
  void followsARemoteClockWithinTheBoundOnly() throws IOException {
    try (PersistentClock clock = open(dir.resolve("clock"))) {
      clock.update(HlcTimestamp.ofMillis(START + 400));
      assertEquals(START + 400, clock.now().millis());
      assertThrows(AlraiException.class, () -> clock.update(HlcTimestamp.ofMillis(START + 501)));
      assertEquals(START + 400, clock.now().millis());
    }
  }

  @Test
  void aTornWriteLeavesTheOtherSlot() throws IOException {
    Path file = dir.resolve("mark");
    try (HighWaterFile mark = HighWaterFile.open(file)) {
      assertEquals(HlcTimestamp.ZERO, mark.read());
      mark.write(new HlcTimestamp(10));
      mark.write(new HlcTimestamp(20));
    }
    try (FileChannel raw = FileChannel.open(file, StandardOpenOption.WRITE)) {
      raw.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
    }
    try (HighWaterFile mark = HighWaterFile.open(file)) {
      assertEquals(new HlcTimestamp(10), mark.read());
      mark.write(new HlcTimestamp(30));
      assertEquals(new HlcTimestamp(30), mark.read());
    }
  }

  @Test
  void aTornFirstWriteIsANewFile() throws IOException {
    Path file = dir.resolve("mark");
    Files.write(file, new byte[520]);
    try (HighWaterFile mark = HighWaterFile.open(file)) {
      assertEquals(HlcTimestamp.ZERO, mark.read());
    }
  }

  @Test
  void refusesAFileWithNothingValid() throws IOException {
    Path file = dir.resolve("mark");
    Files.write(file, "x".repeat(600).getBytes(UTF_8));
    try (HighWaterFile mark = HighWaterFile.open(file)) {
      assertThrows(IOException.class, mark::read);
    }
  }
}
