package io.alrai.dn.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskRoomTest {
  private final FakeDisk disk = new FakeDisk();
  private long now;
  private final DiskRoom room =
      new DiskRoom("a", disk, List.of(Path.of("/x"), Path.of("/y")), () -> now);

  private String with(long bytes) {
    disk.hasLeft(bytes);
    room.look();
    return room.unfit();
  }

  @Test
  void oneWithoutRoomIsUnfitUntilItHasTwiceTheReserve() {
    assertEquals("", with(DiskRoom.RESERVE_BYTES));
    String full = with(DiskRoom.RESERVE_BYTES - 1);
    assertTrue(full.contains("/x has 63 MiB left"), full);
    assertTrue(with(2 * DiskRoom.RESERVE_BYTES - 1).contains("127 MiB left"));
    assertEquals("", with(2 * DiskRoom.RESERVE_BYTES));
    assertEquals("", with(DiskRoom.RESERVE_BYTES));
  }

  @Test
  void aMysqldMayStillSleepAfterItsDiskWasFull() {
    with(2 * DiskRoom.RESERVE_BYTES);
    with(DiskRoom.RESERVE_BYTES - 1);
    now = 1_000;
    with(2 * DiskRoom.RESERVE_BYTES);
    assertFalse(room.freedSince(0), "there was some");
    with(DiskRoom.NONE_BYTES - 1);
    now = 2_000;
    assertFalse(room.freedSince(0));
    with(2 * DiskRoom.RESERVE_BYTES);
    assertTrue(room.freedSince(1_999));
    assertFalse(room.freedSince(2_000), "it began after that");
    now += DiskRoom.SLEEP_NANOS - 1;
    assertTrue(room.freedSince(0));
    now += 1;
    assertFalse(room.freedSince(0));
  }

  @Test
  void oneThatIsNearlyFullIsAmissLongBefore() {
    disk.hasLeft(DiskRoom.ALMOST_FULL_BYTES);
    assertEquals("", DiskRoom.amiss(disk, Path.of("/x")));
    disk.hasLeft(DiskRoom.ALMOST_FULL_BYTES - 1);
    assertEquals("the disk of /x has 2047 MiB left", DiskRoom.amiss(disk, Path.of("/x")));
    assertEquals("", with(DiskRoom.ALMOST_FULL_BYTES - 1), "it may lead");
  }

  @Test
  void theMachinesDiskHasRoom(@TempDir Path directory) throws Exception {
    assertTrue(Disk.REAL.usableBytes(directory) > 0);
    Disk.REAL.sync(directory);
    Disk.REAL.sync(directory);
  }
}
