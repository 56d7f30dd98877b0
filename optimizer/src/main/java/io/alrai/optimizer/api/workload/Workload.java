package io.alrai.optimizer.api.workload;

/** The two kinds of statements. */
public enum Workload {
  /** Transactional: few rows, the row store. */
  TP,
  /** Analytical: many rows, column indexes where there are any. */
  AP
}
