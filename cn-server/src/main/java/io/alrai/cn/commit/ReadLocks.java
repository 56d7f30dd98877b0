package io.alrai.cn.commit;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.snapshot.SessionReads;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.cn.tx.branch.BranchEnding;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The branches of a transaction that changed nothing and hold locks of its reads, while its writes
 * commit on other DNs. Whoever gets these locks must come after the transaction in everybody's
 * view: they are held until that is sure, and a transaction that has lost one does not commit.
 * Event loop only.
 */
public final class ReadLocks {
  private final TransactionSource source;
  private final SessionReads reads;
  private final List<TransactionBranch> branches;
  private final Optional<TransactionId> id;

  /** The read locks of these branches. */
  public ReadLocks(
      TransactionSource source,
      SessionReads reads,
      List<TransactionBranch> branches,
      Optional<TransactionId> id) {
    this.source = source;
    this.reads = reads;
    this.branches = List.copyOf(branches);
    this.id = id;
  }

  public boolean none() {
    return branches.isEmpty();
  }

  /** Asks each mysqld; fails with a RETRY error when a connection, and so its locks, is gone. */
  public CompletableFuture<Void> verify() {
    return all(branch ->
        BranchControl.run(branch.branch(), Sql.of("DO 0"))
            .handle((held, error) -> {
              if (error != null) {
                throw BranchControl.broken(branch.branch().dn());
              }
              return null;
            }));
  }

  /**
   * Makes each DN stamp what commits from now on above what the session has written; otherwise it
   * might be stamped at a lower snapshot that waits there. Never fails: a DN that cannot do so
   * opens no snapshots either.
   */
  public CompletableFuture<Void> passStamp() {
    HlcTimestamp stamp = new HlcTimestamp(reads.stamp());
    return all(branch ->
        source
            .views(branch.branch().dn())
            .open(branch.branch(), stamp, "DO 0", "DO 0", false)
            .handle((opening, error) -> null));
  }

  /** Releases them after the transaction's writes; never fails. */
  public CompletableFuture<Void> end(boolean committed) {
    return all(branch ->
        committed
            ? BranchEnding.withoutWrites(branch, id.orElse(null))
            : BranchEnding.rollback(branch, id.orElse(null)));
  }

  private CompletableFuture<Void> all(Function<TransactionBranch, CompletableFuture<Void>> action) {
    return CompletableFuture.allOf(branches.stream().map(action).toArray(CompletableFuture[]::new));
  }
}
