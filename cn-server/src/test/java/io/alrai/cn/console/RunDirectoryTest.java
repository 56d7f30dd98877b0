package io.alrai.cn.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunDirectoryTest {
  @TempDir Path data;

  @Test
  void findsARunningProcessByItsName() {
    RunDirectory run = new RunDirectory(data);
    run.enter("dn-1");
    assertEquals(Optional.of(ProcessHandle.current()), run.process("dn-1"));
    assertEquals(List.of("dn-1"), run.names());
    assertEquals(Optional.empty(), run.process("dn-2"));
    run.leave("dn-1");
    assertEquals(Optional.empty(), run.process("dn-1"));
  }

  @Test
  void aReusedNumberIsAnotherProcess() throws IOException {
    note(ProcessHandle.current().pid() + " 12345");
    assertEquals(Optional.empty(), new RunDirectory(data).process("dn-1"));
  }

  @Test
  void aKilledProcessThatItsParentHasNotNoticedIsGone() throws Exception {
    // the shell becomes a cat that never looks after its child
    Process parent =
        new ProcessBuilder("sh", "-c", "sh -c 'echo $$' & exec cat")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output = parent.inputReader(StandardCharsets.US_ASCII)) {
      long pid = Long.parseLong(output.readLine().strip());
      Path stat = Path.of("/proc", Long.toString(pid), "stat");
      while (!Files.readString(stat).contains(") Z ")) {
        Thread.onSpinWait();
      }
      assertTrue(ProcessHandle.of(pid).orElseThrow().isAlive(), "what the JDK says");
      note(Long.toString(pid));
      assertFalse(new RunDirectory(data).process("dn-1").isPresent());
      OrderedStop.of("dn-1", ProcessHandle.of(pid).orElseThrow());
    } finally {
      parent.destroyForcibly();
    }
  }

  private void note(String line) throws IOException {
    Files.createDirectories(data.resolve("run"));
    Files.writeString(data.resolve("run").resolve("dn-1.pid"), line + "\n");
  }
}
