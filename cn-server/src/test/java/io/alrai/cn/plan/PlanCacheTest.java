package io.alrai.cn.plan;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.parse.ShapedText;
import org.junit.jupiter.api.Test;

class PlanCacheTest {
  private final PlanCache cache = new PlanCache();
  private final Planned forShape = planned(false);
  private final Planned forText = planned(true);

  private static Planned planned(boolean exactTextOnly) {
    return new Planned(
        new Planned.Work.Administrative(new AdminStatement.UnlockTables()), exactTextOnly);
  }

  private static String select(int columns, String literal) {
    return "SELECT 1" + ", x".repeat(columns) + " FROM t WHERE a = '" + literal + "'";
  }

  @Test
  void findsAPlanByTheShapeOfItsText() {
    cache.keep(ShapedText.of(select(1, "one")), 7, "s", forShape);
    assertSame(forShape, cache.find(ShapedText.of(select(1, "two")), 7, "s"));
    assertNull(cache.find(ShapedText.of(select(2, "two")), 7, "s"));
    assertNull(cache.find(ShapedText.of(select(1, "two")), 7, "another"));
    assertNull(cache.find(ShapedText.of(select(1, "two")), 8, "s"));
  }

  @Test
  void findsAPlanForOneTextByThatTextOnly() {
    cache.keep(ShapedText.of(select(1, "one")), 7, "s", forText);
    assertNull(cache.find(ShapedText.of(select(1, "two")), 7, "s"));
    assertSame(forText, cache.find(ShapedText.of(select(1, "one")), 7, "s"));
  }

  @Test
  void aLongLiteralCountsOnlyWhereThePlanIsForOneText() {
    ShapedText text = ShapedText.of(select(1, "x".repeat(PlanCache.MOST_BYTES_EACH)));
    cache.keep(text, 7, "s", forText);
    assertNull(cache.find(text, 7, "s"));
    cache.keep(text, 7, "s", forShape);
    assertSame(forShape, cache.find(text, 7, "s"));
  }

  @Test
  void longShapesDoNotAddUpWithoutAnEnd() {
    int columns = PlanCache.MOST_BYTES_EACH / 3 - 100;
    ShapedText first = ShapedText.of(select(columns, "one"));
    cache.keep(first, 7, "s", forShape);
    assertNotNull(cache.find(first, 7, "s"));
    for (int i = 1; i <= 2 * PlanCache.MOST_BYTES / PlanCache.MOST_BYTES_EACH; i++) {
      cache.keep(ShapedText.of(select(columns - i, "one")), 7, "s", forShape);
    }
    assertNull(cache.find(first, 7, "s"));
  }
}
