package io.alrai.common.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Dashboards and alerts are about what there is, and the page of alerts about all of them. */
class OperationsTest {
  private static final Path OPS = Path.of("..", "ops");
  private static final Path RULES = OPS.resolve("prometheus").resolve("alerts.yml");

  private static List<String> found(Path file, String pattern) throws IOException {
    return Pattern.compile(pattern, Pattern.MULTILINE)
        .matcher(Files.readString(file))
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  @Test
  void thePageHasEveryAlertWithItsSeverity() throws IOException {
    List<String> alerts = found(RULES, "- alert: (\\w+)");
    List<String> severities = found(RULES, "severity: (\\w+)");
    Path page = Path.of("..", "docs", "operations", "alerts.md");
    assertEquals(alerts, found(page, "^## (\\w+)"));
    assertEquals(
        severities,
        found(page, "^(Critical|Warning|Info)\\. ").stream().map(String::toLowerCase).toList());
    assertEquals(alerts.size(), found(page, "^(\\*\\*Do:\\*\\*) ").size());
  }

  @Test
  void panelsAndAlertsAskForWhatIsMeasured() throws IOException {
    Set<String> known =
        Arrays.stream(Metric.values())
            .flatMap(metric ->
                metric.kind() == Metric.Kind.LATENCY
                    ? Stream.of("_bucket", "_sum", "_count").map(metric.label()::concat)
                    : Stream.of(metric.label()))
            .collect(Collectors.toSet());
    List<Path> files = new ArrayList<>(List.of(RULES));
    try (Stream<Path> dashboards = Files.list(OPS.resolve("grafana"))) {
      dashboards.forEach(files::add);
    }
    assertEquals(5, files.size());
    for (Path file : files) {
      List<String> expressions = found(file, "\"?expr\"?: (.*)$");
      Set<String> asked = new TreeSet<>();
      for (String expression : expressions) {
        Pattern.compile("\\b(?:alrai|process|jvm)_\\w+")
            .matcher(expression)
            .results()
            .forEach(match -> asked.add(match.group()));
      }
      assertTrue(asked.size() > 3, file + " asks for " + asked);
      asked.removeAll(known);
      assertEquals(Set.of(), asked, file.toString());
    }
  }
}
