package io.alrai.cn.cursor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CursorRowsTest {
  private static final int FULL = 1114;
  private static final int NO_ROOM = 1041;

  @TempDir private Path directory;
  private final LongAdder written = new LongAdder();

  private CursorRoom room(long memory, long one, long all, int files) {
    return new CursorRoom(directory, new CursorRoom.Bounds(memory, one, all, files), written);
  }

  private CursorRoom room() {
    return room(1 << 20, 1 << 24, 1 << 24, 8);
  }

  private static List<byte[]> random(long seed, int rows, int mostBytes) {
    Random random = new Random(seed);
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      byte[] row = new byte[random.nextInt(mostBytes)];
      random.nextBytes(row);
      all.add(row);
    }
    return all;
  }

  private static void comeBack(CursorRows cursor, List<byte[]> rows, int fetch) {
    rows.forEach(cursor::add);
    cursor.complete();
    int read = 0;
    for (byte[] row : rows) {
      assertArrayEquals(row, cursor.next(), "row " + read);
      read++;
      if (read % fetch == 0) {
        cursor.pause();
      }
    }
    assertNull(cursor.next());
    cursor.close();
    cursor.close();
  }

  @Test
  void fewRowsStayInMemory() {
    CursorRows cursor = room().open();
    assertTrue(cursor.isInMemory());
    comeBack(cursor, random(1, 100, 100), 7);
    assertTrue(cursor.isInMemory());
    assertEquals(0, written.sum());
  }

  @Test
  void rowsComeBackInTheirOrder() {
    for (int fetch : new int[] {1, 7, 1_000_000}) {
      comeBack(room().open(), random(fetch, 5_000, 300), fetch);
    }
    assertTrue(written.sum() > 1_000_000);
  }

  @Test
  void rowsMayBeLargerThanWhatIsReadAtOnce() {
    comeBack(room().open(), random(3, 40, 300_000), 3);
  }

  @Test
  void withoutMemoryAllGoesToDisk() {
    CursorRows cursor = room(0, 1 << 24, 1 << 24, 8).open();
    cursor.add(new byte[1]);
    assertFalse(cursor.isInMemory());
    cursor.close();
  }

  @Test
  void aFileHasNoName() throws IOException {
    try (CursorRows cursor = room(0, 1 << 24, 1 << 24, 8).open()) {
      random(4, 1_000, 300).forEach(cursor::add);
      try (Stream<Path> files = Files.list(directory)) {
        assertEquals(0, files.count());
      }
    }
  }

  @Test
  void aCursorAndAllHaveTheirLimits() {
    refused(FULL, room(0, 200_000, 1 << 24, 8).open());
    refused(FULL, room(0, 1 << 24, 200_000, 8).open());
    CursorRoom room = room(0, 1 << 24, 1 << 24, 1);
    CursorRows first = room.open();
    first.add(new byte[1]);
    CursorRows second = room.open();
    refused(NO_ROOM, second);
    first.close();
    CursorRows third = room.open();
    third.add(new byte[1]);
    third.close();
  }

  private static void refused(int errno, CursorRows cursor) {
    AlraiException refused =
        assertThrows(
            AlraiException.class,
            () -> {
              for (int i = 0; i < 1_000; i++) {
                cursor.add(new byte[1_000]);
              }
            });
    assertEquals(errno, refused.errno());
    cursor.close();
  }

  /** What one leaves unread is others' again. */
  @Test
  void aClosedCursorTakesNothing() {
    CursorRoom room = room(20_000, 100_000, 100_000, 1);
    for (int i = 0; i < 20; i++) {
      CursorRows cursor = room.open();
      for (int k = 0; k < 80; k++) {
        cursor.add(new byte[1_000]);
      }
      assertFalse(cursor.isInMemory());
      cursor.complete();
      cursor.next();
      cursor.close();
    }
  }
}
