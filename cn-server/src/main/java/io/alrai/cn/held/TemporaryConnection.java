package io.alrai.cn.held;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.snapshot.ForwardingBranch;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.cn.tx.branch.Savepoints;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connection that a session keeps while it has temporary tables: these are the mysqld's own,
 * which nobody else sees, and end with it. Plans name its place by {@link DnId#OF_SESSION}. What
 * the session's transaction does there is begun and ended with it, but is no branch of it: no crash
 * leaves any of it behind that had to agree with others. Where the connection breaks the tables are
 * gone, as they are when a plain mysqld restarts: the client's connection ends then, too. Event
 * loop only, unless said otherwise.
 *
 * <pre>
 * NONE -> KEPT (take) -> NONE (unused, drop)
 *         KEPT -> LOST (the connection broke)
 * </pre>
 */
public final class TemporaryConnection {
  private final TransactionSource source;
  private final Savepoints savepoints;
  private final BooleanSupplier inXa;
  private @Nullable Kept kept;
  private volatile @Nullable DnId dn;
  private boolean begun;
  private boolean unused;
  private boolean abandoned;

  /** The connection as statements get it: giving it back keeps it with the session. */
  private static final class Kept extends ForwardingBranch {
    private final Branch branch;

    Kept(Branch branch) {
      super(branch);
      this.branch = branch;
    }

    @Override
    public void release() {}

    @Override
    public void releaseViewed() {}

    /** Nobody else writes what is read here. */
    @Override
    public void watch() {}

    @Override
    public boolean disturbed() {
      return false;
    }
  }

  /** {@code inXa} says whether the transaction is one that the client may prepare. */
  public TemporaryConnection(
      TransactionSource source, Savepoints savepoints, BooleanSupplier inXa) {
    this.source = source;
    this.savepoints = savepoints;
    this.inXa = inXa;
  }

  /** Where the tables are. Any thread that has the session. */
  public @Nullable DnId dn() {
    return dn;
  }

  /** Takes it for a statement outside of any transaction; the branch is not prepared. */
  public void take(BranchTaker taker) {
    Kept mine = kept;
    if (mine == null) {
      source.takeForTemporaryTables(new Opening(taker));
    } else if (mine.alive()) {
      unused = false;
      taker.taken(mine);
    } else {
      taker.refused(gone());
    }
  }

  /** Takes it for a statement of the session's transaction. */
  public void take(SessionSettings settings, String schema, BranchTaker taker) {
    if (inXa.getAsBoolean()) {
      taker.refused(
          new AlraiException(
              ErrorCode.ER_XA_TEMP_TABLE,
              "XA: Temporary tables cannot be accessed inside XA transactions when"
                  + " xa_detach_on_prepare=ON"));
      return;
    }
    take(
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            BranchPreparation.queue(branch, settings, schema);
            begin(branch);
            taker.taken(branch);
          }

          @Override
          public void refused(AlraiException reason) {
            taker.refused(reason);
          }
        });
  }

  /** Each statement sees copies of other tables that were made for it. */
  private void begin(Branch branch) {
    if (begun) {
      return;
    }
    begun = true;
    BranchControl.queue(branch, Sql.of("SET TRANSACTION ISOLATION LEVEL READ COMMITTED"));
    BranchControl.queue(branch, Sql.of("START TRANSACTION"));
    savepoints.queue(branch);
  }

  private final class Opening implements BranchTaker {
    private final BranchTaker taker;

    Opening(BranchTaker taker) {
      this.taker = taker;
    }

    @Override
    public void taken(Branch branch) {
      if (abandoned) {
        branch.release();
        taker.refused(AlraiException.interruption());
        return;
      }
      BranchControl.queue(branch, Sql.of("SET SESSION wait_timeout=" + NamedLocks.LONGEST_WAIT));
      kept = new Kept(branch);
      dn = branch.dn();
      take(taker);
    }

    @Override
    public void refused(AlraiException reason) {
      taker.refused(reason);
    }
  }

  /** Commits the transaction's part here. Never fails. */
  public CompletableFuture<Void> commit() {
    return end(Sql.of(BranchControl.COMMIT));
  }

  /** Commits after the transaction's commit, and ends as that does. */
  public CompletableFuture<Void> behind(CompletableFuture<Void> commit) {
    return begun
        ? commit
            .handle((ok, error) -> error == null ? commit() : rollback())
            .thenCompose(ended -> ended)
            .thenCompose(ended -> commit)
        : commit;
  }

  /** Rolls back the transaction's part here. Never fails. */
  public CompletableFuture<Void> rollback() {
    return end(Sql.of(BranchControl.ROLLBACK));
  }

  /** A connection that cannot be reached is lost, and with it the tables. */
  private CompletableFuture<Void> end(Sql sql) {
    Kept mine = kept;
    if (mine == null || !begun) {
      return CompletableFuture.completedFuture(null);
    }
    begun = false;
    return BranchControl.run(mine, sql)
        .handle((ok, error) -> {
          if (error != null) {
            mine.close();
          } else if (unused) {
            giveBack();
          }
          return null;
        });
  }

  /** Runs a savepoint's statement here too, as on the transaction's branches. */
  public CompletableFuture<Void> savepoint(Sql sql) {
    Kept mine = kept;
    return mine == null || !begun
        ? CompletableFuture.completedFuture(null)
        : BranchControl.run(mine, sql);
  }

  /** There is no temporary table any more: the connection is given back after the transaction. */
  public void unused() {
    unused = true;
    if (!begun) {
      giveBack();
    }
  }

  private void giveBack() {
    Kept mine = kept;
    kept = null;
    dn = null;
    unused = false;
    if (mine != null) {
      mine.branch.release();
    }
  }

  /** Whether the session had tables on a connection that broke. */
  public boolean lost() {
    Kept mine = kept;
    return mine != null && !mine.alive();
  }

  /** The error for a client whose tables are lost. */
  public static AlraiException gone() {
    return new AlraiException(
        ErrorCode.ER_SERVER_SHUTDOWN,
        "The connection to the DN that had this session's temporary tables broke, and they are"
            + " gone: connect again");
  }

  /** Drops the tables: the session begins anew. */
  public void drop() {
    Kept mine = kept;
    kept = null;
    dn = null;
    begun = false;
    unused = false;
    if (mine != null) {
      mine.close();
    }
  }

  /** The session has ended. */
  public void abandon() {
    abandoned = true;
    drop();
  }
}
