package io.alrai.cn.snapshot;

import io.alrai.cn.snapshot.SnapshotOpening.Request;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** How the branches of a transaction open their views. Event loop only. */
public final class ViewRequests {
  /** Has InnoDB open the transaction's view, whatever {@code sql_select_limit} is. */
  private static final String LOOK = "SELECT 1 FROM alrai.tx_log WHERE txid=X'' LIMIT 1";

  private ViewRequests() {}

  /** Opens the view on a branch that has begun without one. */
  public static Request onBegun(Branch branch) {
    return new Request(branch.dn(), Optional.of(branch), LOOK, "", true);
  }

  /**
   * Opens the view with a plain transaction.
   *
   * @param taken a branch to use, if it is one of this DN
   */
  public static Request plain(
      DnId dn, Optional<Branch> taken, TransactionOptions options, boolean needed) {
    return new Request(
        dn,
        taken.filter(branch -> branch.dn().equals(dn)),
        level(options) + start(true, options.readOnly()),
        Request.ROLLBACK,
        needed);
  }

  /**
   * Opens the view with an XA branch.
   *
   * @param taken a branch to use, if it is one of this DN
   */
  public static Request xa(
      DnId dn, Optional<Branch> taken, String name, TransactionOptions options, boolean needed) {
    return new Request(
        dn,
        taken.filter(branch -> branch.dn().equals(dn)),
        level(options) + "XA START " + name + ";" + LOOK,
        "XA END " + name + ";XA ROLLBACK " + name,
        needed);
  }

  /**
   * A request that holds whatever the session's isolation has become; not for a branch that has
   * begun.
   */
  static Request repeatable(Request request) {
    return request.undo().isEmpty()
        ? request
        : new Request(
            request.dn(),
            request.existing(),
            "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;" + request.opening(),
            request.undo(),
            request.needed(),
            request.begun(),
            request.follower());
  }

  /**
   * How a plain transaction begins: with a view also on a connection that is in another one. READ
   * ONLY would go from the old one to the new one if this said nothing.
   */
  public static String start(boolean view, boolean readOnly) {
    if (view) {
      return "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ " + (readOnly ? "ONLY" : "WRITE");
    }
    return "START TRANSACTION" + (readOnly ? " READ ONLY" : "");
  }

  private static String level(TransactionOptions options) {
    return options.isolation().isEmpty()
        ? ""
        : "SET TRANSACTION ISOLATION LEVEL " + options.isolation() + ";";
  }

  /** Takes a branch of the session. */
  public static CompletableFuture<Branch> take(TransactionSource source, DnId dn) {
    CompletableFuture<Branch> future = new CompletableFuture<>();
    try {
      source.take(
          dn,
          "",
          new BranchTaker() {
            @Override
            public void taken(Branch branch) {
              future.complete(branch);
            }

            @Override
            public void refused(AlraiException reason) {
              future.completeExceptionally(reason);
            }
          });
    } catch (AlraiException noLink) {
      future.completeExceptionally(noLink);
    }
    return future;
  }
}
