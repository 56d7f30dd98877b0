package io.alrai.cn.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the global variables of analytical work can be set to. */
class AnalyticSettingsTest {
  private final AnalyticSettings standard = AnalyticSettings.standard();

  @Test
  void eachIsSetAndShown() {
    AnalyticSettings changed =
        standard
            .with("ap_isolation", "off")
            .with("ap_cpu_quota", "50")
            .with("ap_time_slice", "20")
            .with("ap_memory_limit", "33554432")
            .with("ap_query_memory_limit", " 16777216")
            .with("ap_spill_limit", "0");
    assertEquals(new AnalyticSettings(false, 50, 20, 33554432, 16777216, 0), changed);
    assertEquals(
        "{ap_cpu_quota=50, ap_isolation=OFF, ap_memory_limit=33554432,"
            + " ap_query_memory_limit=16777216, ap_spill_limit=0, ap_time_slice=20}",
        changed.texts().toString());
    for (String name : changed.texts().keySet()) {
      AnalyticSettings back = changed.with(name, standard.texts().get(name));
      assertEquals(standard.number(name), back.number(name));
    }
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    for (List<String> wrong :
        List.of(
            List.of("ap_isolation", "2", "1231"),
            List.of("ap_cpu_quota", "-1", "1231"),
            List.of("ap_cpu_quota", "1000000", "1231"),
            List.of("ap_cpu_quota", "half", "1232"),
            List.of("ap_time_slice", "0", "1231"),
            List.of("ap_time_slice", "501", "1231"),
            List.of("ap_memory_limit", "1", "1231"),
            List.of("ap_query_memory_limit", "1.5", "1232"),
            List.of("ap_spill_limit", "-1", "1231"))) {
      AlraiException e =
          assertThrows(
              AlraiException.class,
              () -> standard.with(wrong.get(0), wrong.get(1)),
              wrong::toString);
      assertEquals(Integer.parseInt(wrong.get(2)), e.errno(), e.sentence());
    }
  }
}
