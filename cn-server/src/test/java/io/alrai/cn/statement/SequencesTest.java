package io.alrai.cn.statement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.gms.client.LocalGms;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SequencesTest {
  @Test
  void whatComesNextIsTakenByNobody() {
    try (LocalGms gms = new LocalGms()) {
      Sequences here = new Sequences(gms, () -> 0);
      Sequences there = new Sequences(gms, () -> 0);
      assertEquals(Map.of("a", 1L, "b", 1L), here.next(List.of("a", "b")));
      assertEquals(1, here.take("a", 3));
      assertEquals(Map.of("a", 4L, "b", 1L), here.next(List.of("a", "b")));
      assertEquals(Map.of("a", 1_001L), there.next(List.of("a")));
      assertEquals(4, here.take("a", 997));
      assertEquals(Map.of("a", 1_001L), here.next(List.of("a")));
      assertEquals(1_001, there.take("a", 1));
      assertEquals(Map.of("a", 2_001L), here.next(List.of("a")));
      here.passOver("a", 5_000);
      assertEquals(Map.of("a", 5_001L), here.next(List.of("a")));
    }
  }
}
