package io.alrai.dn.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StallWatchTest {
  private static final long EVERY = TimeUnit.MILLISECONDS.toNanos(250);

  private final FakeDisk disk = new FakeDisk();
  private final List<Runnable> waiting = new ArrayList<>();
  private boolean stands;
  private long written;
  private long synced;
  private long now = 5;
  private final StallWatch watch =
      new StallWatch(disk, Path.of("/x"), this::run, () -> written, () -> synced);

  private void run(Runnable sync) {
    if (stands) {
      waiting.add(sync);
    } else {
      sync.run();
    }
  }

  private void goOn() {
    stands = false;
    waiting.forEach(Runnable::run);
    waiting.clear();
  }

  private Optional<String> look() {
    now += EVERY;
    return watch.look(now, EVERY, StallWatch.MOST_NANOS);
  }

  private Optional<String> look(int times) {
    Optional<String> last = Optional.empty();
    for (int i = 0; i < times; i++) {
      last = look();
    }
    return last;
  }

  @Test
  void aLogThatIsNotSyncedForTwoSecondsStandsStill() {
    look();
    written = 7;
    assertEquals(Optional.empty(), look(8));
    assertTrue(look(2).orElse("").contains("its log is not synced since"));
    synced = 6;
    assertEquals(Optional.empty(), look(8));
    synced = 7;
    assertEquals(Optional.empty(), look(20));
  }

  @Test
  void aFileThatIsNotSyncedForTwoSecondsIsADiskThatStandsStill() {
    stands = true;
    assertEquals(Optional.empty(), look(9));
    assertTrue(look(2).orElse("").contains("does not sync a file in /x since"));
    goOn();
    assertEquals(Optional.empty(), look(20));
  }

  @Test
  void aDiskThatRefusesIsNoBetter() {
    disk.refuse("No space left on device");
    look();
    assertTrue(look().orElse("").endsWith("/x: No space left on device"));
  }

  @Test
  void whatTheProcessHasSleptIsNotTheDisks() {
    stands = true;
    look();
    written = 7;
    look();
    now += TimeUnit.SECONDS.toNanos(60);
    assertEquals(Optional.empty(), look());
    goOn();
    assertEquals(Optional.empty(), look());
  }
}
