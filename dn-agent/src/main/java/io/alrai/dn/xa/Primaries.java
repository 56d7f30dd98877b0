package io.alrai.dn.xa;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.binlog.DecisionMark;
import io.alrai.dn.gate.live.LiveGate;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.link.CoordinatorPulse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The primary branches on this DN that wait for their decision. The gate knows their states and
 * says when a decision goes to the mysqld; this class sends it. Thread-safe.
 */
final class Primaries {
  private static final Sql COMMIT = Sql.of("COMMIT AND NO CHAIN NO RELEASE");
  private final LiveGate gate;
  private final TxLog txLog;
  private final MarkedDecisions marked;
  private final XaTimes times;
  private final CoordinatorPulse pulse;
  private final Retry retry;
  private final LongSupplier nanos;
  private final Map<TransactionId, Primary> entries = new ConcurrentHashMap<>();

  private final Condemned condemned;

  /** One of them; its decision is null until it is asked for. */
  private record Primary(Branch branch, long sinceNanos, @Nullable Decision decision) {}

  /** What is to be decided, and in which of the mysqld's lives. */
  private record Decision(
      TransactionId id,
      List<DnId> participants,
      Branch branch,
      @Nullable Object life,
      CompletableFuture<HlcTimestamp> done,
      long askedNanos) {}

  Primaries(
      LiveGate gate,
      TxLog txLog,
      MarkedDecisions marked,
      XaTimes times,
      CoordinatorPulse pulse,
      Retry retry,
      LongSupplier nanos) {
    this.gate = gate;
    this.txLog = txLog;
    this.marked = marked;
    this.times = times;
    this.pulse = pulse;
    this.retry = retry;
    this.nanos = nanos;
    this.condemned = new Condemned(gate::life, nanos);
  }

  /**
   * Registers a primary, on the branch's loop. Called again, it says that the coordinator waits for
   * PREPAREs that take long; the timestamp is ZERO then.
   */
  @SuppressWarnings("ReferenceEquality") // the very connection, not an equal one
  CompletableFuture<HlcTimestamp> preCommit(Branch branch, TransactionId id) {
    Primary known = entries.get(id);
    if (known != null && known.branch == branch) {
      entries.replace(id, known, new Primary(branch, nanos.getAsLong(), known.decision));
      return CompletableFuture.completedFuture(HlcTimestamp.ZERO);
    }
    entries.put(id, new Primary(branch, nanos.getAsLong(), null));
    return gate.with(
            g -> {
              if (condemned.contains(id)) {
                throw abortedByRecovery(id);
              }
              return g.preCommit(id);
            })
        .whenComplete((ts, error) -> {
          if (error != null) {
            entries.remove(id);
          }
        });
  }

  /** On the branch's loop; see {@link io.alrai.dn.link.CommitParticipant#decide}. */
  @SuppressWarnings("ReferenceEquality") // the very connection, not an equal one
  CompletableFuture<HlcTimestamp> decide(
      Branch branch, TransactionId id, HlcTimestamp proposed, List<DnId> participants) {
    CompletableFuture<HlcTimestamp> done = new CompletableFuture<>();
    Primary known = entries.get(id);
    if (known == null || known.branch != branch || known.decision != null) {
      rollback(branch, abortedByRecovery(id), done);
      return done;
    }
    try {
      TxLog.checkParticipants(participants);
    } catch (AlraiException tooMany) {
      forget(id);
      rollback(branch, tooMany, done);
      return done;
    }
    Decision decision =
        new Decision(id, List.copyOf(participants), branch, gate.life(), done, nanos.getAsLong());
    if (!entries.replace(id, known, new Primary(branch, known.sinceNanos, decision))) {
      rollback(branch, abortedByRecovery(id), done);
      return done;
    }
    gate.with(
            g -> {
              g.decide(id, proposed);
              return true;
            })
        .whenComplete((ok, error) -> {
          if (error != null && entries.remove(id) != null) {
            gate.tell(g -> g.giveUp(id));
            rollback(branch, TxLog.failed(error).reason(), done);
          }
        });
    return done;
  }

  /** Sends the decision when the gate says so; on the gate's loop. */
  void submit(TransactionId id, HlcTimestamp commitTs) {
    Primary primary = entries.get(id);
    Decision decision = primary == null ? null : primary.decision;
    if (primary == null || decision == null) {
      gate.decisionAnswered(id, false);
      gate.tell(g -> g.decisionFailed(id));
      return;
    }
    Optional<Sql> mark = DecisionMark.statement(id, commitTs, decision.participants);
    Sql text = TxLog.decision(mark, new TxLog.Decided(id, commitTs, decision.participants));
    onBranch(
        primary.branch,
        () ->
            Answer.ofAll(primary.branch, text, COMMIT)
                .whenComplete((answer, error) -> {
                  if (error != null) {
                    failed(primary.branch, decision, TxLog.failed(error));
                  } else if (mark.isEmpty() || marked.logged(id)) {
                    committed(decision, commitTs);
                  } else if (!answer.beganInTransaction()) {
                    lost(decision);
                  } else {
                    decideAlone(decision, commitTs);
                  }
                }));
  }

