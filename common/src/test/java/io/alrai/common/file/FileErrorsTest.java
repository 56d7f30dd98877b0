package io.alrai.common.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sentences about files. */
class FileErrorsTest {
  @TempDir Path directory;

  @Test
  void eachSaysWhatIsWrong() throws IOException {
    Path none = directory.resolve("no'ne");
    assertEquals(
        "there is no " + none,
        FileErrors.text(assertThrows(IOException.class, () -> Files.readString(none))));
    Path file = Files.createFile(directory.resolve("file"));
    assertEquals(
        file + " is there already",
        FileErrors.text(assertThrows(IOException.class, () -> Files.createDirectory(file))));
    assertEquals(
        file + " is not a directory",
        FileErrors.text(assertThrows(IOException.class, () -> Files.list(file).close())));
    assertEquals(
        "No space left on device: x",
        FileErrors.text(new FileSystemException("x", null, "No space left on device")));
    assertEquals("broken", FileErrors.text(new IOException("broken")));
  }
}
