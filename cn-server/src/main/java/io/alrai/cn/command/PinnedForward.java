package io.alrai.cn.command;

import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.branch.Commands;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.protocol.ForwardedReply;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics;
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
import io.alrai.gms.api.PhysicalNames;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Forwards a statement that is pinned to one place, and its reply, on the event loop. One at a time
 * for each client.
 */
final class PinnedForward implements ForwardedReply.Listener {
  private static final int MOST_ATTEMPTS = 3;

  /** Says what to send once the branch is there. */
  interface Sender {
    /**
     * Queues the statement on the branch with the sink and flushes it. Called again, on another
     * branch, when the first read was disturbed.
     */
    void send(Branch branch, ReplySink reply);

    /** Whether it sends one text that is shorter than a packet. */
    boolean sendsText();

    /** Whether {@link #again} can be called. */
    default boolean runsAgain() {
      return false;
    }

    /**
     * Runs the statement again, because its table is in another place now; {@link #over} follows.
     */
    default void again(AlraiException error) {}

    /** Called once, when the sender is not used any more. */
    void over();
  }

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
  private final Map<String, byte[]> names = new HashMap<>();
  private final Map<String, byte[]> logical = new HashMap<>();
  private @Nullable Branch branch;

  /** The DN that answers. */
  private @Nullable DnId readOn;

  private @Nullable Sender sender;
  private boolean onView;
  private boolean ownBranch;
  private boolean atSnapshot;
  private boolean keepsId;
  private int attempts;
  private @Nullable Request request;
  private @Nullable Completion completion;

  /** Why the statement runs again. */
  private @Nullable AlraiException gone;

  PinnedForward(ClientConnection connection, MovedTables moved) {
    this.connection = connection;
    this.moved = moved;
    this.reply =
        new ForwardedReply(
            connection.channel(),
            connection.session().client().capabilities().deprecateEof(),
            this::logicalError,
            this);
  }

  /** The keeper, to which the read that is going to be forwarded is announced. */
  ReplyKeeper replyKeeper() {
    return replyKeeper;
  }

  /** Forwards; the completion comes on the event loop. */
  void forward(Request what, Sender sends, Completion whenDone) {
    request = what;
    sender = sends;
    keepsId = !what.idOfClient;
    completion = whenDone;
    attempts = 1;
    try {
      start(what, sends);
    } catch (RuntimeException | VirtualMachineError e) {
      if (branch == null) {
        over();
      }
      throw e;
    }
  }

  private void start(Request what, Sender sends) {
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
            ownBranch = !inTransaction;
            atSnapshot = inTransaction && readsSnapshot(what);
            PinnedForward.this.taken(what, taken, watches);
          }

          @Override
          public boolean sendsText() {
            return sends.sendsText();
          }

