package io.alrai.e2e.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.console.Main;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What JVMs are trained with, in short: clusters of both kinds answer it. */
final class WarmIT {
  private static final Pattern OUTCOME =
      Pattern.compile("^(\\d+) statements, (\\d+) transactions failed$", Pattern.MULTILINE);

  @Test
  void clustersOfBothKindsAnswerTheTraining() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx512m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "warm",
                "--seconds",
                "1")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    Matcher outcome = OUTCOME.matcher(output);
    assertTrue(outcome.find(), output);
    assertTrue(Long.parseLong(outcome.group(1)) > 0, output);
  }
}