  private void committed(Decision decision, HlcTimestamp commitTs) {
    entries.remove(decision.id);
    gate.decisionAnswered(decision.id, true);
    decision.done.complete(commitTs);
  }

  /**
   * The mysqld had rolled the primary's transaction back by itself, so that there was none to
   * commit: nothing is decided.
   */
  private void lost(Decision decision) {
    TransactionId id = decision.id;
    entries.remove(id);
    gate.decisionAnswered(id, false);
    gate.tell(g -> g.decisionFailed(id));
    decision.done.completeExceptionally(
        new AlraiException(
            ErrorCode.ER_LOCK_DEADLOCK,
            id.primary()
                + " had rolled back its part of the transaction, and so was the rest; try"
                + " restarting transaction"));
  }

  /**
   * The primary has committed without changes, so its log has nothing of it: nothing is decided
   * yet.
   */
  private void decideAlone(Decision decision, HlcTimestamp commitTs) {
    TransactionId id = decision.id;
    txLog
        .write(new TxLog.Decided(id, commitTs, decision.participants))
        .whenComplete((answer, error) -> {
          if (error == null) {
            committed(decision, commitTs);
          } else {
            onBranch(decision.branch, decision.branch::close);
            settle(decision, TxLog.failed(error).reason());
          }
        });
  }

  private void failed(Branch branch, Decision decision, Answer.Failed failed) {
    TransactionId id = decision.id;
    if (failed.fromServer() && failed.succeeded() == 0) {
      // the row was refused, so COMMIT did not run
      entries.remove(id);
      gate.decisionAnswered(id, false);
      gate.tell(g -> g.decisionFailed(id));
      rollback(branch, whyNoRow(failed, id), decision.done);
      return;
    }
    branch.close();
    settle(decision, failed.reason());
  }

  private static AlraiException whyNoRow(Answer.Failed failed, TransactionId id) {
    return failed.is(ErrorCode.ER_DUP_ENTRY.errno()) ? abortedByRecovery(id) : failed.reason();
  }

  private static AlraiException abortedByRecovery(TransactionId id) {
    return new AlraiException(
        ErrorCode.ER_LOCK_DEADLOCK,
        "transaction "
            + id.gtrid()
            + " was rolled back, because its commit took too long; try restarting transaction");
  }

  /** The gate says that it may not be decided any more; on the gate's loop. */
  void refuse(TransactionId id) {
    Primary primary = entries.remove(id);
    if (primary != null && primary.decision != null) {
      rollback(primary.branch, abortedByRecovery(id), primary.decision.done);
    }
  }

  /** Rolls the open primary branch back, then fails with the reason. */
  private static void rollback(
      Branch branch, AlraiException reason, CompletableFuture<HlcTimestamp> done) {
    onBranch(
        branch,
        () ->
            Answer.of(branch, Sql.of("ROLLBACK AND NO CHAIN NO RELEASE"))
                .whenComplete((answer, error) -> {
                  if (error != null) {
                    branch.close();
                  }
                  done.completeExceptionally(reason);
                }));
  }

  private static void onBranch(Branch branch, Runnable action) {
    if (branch.eventLoop().inEventLoop()) {
      action.run();
    } else {
      branch.eventLoop().execute(action);
    }
  }

  /**
   * The decision was sent, its answer is lost and its connection closed. When the mysqld has closed
   * it too, whatever it did is in the log.
   */
  private void settle(Decision decision, AlraiException lost) {
    TransactionId id = decision.id;
    over(decision)
        .thenCompose(
            over -> over ? log(id, true) : CompletableFuture.completedFuture(new Outcome.InDoubt()))
        .whenComplete((outcome, error) -> {
          long age = nanos.getAsLong() - decision.askedNanos;
          if (outcome instanceof Outcome.Committed committed) {
            entries.remove(id);
            gate.decisionAnswered(id, false);
            decision.done.complete(committed.commitTs());
          } else if (outcome instanceof Outcome.Clients
              || outcome instanceof Outcome.RolledBack && age < times.sweepAge().toNanos()) {
            entries.remove(id);
            gate.decisionAnswered(id, false);
            gate.tell(g -> g.decisionFailed(id));
            decision.done.completeExceptionally(
                new AlraiException(
                    ErrorCode.ER_LOCK_DEADLOCK,
                    "the connection broke during COMMIT and the transaction was rolled back;"
                        + " try restarting transaction",
                    lost));
          } else if (retry.closed() || age > times.settle().toNanos()) {
            entries.remove(id);
            gate.decisionAnswered(id, false);
            decision.done.completeExceptionally(inDoubt(id, lost));
          } else {
            retry.later(() -> settle(decision, lost), decision.done);
          }
        });
  }

  @SuppressWarnings("ReferenceEquality") // the same life
  private CompletableFuture<Boolean> over(Decision decision) {
    return gate.life() == decision.life
        ? txLog.gone(decision.branch.serverConnectionId())
        : CompletableFuture.completedFuture(true);
  }

