package io.alrai.common.secret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Modes of what only its owner may read. */
class PrivateFilesTest {
  @TempDir Path directory;

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private Path open(String name) throws IOException {
    Path file = Files.writeString(directory.resolve(name), "before");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    return file;
  }

  @Test
  void directoriesAreMadeAndClosed() throws IOException {
    Path fresh = directory.resolve("a/b");
    PrivateFiles.directory(fresh);
    assertEquals("rwx------", mode(fresh));
    Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
    PrivateFiles.directory(fresh);
    assertEquals("rwx------", mode(fresh));
  }

  @Test
  void severalMayMakeOneAtTheSameTime() throws Exception {
    for (int turn = 0; turn < 200; turn++) {
      Path fresh = directory.resolve("t" + turn).resolve("log");
      CyclicBarrier begin = new CyclicBarrier(4);
      try (ExecutorService makers = Executors.newFixedThreadPool(4)) {
        List<Future<Object>> made = new ArrayList<>();
        for (int maker = 0; maker < 4; maker++) {
          made.add(
              makers.submit(() -> {
                begin.await();
                PrivateFiles.directory(fresh);
                return null;
              }));
        }
        for (Future<Object> each : made) {
          each.get(10, TimeUnit.SECONDS);
        }
      }
      assertEquals("rwx------", mode(fresh));
    }
  }

  @Test
  void aFileIsNoDirectory() throws IOException {
    Path file = open("taken");
    assertThrows(FileAlreadyExistsException.class, () -> PrivateFiles.directory(file));
    assertEquals("before", Files.readString(file));
  }

  @Test
  void filesAreWrittenAnew() throws IOException {
    Path file = open("config");
    PrivateFiles.write(file, "after");
    PrivateFiles.write(file, "afterwards");
    assertEquals("rw-------", mode(file));
    assertEquals("afterwards", Files.readString(file));
  }

  @Test
  void whatIsThereIsClosed() throws IOException {
    Path file = open("config");
    assertTrue(PrivateFiles.openToOthers(file));
    PrivateFiles.close(file);
    assertFalse(PrivateFiles.openToOthers(file));
    assertEquals("before", Files.readString(file));
  }
}
