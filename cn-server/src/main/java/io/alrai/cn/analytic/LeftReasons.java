package io.alrai.cn.analytic;

import io.alrai.optimizer.api.ShapedStatement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Why statements were left to the row store while they ran, so that EXPLAIN can say what no plan
 * shows: values that the executor does not compare. Thread-safe.
 */
final class LeftReasons {
  private static final int MOST = 1_000;

  /** By shape, the longest not used first. Guarded by itself. */
  private final Map<String, String> reasons = new LinkedHashMap<>(16, 0.75f, true);

  /** One was left. */
  void add(ShapedStatement statement, String reason) {
    synchronized (reasons) {
      reasons.put(statement.shape(), reason);
      if (reasons.size() > MOST) {
        reasons.remove(reasons.keySet().iterator().next());
      }
    }
  }

  /** One was answered. */
  void forget(ShapedStatement statement) {
    synchronized (reasons) {
      reasons.remove(statement.shape());
    }
  }

  /** Of the last statement of that shape, if it was left. */
  Optional<String> of(ShapedStatement statement) {
    synchronized (reasons) {
      return Optional.ofNullable(reasons.get(statement.shape()));
    }
  }
}