  /**
   * The final outcome of what is not being decided: by its mark, by its row, or else a tombstone.
   *
   * @param own whether this agent decided it, and knows that this has ended
   */
  private CompletableFuture<Outcome> log(TransactionId id, boolean own) {
    return orMarked(id, () -> txLog.settle(id, () -> condemn(id, own)))
        .whenComplete((outcome, error) -> {
          if (outcome instanceof Outcome.Clients) {
            condemned.isClients(id);
          }
        });
  }

  private CompletableFuture<Outcome> orMarked(
      TransactionId id, Supplier<CompletableFuture<Outcome>> unmarked) {
    return marked
        .find(id)
        .thenCompose(commitTs ->
            commitTs
                .<CompletableFuture<Outcome>>map(
                    ts -> CompletableFuture.completedFuture(new Outcome.Committed(ts)))
                .orElseGet(unmarked));
  }

  /**
   * Without a mark and a row it is aborted for good, also if its PRE_COMMIT has just come. A mark
   * that came after the first look is seen by the second; after that none can come.
   */
  private CompletableFuture<Outcome> condemn(TransactionId id, boolean own) {
    if (!own && marked.mayHaveLost(id)) {
      return CompletableFuture.completedFuture(new Outcome.InDoubt());
    }
    return gate.with(
            g -> {
              boolean undecided = own || g.giveUp(id);
              if (undecided) {
                condemned.begins(id);
              }
              return undecided;
            })
        .thenCompose(undecided -> {
          if (!undecided) {
            return CompletableFuture.completedFuture(new Outcome.InDoubt());
          }
          letGo(id);
          return orMarked(id, () -> txLog.bury(id))
              .whenComplete((outcome, error) -> {
                if (error == null) {
                  condemned.ended(id, outcome);
                } else {
                  condemned.lost(id);
                }
              });
        });
  }

  /** The gate asks about a transaction from before the start of its mysqld. */
  CompletableFuture<Outcome> settle(TransactionId id) {
    return log(id, false);
  }

  private static AlraiException inDoubt(TransactionId id, AlraiException lost) {
    return new AlraiException(
        ErrorCode.ALRAI_COMMIT_IN_DOUBT,
        "the outcome of transaction "
            + id.gtrid()
            + " is not known, because "
            + id.primary()
            + " is down: it is decided when "
            + id.primary()
            + " is back",
        lost);
  }

  /**
   * Asked by someone who holds a prepared branch: in doubt while the coordinator is at work on it;
   * otherwise it cannot be decided any more, and the log has the outcome.
   */
  CompletableFuture<Outcome> outcome(TransactionId id) {
    return orMarked(id, () -> unmarkedOutcome(id));
  }

  private CompletableFuture<Outcome> unmarkedOutcome(TransactionId id) {
    Primary known = entries.get(id);
    if (known != null && known.branch.alive() && atWork(id, known)) {
      return CompletableFuture.completedFuture(new Outcome.InDoubt());
    }
    return gate.with(g -> g.giveUp(id))
        .thenCompose(gone -> {
          if (!gone) {
            return txLog.logged(id);
          }
          letGo(id);
          return log(id, false);
        });
  }

  /**
   * A coordinator that gives signs of life is only slow; a stopped one keeps its connections, too.
   */
  private boolean atWork(TransactionId id, Primary primary) {
    long age = nanos.getAsLong() - primary.sinceNanos;
    return age < times.silence().toNanos()
        || age < times.patience().toNanos() && pulse.heard(id.coordinator(), times.silence());
  }

  /**
   * Gives up a primary whose coordinator was silent for too long, but may still hold the branch and
   * its locks. Nobody else uses the branch: after PRE_COMMIT it is given back decided or not at
   * all.
   */
  private boolean letGo(TransactionId id) {
    Primary known = entries.get(id);
    if (known == null || known.decision != null || !entries.remove(id, known)) {
      return false;
    }
    rollback(known.branch, abortedByRecovery(id), new CompletableFuture<>());
    return true;
  }

  /** Its coordinator has rolled it back. */
  void forget(TransactionId id) {
    entries.remove(id);
    gate.tell(g -> g.giveUp(id));
  }

  /** Rolls back undecided ones that nobody decides and nobody asks about. */
  void removeStale() {
    long now = nanos.getAsLong();
    condemned.removeOlderThan(times.tombstoneAge().toNanos());
    entries.forEach((id, primary) -> {
      if (primary.decision == null
          && (!primary.branch.alive() || now - primary.sinceNanos > times.sweepAge().toNanos())) {
        // a decision that comes now must be refused before its branch is rolled back
        gate.with(g -> g.giveUp(id))
            .thenAccept(gone -> {
              if (gone) {
                letGo(id);
              }
            });
      }
    });
  }

  /** The mysqld is dead: what was not sent to it is rolled back. On the gate's loop. */
  void lifeEnded() {
    entries.forEach((id, primary) -> {
      Decision decision = primary.decision;
      if (decision == null) {
        entries.remove(id, primary);
      } else if (!decision.done.isDone()) {
        primary.branch.close();
        settle(
            decision,
            new AlraiException(
                ErrorCode.ALRAI_NODE_UNAVAILABLE, "the mysqld of " + id.primary() + " is down"));
      }
    });
  }
}
