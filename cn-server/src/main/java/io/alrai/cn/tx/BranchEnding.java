package io.alrai.cn.tx;

import io.alrai.cn.shard.BranchPreparation;
import io.alrai.cn.shard.Commands;
import io.alrai.cn.shard.StatusSink;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.XaName;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Statements on single branches, above all how they end. Event loop only. */
final class BranchEnding {
  /** Whatever {@code completion_type} is: a connection that chains would not be free after it. */
  static final String COMMIT = "COMMIT AND NO CHAIN NO RELEASE";

  /** See {@link #COMMIT}. */
  static final String ROLLBACK = "ROLLBACK AND NO CHAIN NO RELEASE";

  private BranchEnding() {}

  /** A branch that changed nothing; never fails. */
  static CompletableFuture<Void> withoutWrites(
      TransactionBranch branch, @Nullable TransactionId id) {
    if (branch.plain()) {
      return quietly(branch.branch(), Sql.of(COMMIT));
    }
    // a change that nobody was told of must not be undone
    return quietly(branch.branch(), branch.wrote() ? xaCommit(branch, id) : xaRollback(branch, id));
  }

  private static Sql[] xaCommit(TransactionBranch branch, @Nullable TransactionId id) {
    Sql name = XaName.name(known(id), branch.branch().dn());
    return new Sql[] {
      Sql.of("XA END ").add(name), Sql.of("XA COMMIT ").add(name).words(" ONE PHASE")
    };
  }

  /** The only branch that wrote: its local commit is the commit. */
  static CompletableFuture<Void> onePhase(TransactionBranch branch, @Nullable TransactionId id) {
    Branch connection = branch.branch();
    CompletableFuture<Void> done =
        branch.plain() ? run(connection, Sql.of(COMMIT)) : run(connection, xaCommit(branch, id));
    return done.handle((ok, error) -> {
      if (error == null) {
        connection.release();
        return null;
      }
      connection.close();
      throw error instanceof AlraiException reason
              && reason.isLostConnection()
              && !reason.hasNotRun()
          ? new AlraiException(
              ErrorCode.ALRAI_COMMIT_IN_DOUBT,
              "the connection to "
                  + connection.dn()
                  + " broke during COMMIT: the transaction"
                  + " may or may not be committed",
              reason)
          : asAlrai(connection.dn(), error);
    });
  }

  /** What a COMMIT failed with that has certainly not committed. */
  private static AlraiException asAlrai(DnId dn, Throwable error) {
    if (error instanceof AlraiException reason) {
      return reason.hasNotRun() ? broken(dn) : reason;
    }
    return new AlraiException(ErrorCode.ALRAI_INTERNAL, "commit failed: " + error, error);
  }

  /** Undoes a branch; never fails: a branch that cannot be told is closed, which undoes it too. */
  static CompletableFuture<Void> rollback(TransactionBranch branch, @Nullable TransactionId id) {
    return branch.plain()
        ? quietly(branch.branch(), Sql.of(ROLLBACK))
        : quietly(branch.branch(), xaRollback(branch, id));
  }

  private static Sql[] xaRollback(TransactionBranch branch, @Nullable TransactionId id) {
    Sql name = XaName.name(known(id), branch.branch().dn());
    return new Sql[] {Sql.of("XA END ").add(name), Sql.of("XA ROLLBACK ").add(name)};
  }

  private static CompletableFuture<Void> quietly(Branch connection, Sql... statements) {
    return run(connection, statements)
        .handle((ok, error) -> {
          if (error == null) {
            connection.release();
          } else {
            connection.close();
          }
          return null;
        });
  }

  private static TransactionId known(@Nullable TransactionId id) {
    if (id == null) {
      throw new IllegalStateException("an XA branch without an id");
    }
    return id;
  }

  /** Runs statements; fails with the error of the first that does. */
  static CompletableFuture<Void> run(Branch branch, Sql... statements) {
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
  static void queue(Branch branch, Sql statement) {
    queue(branch, statement, ReplyKind.RESULTS);
  }

  /** The same of several statements in one text. */
  static void queueSeveral(Branch branch, Sql statements) {
    queue(branch, statements, ReplyKind.SEVERAL);
  }

  private static void queue(Branch branch, Sql text, ReplyKind kind) {
    branch.send(
        Commands.query(ByteBufAllocator.DEFAULT, text), kind, BranchPreparation.guard(branch));
  }

  /** Hands a branch over when what was queued is answered. */
  static void whenBegun(Branch branch, BranchTaker taker) {
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
  static AlraiException broken(DnId dn) {
    return new AlraiException(
        ErrorCode.ER_LOCK_DEADLOCK,
        "the connection to "
            + dn
            + " broke and the transaction was rolled back; try restarting"
            + " transaction");
  }

  /** What InnoDB says of a deadlock. */
  static AlraiException deadlock(AlraiException interrupted) {
    return new AlraiException(
        ErrorCode.ER_LOCK_DEADLOCK,
        "Deadlock found when trying to get lock; try restarting transaction",
        interrupted);
  }
}
