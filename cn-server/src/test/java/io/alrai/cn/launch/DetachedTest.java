package io.alrai.cn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DetachedTest {
  @Test
  void theLogsOfTheLastFiveStartsAreKept(@TempDir Path directory) throws Exception {
    Path log = directory.resolve("dn-1-a.log");
    Detached.keepOlder(log); // the first start
    for (int start = 1; start <= 7; start++) {
      Files.writeString(log, "start " + start);
      Detached.keepOlder(log);
    }
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(
          List.of("dn-1-a.log.1", "dn-1-a.log.2", "dn-1-a.log.3", "dn-1-a.log.4", "dn-1-a.log.5"),
          files.map(file -> file.getFileName().toString()).sorted().toList());
    }
    for (int number = 1; number <= 5; number++) {
      assertEquals(
          "start " + (8 - number), Files.readString(directory.resolve("dn-1-a.log." + number)));
    }
  }
}
