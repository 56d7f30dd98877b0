package io.alrai.cn.analytic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class LeftReasonsTest {
  private final LeftReasons reasons = new LeftReasons();

  @Test
  void theLastReasonOfAShapeInItsSchema() {
    reasons.add("s", "SELECT a FROM t", "one");
    reasons.add("s", "SELECT a FROM t", "another");
    assertEquals(Optional.of("another"), reasons.of("s", "SELECT a FROM t"));
    assertEquals(Optional.empty(), reasons.of("other", "SELECT a FROM t"));
    reasons.forget("other", "SELECT a FROM t");
    assertEquals(Optional.of("another"), reasons.of("s", "SELECT a FROM t"));
    reasons.forget("s", "SELECT a FROM t");
    assertEquals(Optional.empty(), reasons.of("s", "SELECT a FROM t"));
  }

  @Test
  void theyHaveABound() {
    String longer = "x".repeat(LeftReasons.LONGEST + 1);
    reasons.add("s", longer, "long");
    assertEquals(Optional.empty(), reasons.of("s", longer));
    for (int i = 0; i <= LeftReasons.MOST; i++) {
      reasons.add("s", "shape " + i, "reason");
      reasons.of("s", "shape 0"); // what is asked for stays
    }
    assertEquals(Optional.of("reason"), reasons.of("s", "shape 0"));
    assertEquals(Optional.empty(), reasons.of("s", "shape 1"));
    assertEquals(Optional.of("reason"), reasons.of("s", "shape 2"));
  }
}
