package io.alrai.cn.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.variable.StatusList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterStatusTest {
  @ParameterizedTest
  @CsvSource({
    "3, 4, SUM, 7",
    "3, 4, MAX, 4",
    "18446744073709551615, 1, SUM, 18446744073709551616",
    "0.500000, 1.250000, SUM, 1.750000",
    "9, 10, MAX, 10",
    "OFF, ON, MAX, ON",
    "ON, OFF, SUM, ON",
    "'', Dumping, MAX, Dumping"
  })
  void valuesOfTwoDnsAreMerged(String one, String other, StatusList list, String merged) {
    assertEquals(merged, ClusterStatus.merged(one, other, list));
    assertEquals(merged, ClusterStatus.merged(other, one, list));
  }
}
