package io.alrai.cn.plan;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.Planned;
import io.alrai.optimizer.api.shape.ShapedText;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

  private void keep(ShapedText text, Planned planned) {
    cache.keep(new PlanCache.Entry(text, "s", planned, null), 7);
  }

  private @Nullable Planned found(ShapedText text) {
    PlanCache.Entry entry = cache.find(text, 7, "s");
    return entry == null ? null : entry.planned;
  }

  @Test
  void whatAStatementNeedsIsFoundOnce() {
    keep(ShapedText.of(select(1, "one")), forShape);
    PlanCache.Entry entry = cache.find(ShapedText.of(select(1, "two")), 7, "s");
    assertNotNull(entry);
    Needs needs = new Needs(List.of(new Need.OnTable("s", "t", 1)));
    assertSame(needs, entry.needs(() -> needs));
    assertSame(needs, entry.needs(() -> Needs.NONE));
  }

  @Test
  void findsAPlanByTheShapeOfItsText() {
    keep(ShapedText.of(select(1, "one")), forShape);
    assertSame(forShape, found(ShapedText.of(select(1, "two"))));
    assertNull(cache.find(ShapedText.of(select(2, "two")), 7, "s"));
    assertNull(cache.find(ShapedText.of(select(1, "two")), 7, "another"));
    assertNull(cache.find(ShapedText.of(select(1, "two")), 8, "s"));
  }

  @Test
  void findsAPlanForOneTextByThatTextOnly() {
    keep(ShapedText.of(select(1, "one")), forText);
    assertNull(cache.find(ShapedText.of(select(1, "two")), 7, "s"));
    assertSame(forText, found(ShapedText.of(select(1, "one"))));
  }

  @Test
  void aLongLiteralCountsOnlyWhereThePlanIsForOneText() {
    ShapedText text = ShapedText.of(select(1, "x".repeat(PlanCache.MOST_BYTES_EACH)));
    keep(text, forText);
    assertNull(cache.find(text, 7, "s"));
    keep(text, forShape);
    assertSame(forShape, found(text));
  }

  @Test
  void longShapesDoNotAddUpWithoutAnEnd() {
    int columns = PlanCache.MOST_BYTES_EACH / 3 - 100;
    ShapedText first = ShapedText.of(select(columns, "one"));
    keep(first, forShape);
    assertNotNull(cache.find(first, 7, "s"));
    for (int i = 1; i <= 2 * PlanCache.MOST_BYTES / PlanCache.MOST_BYTES_EACH; i++) {
      keep(ShapedText.of(select(columns - i, "one")), forShape);
    }
    assertNull(cache.find(first, 7, "s"));
  }
}
