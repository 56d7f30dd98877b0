package io.alrai.cn.shard;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.cn.tx.branch.Savepoints;
import io.alrai.common.error.AlraiException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A statement that is undone alone where it fails within a transaction. On the virtual thread that
 * the session is lent to.
 */
final class StatementSavepoint {
  private final SessionShards shards;
  private final String name;

  /**
   * Before a statement.
   *
   * @param name of the savepoint; what runs within the statement has another
   */
  StatementSavepoint(SessionShards shards, String name) {
    this.shards = shards;
    this.name = name;
  }

  /** Runs the statement. */
  <T> T around(Supplier<T> work) {
    shards.onLoop(() -> transaction().savepoint(Savepoints.Action.SET, name));
    T result;
    try {
      result = work.get();
    } catch (RuntimeException | VirtualMachineError error) { // no memory: nothing of it stays
      undo(error);
      throw error;
    }
    run(Savepoints.Action.RELEASE);
    return result;
  }

  /** Undoes a statement that failed; where that cannot be done alone, its transaction. */
  private void undo(Throwable error) {
    try {
      run(Savepoints.Action.ROLLBACK_TO);
      run(Savepoints.Action.RELEASE);
    } catch (AlraiException undone) {
      shards.onLoop(transaction()::rollback);
      AlraiException both = BranchControl.undone(AlraiException.causeOf(error));
      both.addSuppressed(undone);
      throw both;
    }
  }

  /** If it is there still: it goes with its transaction. */
  private void run(Savepoints.Action action) {
    shards.onLoop(() ->
        transaction().hasSavepoint(name)
            ? transaction().savepoint(action, name)
            : CompletableFuture.completedFuture(null));
  }

  private SessionTransaction transaction() {
    return shards.session().transaction();
  }
}
