package io.alrai.gms.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.metrics.Metrics;
import io.alrai.gms.api.Catalog;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KillTest {
  @TempDir private Path dir;

  @Test
  void whatWasAcknowledgedSurvivesKillNine() throws IOException, InterruptedException {
    List<String> acknowledged = new ArrayList<>();
    acknowledged.addAll(runAndKill("first"));
    acknowledged.addAll(runAndKill("second"));
    try (Stream<Path> files = Files.walk(dir)) {
      assertTrue(
          files.anyMatch(file -> file.getFileName().toString().startsWith("snapshot.")),
          "a snapshot was taken");
    }
    Set<String> numbers = new HashSet<>();
    try (EmbeddedGms gms = EmbeddedGms.start(KilledNode.config(dir), new Metrics())) {
      Catalog catalog = gms.service().catalog();
      for (String line : acknowledged) {
        String[] words = line.split(" ", -1);
        assertTrue(catalog.schema(words[0]).isPresent(), words[0]);
        assertTrue(numbers.add(words[1]), "given twice: " + words[1]);
      }
      // At most the one command under way at each kill is there beyond what was acknowledged.
      assertTrue(catalog.schemas().size() <= acknowledged.size() + 2, catalog.toString());
      assertEquals(catalog.version(), catalog.schemas().size());
    }
  }

  private List<String> runAndKill(String prefix) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KilledNode.class.getName(),
                dir.toString(),
                prefix)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    List<String> lines = new ArrayList<>();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        lines.add(line);
        if (lines.size() == 30) {
          // SIGKILL, by the handle, which leaves the pipe open: what was printed is acknowledged.
          process.toHandle().destroyForcibly();
        }
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    assertTrue(lines.size() >= 30, "the process ended by itself after " + lines);
    return lines;
  }
}
