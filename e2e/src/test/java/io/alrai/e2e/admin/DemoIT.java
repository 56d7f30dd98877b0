package io.alrai.e2e.admin;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What a person sees of the demo: its report and its steps, and nothing of the log. */
final class DemoIT {
  private static final Pattern LOGGED =
      Pattern.compile("^\\d{4}-\\d\\d-\\d\\d |\\b(INFO|WARN|ERROR)\\b|Optional|\\[main\\]");

  @Test
  void theReportIsForPeople() throws Exception {
    String output =
        ConsoleRun.output(
            768, "demo", "--seconds=2", "--analytics-seconds=2", "--warehouses=1", "--terminals=2");
    List<String> lines = output.lines().toList();
    for (String line : lines) {
      assertFalse(LOGGED.matcher(line).find(), line);
    }
    int head = lines.indexOf("            cold       warm     rows");
    assertTrue(head > 0, output);
    assertTrue(lines.get(head + 1).matches("q01 +[0-9.]+ +[0-9.]+ +4"), output);
    assertTrue(lines.get(head + 23).matches("all +[0-9.]+ +[0-9.]+"), output);
    assertTrue(output.contains("0 errors, 0 wrong answers"), output);
    assertTrue(output.contains("all twelve conditions hold"), output);
  }

  @Test
  void aKilledLeaderIsFollowedByAnother() throws Exception {
    String output =
        ConsoleRun.output(
            768,
            "demo",
            "--replicas=3",
            "--kill",
            "--dns=1",
            "--seconds=8",
            "--warehouses=1",
            "--terminals=2");
    assertTrue(output.contains("kill -9 of dn-1-"), output);
    Matcher gap =
        Pattern.compile("after the kill no row was acknowledged for (\\d+) ms").matcher(output);
    assertTrue(gap.find(), output);
    assertTrue(Integer.parseInt(gap.group(1)) > 0, output);
    assertTrue(output.contains("acknowledged 0 are lost"), output);
    assertTrue(output.contains("all twelve conditions hold"), output);
  }
}
