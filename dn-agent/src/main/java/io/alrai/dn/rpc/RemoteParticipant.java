package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.CommitFate;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.PushAnswer;
import io.alrai.dn.rpc.wire.Envelope;
import io.alrai.dn.rpc.wire.Message;
import io.alrai.dn.xa.XaTimes;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * An agent's part in commits, asked through the envelope. Thread-safe; futures complete on event
 * loops. When an agent is out of reach, calls fail with ALRAI_NODE_UNAVAILABLE after a bounded
 * wait; what is decided is then brought to its end by the agents themselves.
 */
final class RemoteParticipant implements CommitParticipant, AutoCloseable {
  private static final long PREPARE_MILLIS = 15_000;

  /** One whose agent is heard. */
  private static final long LONGEST_PREPARE_MILLIS = 600_000;

  private static final long DECIDE_MILLIS = 20_000;

  /** How long a commit or rollback of a prepared branch is tried before recovery has it. */
  private static final long FINISH_MILLIS = 30_000;

  private final DnId dn;
  private final AgentConnector connector;
  private final ControlConnection control;
  private final XaTimes times;
  private final long askMillis;

  RemoteParticipant(
      DnId dn, AgentConnector connector, ControlConnection control, XaTimes times, long askMillis) {
    this.dn = dn;
    this.connector = connector;
    this.control = control;
    this.times = times;
    this.askMillis = askMillis;
  }

  @Override
  public CompletableFuture<HlcTimestamp> prepare(Branch branch, TransactionId id) {
    CompletableFuture<HlcTimestamp> prepared =
        stamped(connector.call(branch, new Message.Prepare(id), LONGEST_PREPARE_MILLIS))
            .thenApply(stamp -> ended(branch, stamp))
            .exceptionallyCompose(RemoteParticipant::lostBranch);
    whileHeard(id, prepared);
    return prepared;
  }

