package io.alrai.cn.snapshot;

import io.alrai.cn.branch.BranchSource;
import io.alrai.cn.settings.ReplicaSettings;

/** Where a session gets what its transactions need. */
public interface TransactionSource extends BranchSource {
  /** Which transactions stay on the DNs of their first read. */
  SpreadPredictor predictor();

  /** Chooses snapshots. */
  SnapshotClock snapshots();

  /** Where snapshots and commits are counted. */
  TransactionCounts counts();

  /** Branches at members that follow, for the views of one snapshot. */
  default TransactionSource replicas(ReplicaSettings settings) {
    return new ReplicaBranches(this, settings);
  }
}
