package io.alrai.common.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A JVM with a keeper, and its child. */
class ChildProcessTest {
  /** Prints what a child has in its environment. */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    System.exit(ChildProcess.of(List.of("env")).inheritIO().start().waitFor());
  }

  @Test
  void childrenDoNotHearWhatTheKeeperSaysToTheirParent() throws Exception {
    ProcessBuilder parent =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            ChildProcessTest.class.getName());
    List<String> keepers = List.of("NOTIFY_SOCKET", "WATCHDOG_USEC", "LISTEN_FDS");
    keepers.forEach(name -> parent.environment().put(name, "1"));
    parent.environment().put("OF_ALL", "1");
    Process process = parent.redirectErrorStream(true).start();
    List<String> said;
    try (var reader = process.inputReader()) {
      said = reader.lines().toList();
    }
    assertEquals(0, process.waitFor(), said::toString);
    assertTrue(said.contains("OF_ALL=1"), said::toString);
    for (String name : keepers) {
      assertTrue(said.stream().noneMatch(line -> line.startsWith(name + "=")), said::toString);
    }
  }
}
