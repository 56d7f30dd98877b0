package io.alrai.optimizer.api.workload;

import io.alrai.executor.fragment.SlotValues;
import io.alrai.optimizer.api.AnalyticalAnswer;
import io.alrai.optimizer.api.AnalyticalPlanner;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the answers of a planner for statements that come again with the same values, literals and
 * parameters alike: a plan is made for them. A newer catalog makes all older answers unreachable.
 * Thread-safe; two threads may plan the same statement at once.
 */
public final class KeptPlans implements AnalyticalPlanner {
  private final AnalyticalPlanner planner;
  private final Map<Key, AnalyticalAnswer> kept;

  /**
   * Keeps the answers that were asked for last.
   *
   * @param most how many
   */
  public KeptPlans(AnalyticalPlanner planner, int most) {
    this.planner = planner;
    this.kept =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<Key, AnalyticalAnswer> eldest) {
            return size() > most;
          }
        };
  }

  private record Key(
      long catalogVersion,
      String schema,
      boolean ansiQuotes,
      boolean noBackslashEscapes,
      Charset charset,
      String text,
      List<String> values) {}

  private static Key key(
      ShapedStatement statement, SlotValues values, Charset charset, Planner.Context names) {
    List<String> all = new ArrayList<>();
    for (int slot = 0; slot < values.count(); slot++) {
      all.add(
          values.kind(slot) + " " + new String(values.bytes(slot), StandardCharsets.ISO_8859_1));
    }
    return new Key(
        names.catalog().version(),
        names.currentSchema(),
        names.ansiQuotes(),
        names.noBackslashEscapes(),
        charset,
        statement.text(),
        all);
  }

  @Override
  public AnalyticalAnswer plan(
      ShapedStatement statement, SlotValues values, Charset charset, Planner.Context names) {
    Key key = key(statement, values, charset, names);
    Optional<AnalyticalAnswer> known;
    synchronized (kept) {
      known = Optional.ofNullable(kept.get(key));
    }
    if (known.isPresent()) {
      return known.get();
    }
    AnalyticalAnswer made = planner.plan(statement, values, charset, names);
    synchronized (kept) {
      kept.put(key, made);
    }
    return made;
  }

  /** Forgets all: statistics changed. */
  public void clear() {
    synchronized (kept) {
      kept.clear();
    }
  }
}
