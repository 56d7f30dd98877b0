package io.alrai.cn.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.launch.OrderedStop;
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
  void anEndpointIsServedUntilTheLastOfSeveralCnsIsGone() {
    RunDirectory run = new RunDirectory(data);
    assertEquals(Optional.empty(), run.endpoint());
    for (String name : List.of("cn-1", "cn-2", "dn-1")) {
      run.enter(name);
    }
    run.endpoint("cn-1", "mysql://root@127.0.0.1:1/");
    run.endpoint("cn-2", "mysql://root@127.0.0.1:2/");
    assertEquals(Optional.of("mysql://root@127.0.0.1:1/"), run.endpoint());
    run.leave("cn-1");
    assertEquals(Optional.of("mysql://root@127.0.0.1:2/"), run.endpoint());
    run.leave("dn-1");
    assertEquals(Optional.of("mysql://root@127.0.0.1:2/"), run.endpoint());
    run.leave("cn-2");
    assertEquals(Optional.empty(), run.endpoint());
  }

  @Test
  void anEndpointOfAKilledCnIsNotServed() throws IOException {
    RunDirectory run = new RunDirectory(data);
    note("2147483000");
    run.endpoint("dn-1", "mysql://root@127.0.0.1:1/");
    assertEquals(Optional.empty(), run.endpoint());
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
