package io.alrai.cn.tx.branch;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.BranchSource;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.XaName;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Ends the branches of a transaction. Event loop only. */
public final class BranchEnding {
  private BranchEnding() {}

  /** Ends a branch that changed nothing; never fails. */
  public static CompletableFuture<Void> withoutWrites(
      TransactionBranch branch, @Nullable TransactionId id) {
    if (branch.plain()) {
      return quietly(branch.branch(), Sql.of(BranchControl.COMMIT));
    }
    // a change that was not reported must not be undone
    return quietly(branch.branch(), branch.wrote() ? xaCommit(branch, id) : xaRollback(branch, id));
  }

  private static Sql[] xaCommit(TransactionBranch branch, @Nullable TransactionId id) {
    Sql name = XaName.name(known(id), branch.branch().dn());
    return new Sql[] {
      Sql.of("XA END ").add(name), Sql.of("XA COMMIT ").add(name).words(" ONE PHASE")
    };
  }

  /**
   * Commits the only branch that wrote: its local commit is the commit. Where its answer is lost,
   * whoever leads the DN next knows what became of it.
   */
  public static CompletableFuture<Void> onePhase(
      TransactionBranch branch, @Nullable TransactionId id, BranchSource source) {
    Branch connection = branch.branch();
    CompletableFuture<Void> done =
        branch.plain()
            ? BranchControl.run(connection, Sql.of(BranchControl.COMMIT))
            : BranchControl.run(connection, xaCommit(branch, id));
    return done.handle(
            (ok, error) -> {
              if (error == null) {
                connection.release();
                return done;
              }
              connection.close();
              return error instanceof AlraiException reason
                      && reason.isLostConnection()
                      && !reason.hasNotRun()
                  ? LostCommit.settle(source, connection, reason)
                  : CompletableFuture.<Void>failedFuture(asAlrai(connection.dn(), error));
            })
        .thenCompose(Function.identity());
  }

  /** The error of a COMMIT that has certainly not committed. */
  private static AlraiException asAlrai(DnId dn, Throwable error) {
    if (error instanceof AlraiException reason) {
      return reason.hasNotRun() ? BranchControl.broken(dn) : reason;
    }
    return new AlraiException(ErrorCode.ALRAI_INTERNAL, "commit failed: " + error, error);
  }

  /**
   * Undoes a branch; never fails: a branch that cannot be reached is closed, which undoes it too.
   */
  public static CompletableFuture<Void> rollback(
      TransactionBranch branch, @Nullable TransactionId id) {
    return branch.plain()
        ? quietly(branch.branch(), Sql.of(BranchControl.ROLLBACK))
        : quietly(branch.branch(), xaRollback(branch, id));
  }

  private static Sql[] xaRollback(TransactionBranch branch, @Nullable TransactionId id) {
    Sql name = XaName.name(known(id), branch.branch().dn());
    return new Sql[] {Sql.of("XA END ").add(name), Sql.of("XA ROLLBACK ").add(name)};
  }

  private static CompletableFuture<Void> quietly(Branch connection, Sql... statements) {
    return BranchControl.run(connection, statements)
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
}
