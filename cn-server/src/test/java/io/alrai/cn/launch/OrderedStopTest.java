package io.alrai.cn.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.process.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class OrderedStopTest {
  @TempDir Path data;
  private final Map<String, Process> processes = new TreeMap<>();

  private void launch(String name) throws IOException {
    Process process = new ProcessBuilder("sleep", "1000").start();
    processes.put(name, process);
    Path run = Files.createDirectories(data.resolve("run"));
    Files.writeString(run.resolve(name + ".pid"), process.pid() + "\n");
  }

  @AfterEach
  void killAll() {
    processes.values().forEach(Process::destroyForcibly);
  }

  @Test
  void keepersThenCnsThenDnsThenTheGms() throws Exception {
    for (String name : List.of("gms-1", "dn-1", "dn-2", "cn-1", "cn-2", "alrai")) {
      launch(name);
    }
    processes.get("cn-2").destroyForcibly().waitFor();
    List<String> told = new CopyOnWriteArrayList<>();
    int stopped =
        OrderedStop.all(
            new RunDirectory(data),
            (name, process) -> {
              told.add(name);
              if (name.startsWith("dn-")) {
                assertFalse(runs("cn-1"), "a CN needs its DNs to end in order");
              }
            });
    assertEquals(5, stopped);
    assertEquals(List.of("alrai", "cn-1"), told.subList(0, 2));
    assertTrue(told.subList(2, 4).containsAll(List.of("dn-1", "dn-2")), told.toString());
    assertEquals("gms-1", told.getLast());
    processes.keySet().forEach(name -> assertFalse(runs(name), name));
  }

  /** SIGSTOP, as a debugger or an administrator leaves one: SIGTERM alone would wait 90 s. */
  @Test
  void oneThatWasStoppedEnds() throws Exception {
    launch("dn-1");
    long pid = processes.get("dn-1").pid();
    assertEquals(0, new ProcessBuilder("/bin/sh", "-c", "kill -STOP " + pid).start().waitFor());
    OrderedStop.of("dn-1", processes.get("dn-1").toHandle());
    assertFalse(runs("dn-1"));
    assertEquals(128 + 15, processes.get("dn-1").waitFor(), "by SIGTERM");
  }

  /** As the system says it: {@link Process#isAlive} turns false later, when its thread has run. */
  private boolean runs(String name) {
    return RunDirectory.runs(processes.get(name).toHandle());
  }
}
