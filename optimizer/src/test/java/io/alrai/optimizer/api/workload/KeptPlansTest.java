package io.alrai.optimizer.api.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.AnalyticalAnswer;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.shape.TextSlotValues;
import io.alrai.optimizer.api.text.ParameterSource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KeptPlansTest {
  private int planned;
  private final KeptPlans plans =
      new KeptPlans(
          (statement, values, charset, names) ->
              new AnalyticalAnswer.NotCovered("number " + ++planned),
          2);

  private AnalyticalAnswer plan(String sql, long catalogVersion) {
    ShapedText statement = ShapedText.of(sql);
    Catalog catalog =
        new Catalog(catalogVersion, Map.of(), List.of(), List.of(), Map.of(), Map.of(), Map.of());
    return plans.plan(
        statement,
        new TextSlotValues(statement, ParameterSource.NONE),
        StandardCharsets.UTF_8,
        new Planner.Context(catalog, "d", false, false));
  }

  @Test
  void theSameStatementIsPlannedOnce() {
    assertSame(plan("SELECT 1", 1), plan("SELECT 1", 1));
    assertEquals(1, planned);
  }

  @Test
  void otherValuesAndOtherCatalogsArePlannedAnew() {
    AnalyticalAnswer first = plan("SELECT 1", 1);
    assertNotEquals(first, plan("SELECT 2", 1));
    assertNotEquals(first, plan("SELECT 1", 2));
  }

  @Test
  void whatWasAskedForLastIsKept() {
    plan("SELECT 1", 1);
    plan("SELECT 2", 1);
    plan("SELECT 1", 1);
    plan("SELECT 3", 1);
    plan("SELECT 1", 1);
    assertEquals(3, planned);
    plan("SELECT 2", 1);
    assertEquals(4, planned);
  }

  @Test
  void newStatisticsForgetAll() {
    plan("SELECT 1", 1);
    plans.clear();
    plan("SELECT 1", 1);
    assertEquals(2, planned);
  }
}
