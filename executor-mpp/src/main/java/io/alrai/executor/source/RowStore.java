package io.alrai.executor.source;

import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.PlanNode;
import java.util.List;
import java.util.stream.Stream;

/** The shards, as one query sees them. Any thread. */
@FunctionalInterface
public interface RowStore {
  /**
   * The rows of a scan at the query's snapshot, one value for each of its columns, in no order.
   *
   * @return to be read on the calling thread and closed
   * @throws io.alrai.common.error.AlraiException what a shard failed with
   */
  Stream<List<Constant>> rows(PlanNode.RowStoreScan scan);
}
