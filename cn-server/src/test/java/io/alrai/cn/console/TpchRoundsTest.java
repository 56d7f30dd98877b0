package io.alrai.cn.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.tpch.TpchReport;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TpchRoundsTest {
  private static TpchReport round(long... millis) {
    return new TpchReport(
        1,
        Arrays.stream(millis)
            .mapToObj(
                time -> new TpchReport.Query(1, List.of(Duration.ofMillis(time)), 4, List.of()))
            .toList());
  }

  @Test
  void theFirstRoundIsShownApart() {
    assertEquals(
        """
        TPC-H, milliseconds: the first round is cold, the other 3 are warm
                    cold       warm     rows
        q01       5900.0       11.0        4
        all       5900.0       11.0
        """,
        TpchRounds.text(List.of(round(5_900), round(12), round(10), round(11))));
  }

  @Test
  void aFailureIsTold() {
    TpchReport failed =
        new TpchReport(
            1, List.of(new TpchReport.Query(1, List.of(), 0, List.of("round 1: 1105 broken"))));
    assertEquals(
        """
        TPC-H, milliseconds: the first round is cold, the other 1 are warm
                    cold       warm     rows
        q01          7.0        0.0        4
            round 1: 1105 broken
        all          7.0        0.0
        """,
        TpchRounds.text(List.of(round(7), failed)));
  }
}
