package io.alrai.cn.route;

import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.fragment.Targets;
import org.jspecify.annotations.Nullable;

/**
 * Finds the one place of a statement without blocking. Thread-safe; called on event loops, so what
 * would need a question to a mysqld is answered by null.
 */
public interface PlaceFinder {
  /**
   * The one place that a statement touches, or null when there are several or that cannot be told
   * here. {@link Targets.AnyDn} and {@link Targets.EveryDn} are not asked.
   */
  @Nullable ShardPlace single(Targets targets, SlotValues values);

  /**
   * The one place of an INSERT that may be forwarded as it came: verbatim, every id given and below
   * what the sequence has reached. Null when there are several, or that cannot be told here.
   */
  @Nullable ShardPlace single(InsertRows rows, SlotValues values, int foldedRows);
}
