package io.alrai.cn.console;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What belongs to which phase. */
class MixedPhasesTest {
  @Test
  void phasesAreComparedWithThoseBesideThem() {
    MixedPhases phases = new MixedPhases(3, 10);
    assertEquals(70, phases.measuredSeconds());
    List<Integer> begun = new ArrayList<>();
    for (int second = 0; second < 73; second++) {
      int phase = (second - 3) / 10;
      int inPhase = (second - 3) % 10;
      boolean alone = phase % 2 == 0;
      // the first seconds alone are still disturbed; beside it one window of 5 s is bad
      long orders = second < 3 ? 1 : alone ? inPhase < 2 ? 0 : 100 : inPhase < 5 ? 50 : 100;
      phases.second(orders);
      if (phases.begins() >= 0) {
        begun.add(phases.begins());
      }
    }
    assertEquals(List.of(0, 1, 2, 3, 4, 5, 6), begun);
    assertEquals("off", MixedPhases.mode(1).name());
    assertEquals("quota-50", MixedPhases.mode(5).name());
    assertEquals(
        List.of(
            "mixed-off 4500 tpmC 6000 0.750",
            "mixed-off-worst-5s 3000 tpmC 6000 0.500",
            "mixed-off-alone-worst-5s 6000 tpmC 6000 1.000"),
        phases.lines().subList(0, 3));
    assertEquals(9, phases.lines().size());
  }
}