          @Override
          public void refused(AlraiException reason) {
            branch = null;
            lost(reason, false);
          }
        };
    if (inTransaction) {
      session
          .transaction()
          .branch(what.dn, session.backendSettings(), what.physicalSchema, what.access, taker);
    } else if (what.account == BackendAccount.DATA) {
      session
          .transaction()
          .takeAlone(what.dn, session.backendSettings(), what.physicalSchema, what.access, taker);
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
    branch = null;
    atSnapshot = inTransaction;
    readOn = what.dn;
    return replyKeeper.answer(rows(what), shown, reply, () -> begin(what, null));
  }

  private KeptReplies rows(Request what) {
    return connection.branches().rows(what.dn);
  }

  private long viewOf(Request what) {
    return what.access == RowAccess.CONSISTENT
        ? connection.session().transaction().views().shown(what.dn)
        : KeptReplies.NOWHERE;
  }

  private void taken(Request what, Branch taken, boolean watches) {
    branch = taken;
    readOn = taken.dn();
    if (connection.closed()) {
      taken.close();
      over();
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
    Session session = connection.session();
    if (ownBranch) {
      BranchPreparation.queue(taken, session.backendSettings(), what.physicalSchema);
    }
    if (ownBranch && what.access.current()) {
      taken.state().dependency(session.reads().stamp());
    }
    send(what, taken, watches);
  }

  private boolean readsSnapshot(Request what) {
    return what.access == RowAccess.CONSISTENT
        && connection.session().transaction().snapshot().isPresent();
  }

  private void send(Request what, Branch to, boolean watches) {
    connection.forwardingOn(to);
    begin(what, watches ? to : null);
    Sender sends = sender;
    if (sends != null) {
      sends.send(to, replyKeeper.known() ? keeping(what, to, watches) : reply);
    }
  }

  private void begin(Request what, @Nullable Branch watched) {
    reply.begin(
        bytes(what.columnSchema),
        logical.computeIfAbsent(what.columnSchema, this::logicalSchema),
        watched,
        connection.session().statusFlags() | what.moreFlag,
        what.sequence);
  }

  private ReplySink keeping(Request what, Branch from, boolean watches) {
    KeptReplies rows = rows(what);
    long ofView = onView ? from.state().shown() : viewOf(what);
    return replyKeeper.keeping(rows, watches ? rows.visible() : ofView, reply);
  }

  private void over() {
    Sender sends = sender;
    sender = null;
    if (sends != null) {
      sends.over();
    }
  }

  @Override
  public void disturbed() {
    giveBack();
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
    branch = null;
    new SnapshotOpening(
            connection.branches(),
            session.reads(),
            session.backendSettings(),
            connection.channel().eventLoop(),
            taken -> {})
        .open(List.of(StatementViews.request(what.dn, session.backendSettings())))
        .whenComplete((opened, error) -> {
          if (error != null) {
            lost(AlraiException.causeOf(error), false);
            return;
          }
          session.reads().saw(opened.at().value());
          Branch view = Objects.requireNonNull(opened.branches().get(what.dn));
          if (connection.closed()) {
            view.close();
            over();
            return;
          }
          branch = view;
          readOn = view.dn();
          ownBranch = true;
          onView = true;
          atSnapshot = true;
          BranchPreparation.queue(view, session.backendSettings(), what.physicalSchema);
          send(what, view, false);
        });
  }

  private byte[] bytes(String name) {
    return names.computeIfAbsent(name, text -> text.getBytes(StandardCharsets.UTF_8));
  }

  private byte[] logicalSchema(String physical) {
    return logicalError(physical).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public AlraiException told(AlraiException failure) {
    return connection.session().transaction().told(moved.told(failure));
  }

  @Override
  public boolean runsAgain(AlraiException failure) {
    Sender sends = sender;
    boolean again = sends != null && sends.runsAgain() && moved.runsAgain(failure);
    if (again) {
      gone = failure;
    }
    return again;
  }

  @Override
  public void again() {
    Sender sends = sender;
    AlraiException failure = gone;
    giveBack();
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
    if (answering != null && !atSnapshot) {
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
      boolean inside = !ownBranch && !onView && at != null;
      giveBack();
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
      } else if (ok.lastInsertId() != 0 && keepsId) {
        session.last().lastInsertId(ok.lastInsertId());
      }
      Branch used = branch;
      if (ok.warnings() > 0 && used != null) {
        fetchWarnings(used);
        return;
      }
    }
    session.last().diagnostics(Diagnostics.NONE);
    giveBack();
    complete(false);
  }

  private void fetchWarnings(Branch used) {
    used.send(
        Commands.query(ByteBufAllocator.DEFAULT, Sql.of("SHOW WARNINGS")),
        ReplyKind.RESULTS,
        new WarningsSink(
            conditions -> {
              connection.session().last().diagnostics(Diagnostics.ofWarnings(conditions));
              giveBack();
              complete(false);
            },
            this::logicalError));
    used.flush();
  }

  @Override
  public void lost(AlraiException reason, boolean anythingSent) {
    Session session = connection.session();
    Branch used = branch;
    branch = null;
    onView = false;
    if (used != null) {
      used.close();
    }
    if (anythingSent || connection.closed()) {
      connection.channel().close();
      over();
      return;
    }
    Request what = request;
    Sender sends = sender;
    if (used != null && ownBranch && what != null && sends != null && runsElsewhere(reason)) {
      attempts++;
      connection.forwardingOn(null);
      start(what, sends);
      return;
    }
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

  private void giveBack() {
    Branch used = branch;
    branch = null;
    connection.forwardingOn(null);
    boolean wasOnView = onView;
    onView = false;
    if (used != null && wasOnView) {
      used.releaseViewed();
    } else if (used != null && ownBranch) {
      used.release();
    }
  }

  private void complete(boolean failed) {
    Completion whenDone = completion;
    completion = null;
    branch = null;
    over();
    if (whenDone != null) {
      whenDone.done(reply.nextSequence(), failed);
    }
  }

  /** Error texts with logical names: {@code a17_p00003.t} becomes {@code shop.t}. */
  private String logicalError(String message) {
    return new PhysicalNames(connection.services().gms().catalog()).inText(message);
  }
}
