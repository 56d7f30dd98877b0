package io.alrai.cn.tx;

import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.snapshot.SessionReads;
import io.alrai.cn.snapshot.TransactionSnapshot;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.common.time.HlcTimestamp;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Snapshots of reads that see column indexes instead of the DNs' views. Event loop only. */
public final class ColumnReads {
  private ColumnReads() {}

  /**
   * Whether a session can read as of a snapshot; otherwise it must see what it has written itself.
   */
  public static boolean possible(SessionTransaction transaction) {
    boolean wrote = transaction.branches().stream().anyMatch(TransactionBranch::wrote);
    return !wrote && !transaction.held().tableLocks().held();
  }

  /** Whether others may wait for rows that the session has locked, while it reads columns. */
  public static boolean locksRows(SessionTransaction transaction) {
    return transaction.branches().stream().anyMatch(TransactionBranch::locked);
  }

  /**
   * What a consistent read of a session sees: outside of a transaction, and under READ COMMITTED,
   * all that is committed by now; under REPEATABLE READ the transaction's snapshot, which is chosen
   * if this is its first read. Fails as {@link SessionTransaction#read} does.
   *
   * @return completes on the event loop, empty where the read must go to the rows themselves: it
   *     has to see the transaction's own writes, or locks rows, or tables are locked
   */
  public static CompletableFuture<Optional<HlcTimestamp>> snapshot(
      SessionTransaction transaction, TransactionSource source, SessionSettings settings) {
    if (!possible(transaction)) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    if (!transaction.open() || TransactionSnapshot.perStatement(transaction.options(), settings)) {
      SessionReads reads = transaction.reads();
      return source
          .snapshots()
          .next(reads.stamp())
          .thenApplyAsync(
              next -> {
                reads.saw(next.value());
                return Optional.of(next);
              },
              source.loop());
    }
    return transaction
        .read(source.dataNodes(), settings)
        .thenApply(viewed -> {
          transaction.views().keepSnapshot();
          return transaction.snapshot();
        });
  }
}
