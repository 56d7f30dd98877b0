package io.alrai.cn.columnar;

import io.alrai.common.time.HlcTimestamp;
import io.alrai.executor.exchange.PlanRows;
import io.alrai.executor.fragment.AnalyticPlan;
import io.alrai.executor.task.Cancellation;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.stats.TableStatistics;
import java.util.List;

/** Column nodes, as the statements of a CN see them. Blocking; thread-safe. */
public interface RemotePlans {
  /**
   * A plan that is to run.
   *
   * @param tables that it was made for, all that it reads
   * @param at the snapshot
   * @param mostBytes of memory that it may come to have there
   */
  record Sent(AnalyticPlan plan, List<Table> tables, HlcTimestamp at, long mostBytes) {
    public Sent {
      tables = List.copyOf(tables);
    }
  }

  /**
   * Has a plan run to its end.
   *
   * @return its rows, which come as they are read; to be closed
   * @throws io.alrai.common.error.AlraiException 1317 when it was cancelled, ALRAI_NODE_UNAVAILABLE
   *     where no node can run it, else what it failed with there
   */
  PlanRows run(Sent sent, Cancellation cancellation);

  /** What the index of a table tells of its rows as of a timestamp. */
  TableStatistics statistics(Table table, HlcTimestamp at);
}
