package io.alrai.gms.api;

/** What a {@link ClusterLock} holds off; each stage also what those before it do. */
public enum LockStage {
  /** Definitions, of tables as well as of accounts. */
  DEFINITIONS,

  /** Statements that may change rows. */
  STATEMENTS,

  /** Commits of transactions that may have changed rows. */
  COMMITS
}
