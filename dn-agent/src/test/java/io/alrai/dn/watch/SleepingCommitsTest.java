package io.alrai.dn.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SleepingCommitsTest {
  private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(250);

  private final FakeDisk disk = new FakeDisk();
  private long now = 5;
  private int committed;
  private final DiskRoom room = new DiskRoom("a", disk, List.of(Path.of("/x")), () -> now);
  private final SleepingCommits watch = new SleepingCommits(room, () -> committed);

  private Optional<String> look(boolean leads) {
    now += LOOK;
    room.look();
    return watch.look(leads, now);
  }

  private void full(boolean leads) {
    disk.hasLeft(1);
    assertEquals(Optional.empty(), look(leads));
    disk.hasLeft(1L << 40);
  }

  private int looksUntilKilled(boolean leads) {
    for (int i = 1; i < 400; i++) {
      if (look(leads).isPresent()) {
        return i;
      }
    }
    return -1;
  }

  @Test
  void aLeaderThatCommitsNothingFiveSecondsAfterItsDiskWasFullIsKilledOnce() {
    assertEquals(Optional.empty(), look(true));
    full(true);
    assertEquals(21, looksUntilKilled(true));
    assertEquals(-1, looksUntilKilled(true));
    full(true);
    assertTrue(looksUntilKilled(true) > 0, "full again");
  }

  @Test
  void oneThatCommitsGoesOn() {
    look(true);
    full(true);
    look(true);
    committed++;
    assertEquals(-1, looksUntilKilled(true));
  }

  @Test
  void oneWithoutAFullDiskMayBeIdle() {
    assertEquals(-1, looksUntilKilled(true));
    disk.hasLeft(32 << 20);
    look(true);
    disk.hasLeft(1L << 40);
    assertEquals(-1, looksUntilKilled(true), "there was some");
  }

  @Test
  void whoBeganToLeadAfterwardsIsAnotherLife() {
    look(false);
    full(false);
    assertEquals(Optional.empty(), look(false));
    assertEquals(-1, looksUntilKilled(true));
  }
}
