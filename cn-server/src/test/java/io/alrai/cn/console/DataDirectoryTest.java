package io.alrai.cn.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DataDirectoryTest {
  private static final int MORE_THAN_ANY_DISK_HOLDS = 100_000_000;

  @TempDir Path parent;

  private static String refused(Path directory, int mysqlds) {
    return assertThrows(AlraiException.class, () -> DataDirectory.require(directory, mysqlds))
        .sentence();
  }

  @Test
  void isMadeAndLeftEmpty() throws IOException {
    Path directory = parent.resolve("a/b");
    DataDirectory.require(directory, 0);
    DataDirectory.require(directory, 0);
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(0, files.count());
    }
  }

  @Test
  void whatIsNoDirectoryIsNamed() throws IOException {
    Path file = Files.createFile(parent.resolve("file"));
    assertTrue(refused(file, 0).contains(file + " is not a directory"), refused(file, 0));
    String below = refused(file.resolve("a"), 0);
    assertTrue(below.contains("Not a directory") || below.contains("not a directory"), below);
  }

  @Test
  void aFullDiskIsNamedAndNothingIsLeft() {
    Path directory = parent.resolve("a/b/c");
    String said = refused(directory, MORE_THAN_ANY_DISK_HOLDS);
    assertTrue(said.contains("its disk has only"), said);
    assertTrue(said.contains("choose another with --data"), said);
    assertFalse(Files.exists(parent.resolve("a")));
  }

  /** Not even root can make a directory there. */
  @Test
  void whatCannotBeWrittenIsNamed() {
    String said = refused(Path.of("/proc/alrai"), 0);
    assertTrue(said.contains("/proc/alrai cannot be used: "), said);
    assertFalse(said.contains("null"), said);
  }
}
