package io.alrai.cn.commit;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.binlog.DecisionRow;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps the row locks of branches that may have changed nothing until the transaction is decided
 * and visible: mysqld drops the locks of such an XA branch at XA PREPARE, and a primary of that
 * kind has no commit in the log that its locks could wait for. So each such branch inserts a row of
 * Alrai's own and deletes it again, before anybody sees it. Event loop only.
 */
public final class LockKeeping {
  private LockKeeping() {}

  /** Whether the branch holds locks, and is not known to have changed a row. */
  static boolean mayLoseLocks(TransactionBranch branch) {
    return branch.claims() && !branch.changed();
  }

  /**
   * Has those branches change something that may lose locks; fails with the error of one that
   * cannot.
   */
  public static CompletableFuture<Void> keep(
      Collection<TransactionBranch> branches, TransactionId id) {
    // unlike the transaction's own row, which a client's XA PREPARE or a tombstone may write
    byte[] row = ("t" + id.gtrid().substring(1)).getBytes(StandardCharsets.US_ASCII);
    Sql insert =
        Sql.of("INSERT INTO alrai.tx_log (txid,commit_ts,participants) VALUES (")
            .hex(row)
            .words(",0,")
            .hex(DecisionRow.COPIED.getBytes(StandardCharsets.US_ASCII))
            .words(")");
    Sql delete = Sql.of("DELETE FROM alrai.tx_log WHERE txid=").hex(row);
    return CompletableFuture.allOf(
        branches.stream()
            .filter(LockKeeping::mayLoseLocks)
            .map(branch -> BranchControl.run(branch.branch(), insert, delete))
            .toArray(CompletableFuture[]::new));
  }
}
