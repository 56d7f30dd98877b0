package io.alrai.cn.branch;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.CompletableFuture;

/** Sends statements of the CN's own to single branches: COMMIT, UNLOCK TABLES. Event loop only. */
public final class BranchControl {
  /** Whatever {@code completion_type} is: a connection that chains would not be free after it. */
  public static final String COMMIT = "COMMIT AND NO CHAIN NO RELEASE";

  /** See {@link #COMMIT}. */
  public static final String ROLLBACK = "ROLLBACK AND NO CHAIN NO RELEASE";

  private BranchControl() {}

  /** Runs statements; fails with the error of the first that does. */
  public static CompletableFuture<Void> run(Branch branch, Sql... statements) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    int last = statements.length - 1;
    for (int i = 0; i <= last; i++) {
      boolean isLast = i == last;
      branch.send(
          Commands.query(ByteBufAllocator.DEFAULT, statements[i]),
          ReplyKind.RESULTS,
          new StatusSink(error -> {
            if (error != null) {
              done.completeExceptionally(error);
            } else if (isLast) {
              done.complete(null);
            }
          }));
    }
    branch.flush();
    return done;
  }

  /** Queues a statement without which the branch is of no use. */
  public static void queue(Branch branch, Sql statement) {
    queue(branch, statement, ReplyKind.RESULTS);
  }

  /** Queues a text of several statements without which the branch is of no use. */
  public static void queueSeveral(Branch branch, Sql statements) {
    queue(branch, statements, ReplyKind.SEVERAL);
  }

  private static void queue(Branch branch, Sql text, ReplyKind kind) {
    branch.send(
        Commands.query(ByteBufAllocator.DEFAULT, text), kind, BranchPreparation.guard(branch));
  }

  /** Hands a branch over when what was queued is answered. */
  public static void whenBegun(Branch branch, BranchTaker taker) {
    BranchPreparation.whenIdle(
        branch,
        error -> {
          if (error == null) {
            taker.taken(branch);
          } else {
            taker.refused(error);
          }
        });
  }

  /** A branch of a transaction broke. */
  public static AlraiException broken(DnId dn) {
    return new AlraiException(
        ErrorCode.ER_LOCK_DEADLOCK,
        "the connection to "
            + dn
            + " broke and the transaction was rolled back; try restarting"
            + " transaction");
  }

  /** The error of a statement because of which its transaction was rolled back. */
  public static AlraiException undone(AlraiException reason) {
    if (reason.is(ErrorCode.ER_LOCK_DEADLOCK)) {
      return reason;
    }
    return new AlraiException(
        ErrorCode.ER_LOCK_DEADLOCK,
        reason.sentence() + "; the transaction was rolled back, try restarting transaction",
        reason);
  }

  /**
   * The error of a statement whose transaction has ended with it: where a connection broke, or its
   * mysqld ended, the whole transaction can be tried again. Any other error stays as it is.
   */
  public static AlraiException ended(AlraiException reason) {
    return losesTransaction(reason) ? undone(reason) : reason;
  }

  /** Whether an error says that its mysqld has no part in the transaction any more. */
  public static boolean losesTransaction(AlraiException error) {
    return error.is(ErrorCode.ER_LOCK_DEADLOCK)
        || error.is(ErrorCode.ER_SERVER_SHUTDOWN)
        || error.isLostConnection();
  }

  /** What InnoDB says of a deadlock. */
  public static AlraiException deadlock(AlraiException interrupted) {
    return new AlraiException(
        ErrorCode.ER_LOCK_DEADLOCK,
        "Deadlock found when trying to get lock; try restarting transaction",
        interrupted);
  }
}
