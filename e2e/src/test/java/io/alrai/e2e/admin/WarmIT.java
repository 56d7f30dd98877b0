package io.alrai.e2e.admin;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What JVMs are trained with, in short: clusters of both kinds answer it. */
final class WarmIT {
  private static final Pattern OUTCOME =
      Pattern.compile(
          "^(\\d+) statements, (\\d+) transactions failed, (\\d+) changes of leaders$",
          Pattern.MULTILINE);

  @Test
  void clustersOfBothKindsAnswerTheTraining() throws Exception {
    String output = ConsoleRun.output(512, "warm", "--seconds", "1");
    Matcher outcome = OUTCOME.matcher(output);
    assertTrue(outcome.find(), output);
    assertTrue(Long.parseLong(outcome.group(1)) > 0, output);
    assertTrue(Integer.parseInt(outcome.group(3)) > 0, output);
  }
}
