package io.alrai.cn.analytic;

import io.alrai.cn.session.Session;
import io.alrai.cn.shard.SessionShards;
import io.alrai.cn.tx.ColumnReads;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.task.Cancellation;
import io.alrai.optimizer.api.ShapedStatement;
import java.util.concurrent.CompletableFuture;

/**
 * A SELECT as a session asks for it.
 *
 * @param session whose; lent to the thread that runs the statement
 * @param shards the session's ways to the DNs
 * @param statement its text, cut into shape and slots
 * @param values of its slots
 * @param select how the row store would answer it
 * @param cancellation ends it, from before it is planned until its rows are sent
 */
public record AskedSelect(
    Session session,
    SessionShards shards,
    ShapedStatement statement,
    SlotValues values,
    Plan.Select select,
    Cancellation cancellation) {
  /** Whether others may wait for its transaction. */
  boolean locksRows() {
    SessionTransaction transaction = session.transaction();
    return transaction.open()
        && shards.onLoop(
            () -> CompletableFuture.completedFuture(ColumnReads.locksRows(transaction)));
  }
}
