package io.alrai.cn.command;

import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.forward.ForwardSender;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.shard.StatementViews;
import io.alrai.cn.snapshot.SessionReads;
import io.alrai.cn.snapshot.SnapshotOpening;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import java.util.List;
import java.util.Objects;

/**
 * Gets the branches on which statements are forwarded. A branch may come when its statement has
 * ended, by a defect or as its time has come: then it goes back, and the statement that is at work
 * meanwhile never sees it. Event loop only.
 */
final class ForwardBranches {
  /**
   * A statement to forward.
   *
   * @param account which of the mysqld's accounts; DATA stands for the session's
   * @param physicalSchema current schema; empty for any
   * @param columnSchema the physical schema that column definitions may name
   * @param access what it does with rows
   * @param idOfClient whether an id in the answer is the client's own, which LAST_INSERT_ID() does
   *     not return
   * @param moreFlag MORE_RESULTS_EXISTS when another statement follows, else 0
   * @param sequence of the client's next packet
   */
  record Request(
      DnId dn,
      BackendAccount account,
      String physicalSchema,
      String columnSchema,
      RowAccess access,
      boolean idOfClient,
      int moreFlag,
      int sequence) {
    /** Whether it has done nothing where its client has nothing of its answer. */
    boolean plainRead() {
      return !access.current() && !dn.equals(DnId.OF_SESSION);
    }
  }

  /** Whose branches they are. */
  interface Waiter {
    /** Whether this statement waits for a branch. */
    boolean awaits(Request what);

    /**
     * A branch has come.
     *
     * @param watches whether its read must not contradict what was read elsewhere
     */
    void taken(Request what, Branch taken, boolean inTransaction, boolean watches);

    /** A branch has come whose view is open. */
    void viewed(Request what, Branch view);

    /** There is no branch for the statement. */
    void notTaken(AlraiException reason);

    /** The statement cannot go on. */
    void defect(Throwable cause);
  }

  private final ClientConnection connection;
  private final Waiter waiter;

  ForwardBranches(ClientConnection connection, Waiter waiter) {
    this.connection = connection;
    this.waiter = waiter;
  }

  /** Takes a branch, that of the transaction where the statement runs in it. */
  void take(Request what, ForwardSender sends, boolean inTransaction, boolean watches) {
    if (connection.session().reads().replicas().chosen() && what.access() == RowAccess.CONSISTENT) {
      readAtReplica(what);
      return;
    }
    BranchTaker taker =
        new BranchTaker() {
          @Override
          public void taken(Branch taken) {
            if (!waiter.awaits(what)) {
              if (inTransaction) {
                taken.close();
              } else {
                taken.release(); // nothing was sent on it
              }
              return;
            }
            try {
              waiter.taken(what, taken, inTransaction, watches);
            } catch (RuntimeException | VirtualMachineError e) {
              defect(what, taken, e);
            }
          }

          @Override
          public boolean sendsText() {
            return sends.sendsText();
          }

          @Override
          public void refused(AlraiException reason) {
            ForwardBranches.this.refused(what, reason);
          }
        };
    Session session = connection.session();
    SessionSettings settings = session.variables().ofBackends();
    if (inTransaction) {
      session
          .transaction()
          .branch(what.dn(), settings, what.physicalSchema(), what.access(), taker);
    } else if (what.account() == BackendAccount.DATA) {
      session
          .transaction()
          .takeAlone(what.dn(), settings, what.physicalSchema(), what.access(), taker);
    } else {
      connection.branches().take(what.dn(), what.account(), what.physicalSchema(), taker);
    }
  }

  /**
   * Opens a view to read at a snapshot, because transactions over several DNs are being committed
   * at the place.
   */
  void readAtSnapshot(Request what) {
    open(what, connection.branches(), true);
  }

  /** Opens a view at a member that follows. */
  private void readAtReplica(Request what) {
    SessionReads reads = connection.session().reads();
    TransactionSource source = connection.branches().replicas(reads.replicas().settings());
    open(what, source, reads.consistentReplicas());
  }

  private void open(Request what, TransactionSource source, boolean atSnapshot) {
    Session session = connection.session();
    SessionSettings settings = session.variables().ofBackends();
    List<SnapshotOpening.Request> view = List.of(StatementViews.request(what.dn(), settings));
    try {
      SnapshotOpening opening =
          new SnapshotOpening(
              source, session.reads(), settings, connection.channel().eventLoop(), taken -> {});
      (atSnapshot ? opening.open(view) : opening.openAt(HlcTimestamp.ZERO, view))
          .whenComplete((opened, error) -> {
            if (error == null) {
              viewed(what, opened);
            } else {
              refused(what, AlraiException.causeOf(error));
            }
          });
    } catch (RuntimeException | VirtualMachineError e) {
      waiter.defect(e);
    }
  }

  private void viewed(Request what, SnapshotOpening.Opened opened) {
    connection.session().reads().saw(opened.at().value());
    Branch view = Objects.requireNonNull(opened.branches().get(what.dn()));
    if (!waiter.awaits(what)) {
      view.releaseViewed();
      return;
    }
    try {
      waiter.viewed(what, view);
    } catch (RuntimeException | VirtualMachineError e) {
      defect(what, view, e);
    }
  }

  private void refused(Request what, AlraiException reason) {
    if (waiter.awaits(what)) {
      waiter.notTaken(reason);
    }
  }

  private void defect(Request what, Branch taken, Throwable cause) {
    if (waiter.awaits(what)) {
      taken.close();
    }
    waiter.defect(cause);
  }
}
