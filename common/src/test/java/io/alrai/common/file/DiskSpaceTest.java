package io.alrai.common.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskSpaceTest {
  @TempDir Path temporary;

  @Test
  void itIsThatOfTheFileStore() throws IOException {
    double expected = Files.getFileStore(temporary).getUsableSpace();
    assertEquals(1.0, DiskSpace.usable(temporary) / expected, 0.2); // others write meanwhile
  }

  @Test
  void whatIsNotThereHasNone() {
    assertThrows(NoSuchFileException.class, () -> DiskSpace.usable(temporary.resolve("none")));
  }
}
