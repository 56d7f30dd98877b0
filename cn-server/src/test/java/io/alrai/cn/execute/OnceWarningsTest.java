package io.alrai.cn.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.optimizer.api.shape.ShapedText;
import java.util.List;
import org.junit.jupiter.api.Test;

class OnceWarningsTest {
  private static final Condition LITERAL =
      new Condition("Warning", 1292, "Truncated incorrect DOUBLE value: 'x'");
  private static final Condition ROW =
      new Condition("Warning", 1292, "Truncated incorrect DOUBLE value: 'abc'");
  private static final Condition DEPRECATED =
      new Condition("Warning", 1681, "'VALUES function' is deprecated");

  @Test
  void whatTheTextCausesIsToldOnceAndWhatRowsCauseAsOften() {
    ShapedText statement = ShapedText.of("SELECT id FROM t WHERE id = 'x' AND s = 5");
    assertEquals(
        List.of(LITERAL, ROW, DEPRECATED, ROW),
        OnceWarnings.of(
            statement, List.of(LITERAL, ROW, DEPRECATED, LITERAL, ROW, DEPRECATED, LITERAL)));
  }
}
