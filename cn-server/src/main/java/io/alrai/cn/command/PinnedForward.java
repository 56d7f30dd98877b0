package io.alrai.cn.command;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.command.ForwardBranches.Request;
import io.alrai.cn.forward.ForwardSender;
import io.alrai.cn.forward.ForwardState;
import io.alrai.cn.forward.WarningsSink;
import io.alrai.cn.protocol.ForwardedReply;
import io.alrai.cn.protocol.SchemaNames;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.StatementPath;
import io.alrai.cn.settings.Diagnostics;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.tx.branch.LostCommit;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.StateChange;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Forwards a statement that is pinned to one place, and its reply, on the event loop. One at a time
 * for each client: {@link ForwardState} says where it is.
 */
final class PinnedForward
    implements ForwardedReply.Listener, ForwardBranches.Waiter, KeptReads.Reader {
  private static final int MOST_ATTEMPTS = 3;

  /** Called when the client has its answer. */
  interface Completion {
    /** Everything has been sent; {@code nextSequence} is the client's next packet number. */
    void done(int nextSequence, boolean failed);
  }

  private final ClientConnection connection;
  private final StatementRepeats repeats;
  private final KeptReads kept;
  private final SchemaNames names;
  private final ForwardBranches branches;

  /** Another one after a statement whose branch may still speak of it. */
  private ForwardedReply reply;

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

  PinnedForward(ClientConnection connection, StatementRepeats repeats) {
    this.connection = connection;
    this.repeats = repeats;
    this.names = new SchemaNames(connection.services().gms());
    this.reply = newReply();
    this.branches = new ForwardBranches(connection, this);
    this.kept = new KeptReads(connection, this);
  }

  private ForwardedReply newReply() {
    return new ForwardedReply(
        connection.channel(),
        connection.session().client().capabilities().deprecateEof(),
        names::logicalText,
        this);
  }

  /** The keeper, to which the read that is going to be forwarded is announced. */
  ReplyKeeper replyKeeper() {
    return kept.keeper();
  }

  /** Forwards; the completion comes on the event loop. */
  void forward(Request what, ForwardSender sends, Completion whenDone) {
    advance(ForwardState.TAKING, "a statement");
    connection.session().last().path(StatementPath.PINNED);
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
    completion = null;
    leaveBranch();
    over("a defect");
  }

  /**
   * Ends a statement that waits for a branch: it has none yet, and what comes later is given back.
   * Not in a transaction, which would be lost with the branch.
   */
  void giveUp(AlraiException reason) {
    Request what = request;
    if (state == ForwardState.TAKING && what != null && !inTransaction(what)) {
      advance(ForwardState.ENDING, "its time is over");
      failed(reason, what.sequence());
    }
  }

  private boolean inTransaction(Request what) {
    return what.account() == BackendAccount.DATA
        && connection.session().transaction().runs(what.access());
  }

  /** The branch is closed; what it still says of this statement must not meet the next one. */
  private void leaveBranch() {
    Branch used = branch;
    branch = null;
    connection.forwardingOn(null);
    reply.leave();
    reply = newReply();
    if (used != null) {
      used.close();
    }
  }

  @Override
  public boolean awaits(Request what) {
    return state == ForwardState.TAKING && request == what;
  }

  /** Answers the client: no caller reports the defect. */
  @Override
  public void defect(Throwable cause) {
    AlraiException reason =
        cause instanceof AlraiException known ? known : CommandErrors.internal(cause);
    Request what = request;
    if (state == ForwardState.IDLE || what == null) {
      return;
    }
    leaveBranch();
    if (connection.closed()) {
      over("its client is gone");
      return;
    }
    if (state != ForwardState.ENDING) {
      advance(ForwardState.ENDING, "a defect");
    }
    failed(reason, what.sequence());
  }

  private void advance(ForwardState next, String reason) {
    state = state.advance(next, reason);
  }

  private void start(Request what, ForwardSender sends) {
    Session session = connection.session();
    boolean inTransaction = inTransaction(what);
    // a read of current rows that must not contradict what was read elsewhere
    boolean watches =
        !inTransaction
            && what.access() == RowAccess.CONSISTENT
            && what.account() == BackendAccount.DATA
            && !session.reads().eventual()
            && !session.transaction().held().tableLocks().held();
    if (!kept.take(what, inTransaction, watches)) {
      branches.take(what, sends, inTransaction, watches);
    }
  }

  @Override
  public ForwardedReply answers(Request what, boolean inTransaction) {
    advance(inTransaction ? ForwardState.KEPT_AT_SNAPSHOT : ForwardState.KEPT, "a kept reply");
    readOn = what.dn();
    connection.session().last().path(StatementPath.KEPT);
    begin(what, null);
    return reply;
  }

  @Override
  public void notKept(Request what, boolean inTransaction, boolean watches) {
    if (connection.closed()) {
      over("its client is gone");
      return;
    }
    branches.take(what, Objects.requireNonNull(sender), inTransaction, watches);
  }

  @Override
  public void taken(Request what, Branch taken, boolean inTransaction, boolean watches) {
    if (gone(taken)) {
      return;
    }
    if (watches) {
      taken.watch();
      if (taken.disturbed()) {
        taken.release();
        branches.readAtSnapshot(what);
        return;
      }
    }
    if (inTransaction) {
      runsOn(taken, readsSnapshot(what) ? ForwardState.SHARED_AT_SNAPSHOT : ForwardState.SHARED);
    } else {
      runsOn(taken, ForwardState.OWN);
      Session session = connection.session();
      BranchPreparation.queue(taken, session.variables().ofBackends(), what.physicalSchema());
      if (what.access().current()) {
        taken.state().dependency(session.reads().stamp());
      }
    }
    send(what, taken, watches);
  }

  @Override
  public void viewed(Request what, Branch view) {
    if (gone(view)) {
      return;
    }
    runsOn(view, ForwardState.VIEW);
    SessionSettings settings = connection.session().variables().ofBackends();
    BranchPreparation.queue(view, settings, what.physicalSchema());
    send(what, view, false);
  }

  /** Whether a branch comes for a client that has left. */
  private boolean gone(Branch taken) {
    if (connection.closed()) {
      taken.close();
      over("its client is gone");
      return true;
    }
    return false;
  }

  @Override
  public void notTaken(AlraiException reason) {
    lost(reason, ForwardedReply.Had.NOTHING);
  }

  private void runsOn(Branch taken, ForwardState how) {
    advance(how, "a branch");
    branch = taken;
    readOn = taken.dn();
  }

  private boolean readsSnapshot(Request what) {
    return what.access() == RowAccess.CONSISTENT
        && connection.session().transaction().snapshot().isPresent();
  }

  private void send(Request what, Branch to, boolean watches) {
    connection.forwardingOn(to);
    begin(what, watches ? to : null);
    ForwardSender sends = sender;
    if (sends != null) {
      sends.send(to, kept.keeping(what, to, watches, state == ForwardState.VIEW, reply));
    }
  }

  private void begin(Request what, @Nullable Branch watched) {
    reply.begin(
        names.physical(what.columnSchema()),
        names.logical(what.columnSchema()),
        watched,
        connection.session().statusFlags() | what.moreFlag(),
        what.sequence());
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

  /** Reads at a snapshot, as transactions over several DNs are being committed at the place. */
  @Override
  public void disturbed() {
    giveBack(ForwardState.TAKING, "disturbed");
    Request what = request;
    if (what != null) {
      branches.readAtSnapshot(what);
    }
  }

  @Override
  public AlraiException told(AlraiException failure) {
    AlraiException told = repeats.told(connection.session().transaction().told(failure));
    return state.inTransaction() ? BranchControl.ended(told) : told;
  }

  @Override
  public boolean runsAgain(AlraiException failure) {
    ForwardSender sends = sender;
    Request what = request;
    boolean again =
        sends != null
            && what != null
            && sends.runsAgain()
            && repeats.runsAgain(failure, failure.hasNotRun() || what.plainRead());
    if (again) {
      gone = failure;
    }
    return again;
  }

  @Override
  public void again() {
    ForwardSender sends = sender;
    AlraiException failure = gone;
    Request what = request;
    giveBack(ForwardState.IDLE, "the statement runs again");
    sender = null;
    completion = null;
    gone = null;
    if (sends == null || failure == null || what == null) {
      return;
    }
    try {
      sends.again(failure);
    } catch (RuntimeException | VirtualMachineError e) {
      connection.fail(CommandErrors.internal(e), what.sequence());
    } finally {
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
      CommandErrors.count(connection);
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
      connection.measured().sent(reply.rows(), ok);
      session.last().answered(reply.rows(), ok, request == null || request.idOfClient());
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

  private void fetchWarnings(Branch used) {
    WarningsSink.fetch(
        used,
        names::logicalText,
        conditions -> {
          connection.session().last().diagnostics(Diagnostics.ofWarnings(conditions));
          giveBack(ForwardState.ENDING, "forwarded");
          complete(false);
        });
  }

  @Override
  public void lost(AlraiException reason, ForwardedReply.Had client) {
    Branch used = branch;
    branch = null;
    if (used != null) {
      used.close();
    }
    boolean clientEnds = client == ForwardedReply.Had.MORE || connection.closed();
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
    try {
      lost(used, reason, client);
    } catch (RuntimeException | VirtualMachineError e) {
      defect(e);
    }
  }

  private void lost(@Nullable Branch used, AlraiException reason, ForwardedReply.Had client) {
    Session session = connection.session();
    Request what = request;
    ForwardSender sends = sender;
    boolean alone = state.ownBranch() || state == ForwardState.TAKING;
    boolean fresh = client == ForwardedReply.Had.NOTHING;
    boolean goesOn = attempts < MOST_ATTEMPTS && !connection.end().isToEnd();
    boolean elsewhere = fresh && reason.hasNotRun() && goesOn;
    if (used != null && alone && what != null && sends != null && elsewhere) {
      attempts++;
      connection.forwardingOn(null);
      advance(ForwardState.TAKING, "nothing has run");
      start(what, sends);
      return;
    }
    if (fresh && (alone || state == ForwardState.SHARED_AT_SNAPSHOT) && runsAgain(reason)) {
      again();
      return;
    }
    advance(ForwardState.ENDING, "lost");
    int first = what == null ? connection.firstSequence() : what.sequence();
    int sequence = fresh ? first : reply.nextSequence();
    boolean killed = used != null && reason.is(ErrorCode.ER_QUERY_INTERRUPTED);
    if (killed || reason.is(ErrorCode.ALRAI_REPLICA_DELAYED)) {
      failed(reason, sequence); // the transaction is what it was
    } else if (session.transaction().open()) {
      AlraiException undone = BranchControl.undone(reason);
      session.transaction().rollback().whenComplete((done, error) -> failed(undone, sequence));
    } else if (used != null && what != null && what.access() == RowAccess.CHANGING) {
      LostCommit.fate(connection.branches(), used, reason)
          .thenAccept(fate -> {
            AlraiException known = LostCommit.explained(fate, reason);
            if (fresh && alone && runsAgain(known)) {
              again();
            } else {
              failed(known, sequence);
            }
          });
    } else {
      failed(reason, sequence);
    }
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
