package io.alrai.cn.snapshot;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SpreadPredictorTest {
  private static final long TEMPLATE = 0x1234_5678_9abc_def0L;

  private final SpreadPredictor predictor = new SpreadPredictor();

  private void stay(long template, int times) {
    for (int i = 0; i < times; i++) {
      predictor.learn(template, true);
    }
  }

  @Test
  void theUnknownMaySpread() {
    assertFalse(predictor.stays(TEMPLATE));
    assertFalse(predictor.stays(0));
  }

  @Test
  void whatStayedSeveralTimesIsTrusted() {
    stay(TEMPLATE, SpreadPredictor.TRUSTED - 1);
    assertFalse(predictor.stays(TEMPLATE));
    stay(TEMPLATE, 1);
    assertTrue(predictor.stays(TEMPLATE));
    stay(TEMPLATE, 100_000);
    assertTrue(predictor.stays(TEMPLATE));
  }

  @Test
  void oneThatSpreadIsNotTrustedForLong() {
    stay(TEMPLATE, 1_000);
    predictor.learn(TEMPLATE, false);
    stay(TEMPLATE, SpreadPredictor.DISTRUST + SpreadPredictor.TRUSTED - 1);
    assertFalse(predictor.stays(TEMPLATE));
    stay(TEMPLATE, 1);
    assertTrue(predictor.stays(TEMPLATE));
  }

  @Test
  void anotherTemplateAtTheSamePlaceIsNotMistakenForIt() {
    long other = TEMPLATE ^ 1L << 40;
    stay(TEMPLATE, 10);
    assertFalse(predictor.stays(other));
    predictor.learn(other, true);
    assertFalse(predictor.stays(TEMPLATE));
    assertFalse(predictor.stays(other));
  }
}
