package io.alrai.cn.tx;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.TransactionId;
import io.alrai.dn.link.Branch;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The ways a single branch ends; each gives the branch back. Event loop only. */
final class BranchEnding {
  private BranchEnding() {}

  /** A branch that changed nothing; never fails. */
  static CompletableFuture<Void> withoutWrites(
      TransactionBranch branch, @Nullable TransactionId id) {
    return branch.primary()
        ? quietly(branch.branch(), "COMMIT")
        : quietly(branch.branch(), xaRollback(branch, id));
  }

  /** The only branch that wrote: its local commit is the commit. */
  static CompletableFuture<Void> onePhase(TransactionBranch branch, @Nullable TransactionId id) {
    Branch connection = branch.branch();
    CompletableFuture<Void> done =
        branch.primary()
            ? SessionTransaction.run(connection, "COMMIT")
            : SessionTransaction.run(
                connection,
                "XA END " + XaNames.literal(known(id), connection.dn()),
                "XA COMMIT " + XaNames.literal(known(id), connection.dn()) + " ONE PHASE");
    return done.handle((ok, error) -> {
      if (error == null) {
        connection.release();
        return null;
      }
      connection.close();
      throw error instanceof AlraiException reason && connectionBroke(reason)
          ? new AlraiException(
              ErrorCode.ALRAI_COMMIT_IN_DOUBT,
              "the connection to "
                  + connection.dn()
                  + " broke during COMMIT: the transaction"
                  + " may or may not be committed",
              reason)
          : asAlrai(error);
    });
  }

  private static boolean connectionBroke(AlraiException reason) {
    return reason.errno() == ErrorCode.CR_SERVER_LOST.errno();
  }

  private static AlraiException asAlrai(Throwable error) {
    return error instanceof AlraiException reason
        ? reason
        : new AlraiException(ErrorCode.ALRAI_INTERNAL, "commit failed: " + error, error);
  }

  /** Undoes a branch; never fails: a branch that cannot be told is closed, which undoes it too. */
  static CompletableFuture<Void> rollback(TransactionBranch branch, @Nullable TransactionId id) {
    return branch.primary()
        ? quietly(branch.branch(), "ROLLBACK")
        : quietly(branch.branch(), xaRollback(branch, id));
  }

  private static String[] xaRollback(TransactionBranch branch, @Nullable TransactionId id) {
    String name = XaNames.literal(known(id), branch.branch().dn());
    return new String[] {"XA END " + name, "XA ROLLBACK " + name};
  }

  private static CompletableFuture<Void> quietly(Branch connection, String... statements) {
    return SessionTransaction.run(connection, statements)
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
