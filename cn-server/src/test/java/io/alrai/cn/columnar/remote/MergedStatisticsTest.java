package io.alrai.cn.columnar.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.optimizer.api.stats.ColumnStatistics;
import io.alrai.optimizer.api.stats.TableStatistics;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MergedStatisticsTest {
  private static TableStatistics of(double rows, double keys, double low, double high) {
    return new TableStatistics(
        rows,
        Map.of(
            "id", ColumnStatistics.ofRange(keys, low, high),
            "flag", ColumnStatistics.ofRange(2, 0, 1),
            "word", ColumnStatistics.ofDistinct(rows / 10)));
  }

  @Test
  void rowsAndKeysAddUpAndWordsDoNot() {
    assertEquals(
        new TableStatistics(
            300,
            Map.of(
                "id", ColumnStatistics.ofRange(300, 1, 320),
                "flag", ColumnStatistics.ofRange(2, 0, 1),
                "word", ColumnStatistics.ofDistinct(20))),
        MergedStatistics.of(List.of(of(100, 100, 5, 320), of(200, 200, 1, 300))));
  }

  @Test
  void ofOnePartTheyAreThat() {
    assertEquals(of(100, 100, 1, 100), MergedStatistics.of(List.of(of(100, 100, 1, 100))));
    assertEquals(TableStatistics.UNKNOWN, MergedStatistics.of(List.of()));
  }
}
