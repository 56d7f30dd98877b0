package io.alrai.dn.gate.live;

import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.rows.RowCache;
import java.util.OptionalLong;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/** What one life of a gate does for the replies that are kept in it. */
final class KeptRows implements RowCache.Wants {
  /** What is written faster than that is not worth keeping. */
  private static final long LOOK_MILLIS = 20;

  private final GateLife life;
  private final GateWork work;
  private final RowCache cache;
  private final AtomicBoolean looking = new AtomicBoolean();

  KeptRows(GateLife life, GateWork work, BinlogPosition start, GateCounts counts) {
    this.life = life;
    this.work = work;
    this.cache = new RowCache(start.ordinal(), this, counts.rowsFound());
  }

  RowCache cache() {
    return cache;
  }

  @Override
  public void watched(KeyedTable table) {
    onLoop(() -> {
      OptionalLong since = cache.statements();
      if (since.isEmpty()) {
        cache.askAgain(table);
        laterVisible();
        return;
      }
      work.isWatchable(table)
          .whenComplete((can, error) ->
              onLoop(() -> {
                if (error != null) {
                  cache.askAgain(table);
                } else if (can) {
                  cache.watch(table, since.getAsLong());
                }
              }));
    });
  }

  @Override
  public void laterVisible() {
    if (looking.compareAndSet(false, true)) {
      onLoop(() -> life.views().look(() -> life.after(LOOK_MILLIS, () -> looking.set(false))));
    }
  }

  private void onLoop(Runnable action) {
    try {
      life.onLoop(action);
    } catch (RejectedExecutionException stopping) {
      // nobody reads any more
      looking.set(true);
    }
  }
}
