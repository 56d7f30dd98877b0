package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.watch.DiskRoom;
import io.alrai.dn.watch.FakeDisk;
import io.alrai.dn.watch.SleepingCommits;
import io.alrai.dn.watch.StallWatch;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class HealthWatchTest {
  private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(250);

  private final FakeDisk disk = new FakeDisk();
  private final Queue<Runnable> syncing = new ArrayDeque<>();
  private final LeaderChanges changes = new LeaderChanges("a", () -> {});
  private Role role = Role.FOLLOWING;
  private Optional<String> best = Optional.of("b");
  private Optional<String> leader = Optional.of("b");
  private long now = 5;

  private final DiskRoom room = new DiskRoom("a", disk, List.of(Path.of("/x")), () -> now);
  private int killed;

  @AutoClose
  private final HealthWatch watch =
      new HealthWatch(
          "a",
          () -> leader,
          () -> role,
          () -> List.of("b"),
          () -> best,
          changes,
          room,
          new StallWatch(disk, Path.of("/x"), syncing::add, () -> 0, () -> 0),
          new SleepingCommits(room, () -> 7),
          () -> killed++,
          () -> now);

  private void look(int times) {
    for (int i = 0; i < times; i++) {
      now += LOOK;
      watch.look(now);
    }
  }

  private void syncs() {
    syncing.forEach(Runnable::run);
    syncing.clear();
  }

  @Test
  void oneThatIsWellLeads() {
    look(1);
    syncs();
    look(1);
    assertFalse(watch.refusesLead());
  }

  @Test
  void aFullDiskRefusesOnceInAWhile() {
    disk.hasLeft(1);
    look(1);
    assertTrue(watch.refusesLead());
    assertTrue(watch.refusesLead(), "who asks twice hears the same");
    watch.hasRefused();
    assertFalse(watch.refusesLead(), "nobody has taken the lead: it is better than nobody");
    now += TimeUnit.SECONDS.toNanos(10);
    assertFalse(watch.refusesLead());
    now++;
    assertTrue(watch.refusesLead());
  }

  @Test
  void itLeadsWhereNobodyElseCan() {
    disk.hasLeft(1);
    look(1);
    best = Optional.empty();
    assertFalse(watch.refusesLead());
    best = Optional.of("b");
    assertTrue(watch.refusesLead());
  }

  @Test
  void itLeadsWhereLeadersChangeTooOften() {
    disk.hasLeft(32 << 20);
    for (int i = 0; i <= LeaderTurns.MOST; i++) {
      leader = Optional.of(i % 2 == 0 ? "a" : "b");
      look(1);
    }
    assertFalse(watch.refusesLead());
    disk.hasLeft(1);
    look(4);
    assertTrue(watch.refusesLead(), "it could not serve");
  }

  @Test
  void aLeaderWithAFullDiskAsksTheBestHoweverOftenLeadersChange() {
    for (int i = 0; i <= LeaderTurns.MOST; i++) {
      leader = Optional.of(i % 2 == 0 ? "a" : "b");
      look(1);
    }
    assertTrue(watch.tooMany());
    role = Role.LEADING;
    disk.hasLeft(32 << 20);
    look(4);
    assertEquals(Optional.empty(), changes.wanted(), "it serves");
    disk.hasLeft(1);
    look(4);
    assertEquals("b", changes.wanted().orElseThrow().to());
  }

  @Test
  void aLeaderThatSleepsAfterItsDiskWasFullIsKilled() {
    best = Optional.empty();
    role = Role.LEADING;
    look(4);
    disk.hasLeft(1);
    look(4);
    disk.hasLeft(1L << 40);
    look(20);
    assertEquals(0, killed);
    look(4);
    assertEquals(1, killed);
    look(400);
    assertEquals(1, killed);
  }

  @Test
  void aLeaderWithAFullDiskAsksTheBest() {
    role = Role.LEADING;
    disk.hasLeft(1);
    look(1);
    assertEquals("b", changes.wanted().orElseThrow().to());
  }

  @Test
  void aLeaderWhoseDiskStandsStillAsksTheBest() {
    role = Role.LEADING;
    look(9);
    assertEquals(Optional.empty(), changes.wanted());
    look(1);
    assertEquals("b", changes.wanted().orElseThrow().to());
    syncs();
    look(1);
    assertEquals("", watch.badDisk());
  }
}
