package io.alrai.optimizer.api;

import io.alrai.executor.fragment.SlotValues;
import java.nio.charset.Charset;

/** Plans SELECTs over column indexes. Implementations are thread-safe. */
public interface AnalyticalPlanner {
  /**
   * Plans one statement, with the values that it brings.
   *
   * @param statement the shaped text
   * @param values of its slots; read during the call only
   * @param charset of strings in {@code values}
   * @param names what names mean
   * @return never a plan that could give another answer than MySQL
   */
  AnalyticalAnswer plan(
      ShapedStatement statement, SlotValues values, Charset charset, Planner.Context names);
}
