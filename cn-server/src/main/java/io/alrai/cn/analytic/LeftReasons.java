package io.alrai.cn.analytic;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Why statements were left to the row store while they ran, so that EXPLAIN can say what no plan
 * shows: values that the executor does not compare. Thread-safe.
 */
final class LeftReasons {
  static final int MOST = 1_000;

  /** Of characters of a shape; longer ones are not kept. */
  static final int LONGEST = 8_192;

  private record Shape(String schema, String text) {}

  /** Least recently used first. Guarded by itself. */
  private final Map<Shape, String> reasons = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * A statement was left to the row store.
   *
   * @param schema the session's
   */
  void add(String schema, String shape, String reason) {
    if (shape.length() > LONGEST) {
      return;
    }
    synchronized (reasons) {
      reasons.put(new Shape(schema, shape), reason);
      if (reasons.size() > MOST) {
        reasons.remove(reasons.keySet().iterator().next());
      }
    }
  }

  /** A statement was answered. */
  void forget(String schema, String shape) {
    synchronized (reasons) {
      reasons.remove(new Shape(schema, shape));
    }
  }

  /** The reason for the last statement of that shape, if it was left. */
  Optional<String> of(String schema, String shape) {
    synchronized (reasons) {
      return Optional.ofNullable(reasons.get(new Shape(schema, shape)));
    }
  }
}
