package io.alrai.tpch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TpchReportTest {
  private static TpchReport.Query query(int number, int... millis) {
    return new TpchReport.Query(
        number, Arrays.stream(millis).mapToObj(Duration::ofMillis).toList(), 7, List.of());
  }

  @Test
  void mediansAreTakenPerQuery() {
    assertEquals(20, query(1, 10, 500, 20).medianMillis());
    assertEquals(15, query(1, 10, 20).medianMillis());
    assertEquals(0, query(1).medianMillis());
  }

  @Test
  void theGeometricMeanIsOverTheQueriesThatSucceeded() {
    TpchReport report =
        new TpchReport(
            1,
            List.of(
                query(1, 10),
                query(2, 1_000),
                new TpchReport.Query(3, List.of(), 0, List.of("round 1: 1064 no"))));
    assertEquals(100, report.geometricMeanMillis(), 1e-6);
    assertEquals(1_010, report.totalMillis(), 1e-6);
    assertEquals(1, report.errors());
    assertTrue(report.text().startsWith("geometric-mean-ms 100.00\n"), report.text());
    assertTrue(report.text().contains("    round 1: 1064 no\n"), report.text());
  }
}