  /** One of much data takes as long as its disk; but not when the agent says nothing any more. */
  private void whileHeard(TransactionId id, CompletableFuture<HlcTimestamp> prepared) {
    Future<?> look;
    try {
      look =
          control
              .loop()
              .schedule(
                  () ->
                      holdsPrepared(id)
                          .whenComplete((held, error) -> {
                            if (error == null) {
                              whileHeard(id, prepared);
                            } else {
                              prepared.completeExceptionally(AlraiException.causeOf(error));
                            }
                          }),
                  PREPARE_MILLIS,
                  TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException stopping) {
      prepared.completeExceptionally(stopping);
      return;
    }
    prepared.whenComplete((ts, error) -> look.cancel(false));
  }

  @Override
  public CompletableFuture<HlcTimestamp> preCommit(Branch branch, TransactionId id) {
    return stamped(connector.call(branch, new Message.PreCommit(id), PREPARE_MILLIS))
        .exceptionallyCompose(RemoteParticipant::lostBranch);
  }

  @Override
  public CompletableFuture<HlcTimestamp> decide(
      Branch branch, TransactionId id, HlcTimestamp proposed, List<DnId> participants) {
    long sentNanos = control.nanos();
    return stamped(
            connector.call(branch, new Message.Decide(id, proposed, participants), DECIDE_MILLIS))
        .thenApply(stamp -> ended(branch, stamp))
        .exceptionallyCompose(error -> {
          if (AgentChannel.Lost.unwrap(error) instanceof AgentChannel.Lost lost) {
            branch.close();
            CompletableFuture<HlcTimestamp> done = new CompletableFuture<>();
            settle(id, sentNanos, control.nanos(), lost.reason(), done);
            return done;
          }
          return CompletableFuture.failedFuture(AgentChannel.Lost.unwrap(error));
        });
  }

  /**
   * The connection broke with a decision on its way: asks what became of it. An abort counts only
   * while the row of a commit cannot have been swept yet.
   */
  private void settle(
      TransactionId id,
      long sentNanos,
      long lostNanos,
      AlraiException lost,
      CompletableFuture<HlcTimestamp> done) {
    outcome(id)
        .whenComplete((outcome, error) -> {
          long now = control.nanos();
          if (error == null && outcome instanceof Outcome.Committed committed) {
            done.complete(committed.commitTs());
          } else if (error == null
              && outcome instanceof Outcome.RolledBack
              && now - sentNanos < times.sweepAge().toNanos()) {
            done.completeExceptionally(
                new AlraiException(
                    ErrorCode.ER_LOCK_DEADLOCK,
                    "the connection to "
                        + dn
                        + " broke during COMMIT and the transaction was rolled back; try"
                        + " restarting transaction",
                    lost));
          } else if (control.closed() || now - lostNanos > times.settle().toNanos()) {
            done.completeExceptionally(
                new AlraiException(
                    ErrorCode.ALRAI_COMMIT_IN_DOUBT,
                    "the outcome of transaction "
                        + id.gtrid()
                        + " is not known, because the agent of "
                        + dn
                        + " is out of reach",
                    lost));
          } else {
            pause()
                .whenComplete((over, stopping) -> {
                  if (stopping == null) {
                    settle(id, sentNanos, lostNanos, lost, done);
                  } else {
                    done.completeExceptionally(lost);
                  }
                });
          }
        });
  }

  @Override
  public Finishing commitPrepared(TransactionId id, HlcTimestamp commitTs) {
    long now = control.nanos();
    CompletableFuture<Void> submitted = finish(new Message.SubmitCommit(id, commitTs), now);
    CompletableFuture<Void> done = finish(new Message.CommitPrepared(id, commitTs), now);
    return new Finishing(submitted, done.thenCombine(submitted, (a, b) -> b));
  }

  @Override
  public CompletableFuture<Void> rollbackPrepared(TransactionId id) {
    return finish(new Message.RollbackPrepared(id), control.nanos());
  }

  private CompletableFuture<Void> finish(Message request, long sinceNanos) {
    long leftMillis = FINISH_MILLIS - TimeUnit.NANOSECONDS.toMillis(control.nanos() - sinceNanos);
    return control
        .call(request, Math.max(1, leftMillis))
        .<Void>thenApply(reply -> {
          if (reply instanceof Message.Done) {
            return null;
          }
          throw Envelope.malformed("unexpected " + reply);
        })
        .exceptionallyCompose(error ->
            AgentChannel.Lost.unwrap(error) instanceof AgentChannel.Lost
                    && leftMillis > times.retry().toMillis()
                    && !control.closed()
                ? pause().thenCompose(paused -> finish(request, sinceNanos))
                : ControlConnection.unavailable(error));
  }

  @Override
  public void forget(TransactionId id) {
    control.tell(new Message.Forget(id));
  }

  @Override
  public CompletableFuture<Outcome> outcome(TransactionId id) {
    return control.ask(
        new Message.AskOutcome(id), askMillis, Message.OutcomeIs.class, Message.OutcomeIs::outcome);
  }

  @Override
  public CompletableFuture<PushAnswer> push(
      TransactionId id, HlcTimestamp prepareTs, HlcTimestamp above) {
    return control.ask(
        new Message.Push(id, prepareTs, above),
        askMillis,
        Message.Pushed.class,
        Message.Pushed::answer);
  }

  @Override
  public CompletableFuture<Boolean> holdsPrepared(TransactionId id) {
    return control.ask(new Message.Holds(id), askMillis, Message.Held.class, Message.Held::held);
  }

  @Override
  public CompletableFuture<CommitFate> fate(Branch lost) {
    BranchState state = lost.state();
    CompletableFuture<CommitFate> known = new CompletableFuture<>();
    if (connector.seeker().alone() || state.sent() == 0) {
      known.complete(CommitFate.UNKNOWN);
    } else {
      HlcTimestamp sent = new HlcTimestamp(state.sent());
      Message.AskFate question = new Message.AskFate(state.term(), lost.serverConnectionId(), sent);
      fate(question, control.nanos(), known);
    }
    return known;
  }

  private void fate(Message.AskFate question, long lostNanos, CompletableFuture<CommitFate> known) {
    control
        .ask(question, askMillis, Message.FateIs.class, Message.FateIs::fate)
        .whenComplete((fate, error) -> {
          if (error == null && fate != CommitFate.OPEN) {
            known.complete(fate);
          } else if (control.closed() || control.nanos() - lostNanos > times.settle().toNanos()) {
            known.complete(CommitFate.UNKNOWN);
          } else {
            pause()
                .whenComplete((over, stopping) -> {
                  if (stopping == null) {
                    fate(question, lostNanos, known);
                  } else {
                    known.complete(CommitFate.UNKNOWN);
                  }
                });
          }
        });
  }

  private static CompletableFuture<HlcTimestamp> stamped(CompletableFuture<Message> reply) {
    return reply.thenApply(message -> {
      if (message instanceof Message.Stamp stamp) {
        return stamp.timestamp();
      }
      throw Envelope.malformed("unexpected " + message);
    });
  }

  private static HlcTimestamp ended(Branch branch, HlcTimestamp stamp) {
    AgentConnector.transaction(branch, false);
    return stamp;
  }

  private static <T> CompletableFuture<T> lostBranch(Throwable error) {
    return CompletableFuture.failedFuture(
        AgentChannel.Lost.unwrap(error) instanceof AgentChannel.Lost lost
            ? lost.ofBranch()
            : AgentChannel.Lost.unwrap(error));
  }

  private CompletableFuture<Void> pause() {
    CompletableFuture<Void> over = new CompletableFuture<>();
    try {
      control
          .loop()
          .schedule(() -> over.complete(null), times.retry().toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException stopping) {
      over.completeExceptionally(stopping);
    }
    return over;
  }

  @Override
  public void close() {
    control.close();
  }
}
