package io.alrai.common.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableFilesTest {
  @TempDir Path directory;

  private void replace(String text) throws IOException {
    DurableFiles.replace(directory.resolve("file"), text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aFileIsReplacedAsAWhole() throws IOException {
    replace("longer than the next one");
    Files.writeString(directory.resolve("file.next"), "left of a crash");
    replace("ä");
    assertEquals("ä", Files.readString(directory.resolve("file")));
    try (Stream<Path> left = Files.list(directory)) {
      assertEquals(List.of(directory.resolve("file")), left.toList());
    }
  }

  @Test
  void whatCannotBeWrittenLeavesWhatThereWas() throws IOException {
    replace("before");
    Files.createDirectory(directory.resolve("file.next"));
    assertThrows(IOException.class, () -> replace("after"));
    assertEquals("before", Files.readString(directory.resolve("file")));
  }
}
