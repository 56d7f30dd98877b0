package io.alrai.cn.snapshot;

import io.alrai.cn.branch.BranchSource;

/** Provides a session with what its transactions need. */
public interface TransactionSource extends BranchSource {
  /** Predicts which transactions stay on the DN of their first read. */
  SpreadPredictor predictor();

  /** Chooses snapshots. */
  SnapshotClock snapshots();

  /** Where snapshots and commits are counted. */
  TransactionCounts counts();
}
