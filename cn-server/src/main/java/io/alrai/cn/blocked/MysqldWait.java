package io.alrai.cn.blocked;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One transaction of a mysqld waits for a lock that another one has, or waits for before it.
 * Numbers and times are texts as the mysqld gives them.
 *
 * @param wanted the lock that is waited for; none where it is gone by now
 * @param had the one that is in its way
 */
record MysqldWait(
    Transaction waiting, Transaction blocking, Optional<Lock> wanted, Optional<Lock> had) {
  /**
   * A transaction.
   *
   * @param connection the mysqld's number of whose it is; 0 for one that is prepared and detached
   */
  record Transaction(
      String id,
      @Nullable String waitStarted,
      @Nullable String waitAge,
      @Nullable String waitSeconds,
      @Nullable String started,
      @Nullable String age,
      @Nullable String rowsLocked,
      @Nullable String rowsModified,
      long connection) {}

  /** A lock, with the name of its physical schema. */
  record Lock(
      String id,
      @Nullable String schema,
      @Nullable String table,
      @Nullable String partition,
      @Nullable String subpartition,
      @Nullable String index,
      @Nullable String type,
      @Nullable String mode) {}
}
