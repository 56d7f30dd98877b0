package io.alrai.dn.xa;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.gate.live.LiveGate;
import io.alrai.dn.link.CommitParticipant.Finishing;
import io.alrai.dn.link.XaName;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits and rolls back prepared branches from the agent's own connections, until it is done.
 * Thread-safe.
 */
final class Finishes {
  private static final int ER_XAER_NOTA = 1397;
  private static final Logger log = LoggerFactory.getLogger(Finishes.class);

  private final DnId dn;
  private final LiveGate gate;
  private final OwnConnections connections;
  private final SilentBranches silent;
  private final Retry retry;
  private final Map<TransactionId, Commit> commits = new ConcurrentHashMap<>();

  private record Commit(HlcTimestamp commitTs, Finishing finishing) {}

  Finishes(DnId dn, LiveGate gate, OwnConnections connections, SilentBranches silent, Retry retry) {
    this.dn = dn;
    this.gate = gate;
    this.connections = connections;
    this.silent = silent;
    this.retry = retry;
  }

  /** Any thread. */
  Finishing commit(TransactionId id, HlcTimestamp commitTs) {
    Finishing finishing = commits.computeIfAbsent(id, key -> begin(commitTs)).finishing;
    tellGate(id, commitTs, finishing.done());
    return finishing;
  }

  private static Commit begin(HlcTimestamp commitTs) {
    CompletableFuture<Void> submitted = new CompletableFuture<>();
    CompletableFuture<Void> done = new CompletableFuture<>();
    done.whenComplete((ok, error) -> {
      if (error == null) {
        submitted.complete(null);
      } else {
        submitted.completeExceptionally(error);
      }
    });
    return new Commit(commitTs, new Finishing(submitted, done));
  }

  /** The gate has it submitted: now, after a cut, or it has been before. */
  private void tellGate(TransactionId id, HlcTimestamp commitTs, CompletableFuture<Void> done) {
    gate.with(
            g -> {
              g.commitPrepared(id, commitTs);
              return true;
            })
        .whenComplete((ok, error) -> {
          if (error == null) {
            return;
          }
          if (retry.closed()) {
            ended(id, TxLog.failed(error));
          } else {
            retry.later(() -> tellGate(id, commitTs, done), done);
          }
        });
  }

  /** The gate's word; on its loop. */
  void submitCommit(TransactionId id) {
    Commit commit = commits.get(id);
    if (commit != null) {
      commit.finishing.submitted().complete(null);
    }
    Object life = gate.life();
    connections
        .run("XA COMMIT " + XaName.literal(id, dn))
        .whenComplete((answer, error) -> {
          Answer.Failed failed = error == null ? null : TxLog.failed(error);
          if (failed == null || failed.is(ER_XAER_NOTA)) {
            gone(id);
            gate.answered(id, failed == null);
            ended(id, null);
          } else if (retry.closed()) {
            ended(id, failed);
          } else {
            log.debug("XA COMMIT {}: {}; trying again", id.gtrid(), failed.reason().sentence());
            retry.later(() -> commitAgain(id, life), new CompletableFuture<>());
          }
        });
  }

  /**
   * The mysqld is done with it. What it logged has arrived before it answered; but of a branch that
   * changed nothing it logs nothing, and the gate must not wait for it.
   */
  private void gone(TransactionId id) {
    gate.tell(g -> g.branchGone(id));
  }

  @SuppressWarnings("ReferenceEquality") // the same life
  private void commitAgain(TransactionId id, @Nullable Object life) {
    Commit commit = commits.get(id);
    if (gate.life() == life) {
      submitCommit(id);
    } else if (commit != null) {
      // the gate of the mysqld's next life decides when
      tellGate(id, commit.commitTs, new CompletableFuture<>());
    }
  }

  private void ended(TransactionId id, Answer.@Nullable Failed failed) {
    silent.remove(id);
    Commit commit = commits.remove(id);
    if (commit == null) {
      return;
    }
    if (failed == null) {
      commit.finishing.done().complete(null);
    } else {
      commit.finishing.done().completeExceptionally(failed.reason());
    }
  }

  /** Any thread. */
  CompletableFuture<Void> rollback(TransactionId id) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    gate.tell(g -> g.rollingBack(id));
    runRollback(id, done);
    return done;
  }

  private void runRollback(TransactionId id, CompletableFuture<Void> done) {
    connections
        .run("XA ROLLBACK " + XaName.literal(id, dn))
        .whenComplete((answer, error) -> {
          Answer.Failed failed = error == null ? null : TxLog.failed(error);
          if (failed == null || failed.is(ER_XAER_NOTA)) {
            gone(id);
            silent.remove(id);
            done.complete(null);
          } else if (retry.closed()) {
            done.completeExceptionally(failed.reason());
          } else {
            log.debug("XA ROLLBACK {}: {}; trying again", id.gtrid(), failed.reason().sentence());
            retry.later(() -> runRollback(id, done), done);
          }
        });
  }
}
