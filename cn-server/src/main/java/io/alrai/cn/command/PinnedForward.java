package io.alrai.cn.command;

import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.branch.Commands;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.protocol.ForwardedReply;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.shard.StatementViews;
import io.alrai.cn.snapshot.SnapshotOpening;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.ReplyKind;
import io.alrai.common.wire.StateChange;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Forwards a statement that is pinned to one place, and its reply, on the event loop. One at a time
 * for each client: {@link ForwardState} says where it is.
 */
final class PinnedForward implements ForwardedReply.Listener {
  private static final int MOST_ATTEMPTS = 3;

  /** Called when the client has its answer. */
  interface Completion {
    /** Everything has been sent; {@code nextSequence} is the client's next packet number. */
    void done(int nextSequence, boolean failed);
  }

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
      int sequence) {}

  private final ClientConnection connection;
  private final MovedTables moved;
  private final ForwardedReply reply;
  private final ReplyKeeper replyKeeper = new ReplyKeeper();
  private final SchemaNames names;
  private @Nullable Branch branch;

  /** The DN that answers. */
  private @Nullable DnId readOn;

  private ForwardState state = ForwardState.IDLE;
  private @Nullable ForwardSender sender;
  private int attempts;
  private @Nullable Request request;
  private @Nullable Completion completion;

  /** Why the statement runs again. */
  private @Nullable AlraiException gone;

  PinnedForward(ClientConnection connection, MovedTables moved) {
    this.connection = connection;
    this.moved = moved;
    this.names = new SchemaNames(connection.services().gms());
    this.reply =
        new ForwardedReply(
            connection.channel(),
            connection.session().client().capabilities().deprecateEof(),
            names::logicalText,
            this);
  }

  /** The keeper, to which the read that is going to be forwarded is announced. */
  ReplyKeeper replyKeeper() {
    return replyKeeper;
  }

  /** Forwards; the completion comes on the event loop. */
  void forward(Request what, ForwardSender sends, Completion whenDone) {
    advance(ForwardState.TAKING, "a statement");
    request = what;
    sender = sends;
    completion = whenDone;
    attempts = 1;
    try {
      start(what, sends);
    } catch (RuntimeException | VirtualMachineError e) {
      forget();
      throw e;
    }
  }

  /** It cannot go on, by a defect, which its caller reports. */
  private void forget() {
    if (state == ForwardState.IDLE) {
      return;
    }
    Branch used = branch;
    branch = null;
    completion = null;
    over("a defect");
    if (used != null) {
      used.close();
    }
  }

  private void advance(ForwardState next, String reason) {
    state = state.advance(next, reason);
  }

  private void start(Request what, ForwardSender sends) {
    Session session = connection.session();
    boolean inTransaction =
        what.account == BackendAccount.DATA && session.transaction().runs(what.access);
    // a read of current rows that must not contradict what was read elsewhere
    boolean watches =
        !inTransaction
            && what.access == RowAccess.CONSISTENT
            && what.account == BackendAccount.DATA
            && !session.reads().eventual()
            && !session.transaction().held().tableLocks().held();
    if (replyKeeper.known() && answered(what, inTransaction, watches)) {
      return;
    }
    BranchTaker taker =
        new BranchTaker() {
          @Override
          public void taken(Branch taken) {
            PinnedForward.this.taken(what, taken, inTransaction, watches);
          }

          @Override
          public boolean sendsText() {
            return sends.sendsText();
          }

          @Override
          public void refused(AlraiException reason) {
            lost(reason, false);
          }
        };
    SessionSettings settings = session.variables().ofBackends();
    if (inTransaction) {
      session.transaction().branch(what.dn, settings, what.physicalSchema, what.access, taker);
    } else if (what.account == BackendAccount.DATA) {
      session.transaction().takeAlone(what.dn, settings, what.physicalSchema, what.access, taker);
    } else {
      connection.branches().take(what.dn, what.account, what.physicalSchema, taker);
    }
  }

  /** Whether a reply that the DN's agent has kept has answered the read. */
  private boolean answered(Request what, boolean inTransaction, boolean watches) {
    long current = watches ? KeptReplies.CURRENT : KeptReplies.NOWHERE;
    long shown = inTransaction ? viewOf(what) : current;
    if (shown == KeptReplies.NOWHERE || connection.closed()) {
      return false;
    }
    return replyKeeper.answer(
        rows(what),
        shown,
        reply,
        () -> {
          advance(
              inTransaction ? ForwardState.KEPT_AT_SNAPSHOT : ForwardState.KEPT, "a kept reply");
          readOn = what.dn;
          begin(what, null);
        });
  }

  private KeptReplies rows(Request what) {
    return connection.branches().rows(what.dn);
  }

  private long viewOf(Request what) {
    return what.access == RowAccess.CONSISTENT
        ? connection.session().transaction().views().shown(what.dn)
        : KeptReplies.NOWHERE;
  }

  private void taken(Request what, Branch taken, boolean inTransaction, boolean watches) {
    if (connection.closed()) {
      taken.close();
      over("its client is gone");
      return;
    }
    if (watches) {
      taken.watch();
      if (taken.disturbed()) {
        taken.release();
        readAtSnapshot(what);
        return;
      }
    }
    if (inTransaction) {
      runsOn(taken, readsSnapshot(what) ? ForwardState.SHARED_AT_SNAPSHOT : ForwardState.SHARED);
    } else {
      runsOn(taken, ForwardState.OWN);
      Session session = connection.session();
      BranchPreparation.queue(taken, session.variables().ofBackends(), what.physicalSchema);
      if (what.access.current()) {
        taken.state().dependency(session.reads().stamp());
      }
    }
    send(what, taken, watches);
  }

  private void runsOn(Branch taken, ForwardState how) {
    advance(how, "a branch");
    branch = taken;
    readOn = taken.dn();
  }

  private boolean readsSnapshot(Request what) {
    return what.access == RowAccess.CONSISTENT
        && connection.session().transaction().snapshot().isPresent();
  }

  private void send(Request what, Branch to, boolean watches) {
    connection.forwardingOn(to);
    begin(what, watches ? to : null);
    ForwardSender sends = sender;
    if (sends != null) {
      sends.send(to, replyKeeper.known() ? keeping(what, to, watches) : reply);
    }
  }

  private void begin(Request what, @Nullable Branch watched) {
    reply.begin(
        names.physical(what.columnSchema),
        names.logical(what.columnSchema),
        watched,
        connection.session().statusFlags() | what.moreFlag,
        what.sequence);
  }

  private ReplySink keeping(Request what, Branch from, boolean watches) {
    KeptReplies rows = rows(what);
    long ofView = state == ForwardState.VIEW ? from.state().shown() : viewOf(what);
    return replyKeeper.keeping(rows, watches ? rows.visible() : ofView, reply);
  }

  /** Nobody waits for it any more. */
  private void over(String reason) {
    advance(ForwardState.IDLE, reason);
    ForwardSender sends = sender;
    sender = null;
    if (sends != null) {
      sends.over();
    }
  }

  @Override
  public void disturbed() {
    giveBack(ForwardState.TAKING, "disturbed");
    Request what = request;
    if (what != null) {
      readAtSnapshot(what);
    }
  }

  /**
   * Reads at a snapshot, because transactions over several DNs are being committed at the place.
   */
  private void readAtSnapshot(Request what) {
    Session session = connection.session();
    new SnapshotOpening(
            connection.branches(),
            session.reads(),
            session.variables().ofBackends(),
            connection.channel().eventLoop(),
            taken -> {})
        .open(List.of(StatementViews.request(what.dn, session.variables().ofBackends())))
        .whenComplete((opened, error) -> {
          if (error != null) {
            lost(AlraiException.causeOf(error), false);
            return;
          }
          session.reads().saw(opened.at().value());
          Branch view = Objects.requireNonNull(opened.branches().get(what.dn));
          if (connection.closed()) {
            view.close();
            over("its client is gone");
            return;
          }
          runsOn(view, ForwardState.VIEW);
          BranchPreparation.queue(view, session.variables().ofBackends(), what.physicalSchema);
          send(what, view, false);
        });
  }

  @Override
  public AlraiException told(AlraiException failure) {
    return connection.session().transaction().told(moved.told(failure));
  }

  @Override
  public boolean runsAgain(AlraiException failure) {
    ForwardSender sends = sender;
    boolean again = sends != null && sends.runsAgain() && moved.runsAgain(failure);
    if (again) {
      gone = failure;
    }
    return again;
  }

  @Override
  public void again() {
    ForwardSender sends = sender;
    AlraiException failure = gone;
    giveBack(ForwardState.IDLE, "the statement runs again");
    sender = null;
    completion = null;
    gone = null;
    if (sends != null && failure != null) {
      sends.again(failure);
      sends.over();
    }
  }

  @Override
  public StateChange stateChange() {
    saw();
    return connection.session().stateChange();
  }

  private void saw() {
    DnId answering = readOn;
    if (answering != null && !state.atSnapshot()) {
      connection.session().reads().saw(connection.branches().views(answering).visibleStamp());
    }
  }

  @Override
  public void forwarded(@Nullable AlraiException failure, @Nullable OkPacket ok) {
    Session session = connection.session();
    saw();
    if (failure != null) {
      connection.services().clients().statementCounts().errors().increment();
      session.last().rowCount(-1);
      session.last().diagnostics(Diagnostics.ofError(failure));
      DnId at = readOn;
      boolean inside = state.inTransaction() && at != null;
      giveBack(ForwardState.ENDING, "an error");
      if (inside && session.transaction().open()) {
        session
            .transaction()
            .failedOn(Objects.requireNonNull(at), failure)
            .whenComplete((done, error) -> complete(true));
        return;
      }
      complete(true);
      return;
    }
    if (ok != null) {
      session.last().rowCount(reply.rows() >= 0 ? -1 : ok.affectedRows());
      if (reply.rows() >= 0) {
        session.last().foundRows(reply.rows());
      } else if (ok.lastInsertId() != 0 && keepsId()) {
        session.last().lastInsertId(ok.lastInsertId());
      }
      Branch used = branch;
      if (ok.warnings() > 0 && used != null) {
        fetchWarnings(used);
        return;
      }
    }
    session.last().diagnostics(Diagnostics.NONE);
    giveBack(ForwardState.ENDING, "forwarded");
    complete(false);
  }

  private boolean keepsId() {
    Request what = request;
    return what != null && !what.idOfClient;
  }

  private void fetchWarnings(Branch used) {
    used.send(
        Commands.query(ByteBufAllocator.DEFAULT, Sql.of("SHOW WARNINGS")),
        ReplyKind.RESULTS,
        new WarningsSink(
            conditions -> {
              connection.session().last().diagnostics(Diagnostics.ofWarnings(conditions));
              giveBack(ForwardState.ENDING, "forwarded");
              complete(false);
            },
            names::logicalText));
    used.flush();
  }

  @Override
  public void lost(AlraiException reason, boolean anythingSent) {
    Session session = connection.session();
    Branch used = branch;
    branch = null;
    if (used != null) {
      used.close();
    }
    boolean clientEnds = anythingSent || connection.closed();
    if (clientEnds) {
      connection.channel().close();
    }
    if (state == ForwardState.IDLE) {
      return;
    }
    if (clientEnds) {
      over("lost");
      return;
    }
    Request what = request;
    ForwardSender sends = sender;
    if (used != null
        && state.ownBranch()
        && what != null
        && sends != null
        && runsElsewhere(reason)) {
      attempts++;
      connection.forwardingOn(null);
      advance(ForwardState.TAKING, "nothing has run");
      start(what, sends);
      return;
    }
    advance(ForwardState.ENDING, "lost");
    int sequence = what == null ? connection.firstSequence() : what.sequence;
    if (session.transaction().open()) {
      AlraiException rolledBack =
          new AlraiException(
              ErrorCode.ER_LOCK_DEADLOCK,
              reason.sentence() + "; the transaction was rolled back, try restarting transaction");
      session.transaction().rollback().whenComplete((done, error) -> failed(rolledBack, sequence));
      return;
    }
    failed(reason, sequence);
  }

  /** Whether another connection will do: nothing has run on the one that was lost. */
  private boolean runsElsewhere(AlraiException lost) {
    return lost.hasNotRun() && attempts < MOST_ATTEMPTS;
  }

  private void failed(AlraiException reason, int sequence) {
    CommandErrors.send(connection, reason, sequence);
    complete(true);
  }

  /** The branch, if there is one, goes to where it came from. */
  private void giveBack(ForwardState next, String reason) {
    ForwardState before = state;
    Branch used = branch;
    branch = null;
    connection.forwardingOn(null);
    advance(next, reason);
    if (used != null && before == ForwardState.VIEW) {
      used.releaseViewed();
    } else if (used != null && before == ForwardState.OWN) {
      used.release();
    }
  }

  private void complete(boolean failed) {
    Completion whenDone = completion;
    completion = null;
    over(failed ? "failed" : "done");
    if (whenDone != null) {
      whenDone.done(reply.nextSequence(), failed);
    }
  }
}
