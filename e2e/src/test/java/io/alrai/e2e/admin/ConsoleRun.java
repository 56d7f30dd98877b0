package io.alrai.e2e.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.console.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A command of the console in a process of its own. */
final class ConsoleRun {
  private static final int MOST_MINUTES = 5;

  private ConsoleRun() {}

  /** What it prints until it ends well. */
  static String output(int megabytes, String... command) throws IOException, InterruptedException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx" + megabytes + "m",
                "-XX:TieredStopAtLevel=1",
                "-Xss16m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
    line.addAll(List.of(command));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    CompletableFuture<Process> end =
        process
            .onExit()
            .orTimeout(MOST_MINUTES, TimeUnit.MINUTES)
            .exceptionally(late -> process.destroyForcibly());
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, end.join().waitFor(), output);
    return output;
  }
}
