package io.alrai.cn.launch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DetachedTest {
  @TempDir private Path dir;

  /** Only such threads are listed, and a virtual one would keep others from running. */
  @Test
  void whatAProcessPrintsIsReadByAPlatformThread() throws IOException, InterruptedException {
    Process process = new ProcessBuilder("sleep", "60").start();
    try {
      Detached detached = new Detached(process, dir.resolve("log"));
      String reader = "output-" + detached.process().pid();
      assertTrue(
          Thread.getAllStackTraces().keySet().stream()
              .anyMatch(thread -> thread.getName().equals(reader)));
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
