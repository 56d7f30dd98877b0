package io.alrai.dn.xa;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.gate.live.LiveGate;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant.Finishing;
import io.alrai.dn.link.XaName;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits and rolls back prepared branches until it is done: on the connection that keeps one, or
 * else from the agent's own. Thread-safe.
 */
final class Finishes {
  private static final int ER_XAER_NOTA = 1397;

  /** How many tries take a second. */
  private static final int MOST_SOON = 200;

  private static final Sql COMMIT = Sql.of("XA COMMIT ");
  private static final Sql ROLLBACK = Sql.of("XA ROLLBACK ");
  private static final Logger log = LoggerFactory.getLogger(Finishes.class);

  private final DnId dn;
  private final LiveGate gate;
  private final OwnConnections connections;
  private final SilentBranches silent;
  private final Retry retry;
  private final Supplier<CompletableFuture<Set<TransactionId>>> recover;
  private final Map<TransactionId, Commit> commits = new ConcurrentHashMap<>();

  /**
   * XA COMMITs without an answer, and in which of the mysqld's lives they were asked for last. The
   * gate asks twice when it has learnt of the decision by itself, and the first XA COMMIT is
   * acknowledged before the coordinator asks: a second one would keep the connection from being
   * given back.
   */
  private final Map<TransactionId, Optional<Object>> atWork = new ConcurrentHashMap<>();

  /** How often a mysqld has said that it knows no such branch, though it is there. */
  private final Map<TransactionId, Integer> unknown = new ConcurrentHashMap<>();

  private record Commit(HlcTimestamp commitTs, Finishing finishing) {}

  /**
   * The finishes of a DN.
   *
   * @param recover asks the mysqld what is prepared
   */
  Finishes(
      DnId dn,
      LiveGate gate,
      OwnConnections connections,
      SilentBranches silent,
      Retry retry,
      Supplier<CompletableFuture<Set<TransactionId>>> recover) {
    this.recover = recover;
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

  /** Has the gate submit it: now or after a cut, unless that has happened before. */
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
    Optional<Object> life = Optional.ofNullable(gate.life());
    if (atWork.put(id, life) != null) {
      return;
    }
    run(COMMIT, id)
        .whenComplete((known, error) -> {
          Object asked = Objects.requireNonNullElse(atWork.remove(id), life).orElse(null);
          if (error == null) {
            gone(id);
            gate.answered(id, known);
            ended(id, null);
            return;
          }
          Answer.Failed failed = TxLog.failed(error);
          if (retry.closed()) {
            ended(id, failed);
          } else {
            log.debug("XA COMMIT {}: {}; trying again", id.gtrid(), failed.reason().sentence());
            again(id, failed, () -> commitAgain(id, asked), new CompletableFuture<>());
          }
        });
  }

  /**
   * Ends a prepared branch where that is possible. Completes when it is gone, with whether it was
   * there.
   */
  private CompletableFuture<Boolean> run(Sql verb, TransactionId id) {
    Sql sql = verb.add(XaName.name(id, dn));
    return silent
        .keeper(id)
        .map(keeper -> onLoopOf(keeper, sql))
        .orElseGet(() -> connections.run(sql))
        .thenApply(answer -> true)
        .exceptionallyCompose(error -> {
          Answer.Failed failed = TxLog.failed(error);
          return failed.is(ER_XAER_NOTA)
              ? unlisted(id, failed)
              : CompletableFuture.failedFuture(failed);
        });
  }

  private static CompletableFuture<Answer> onLoopOf(Branch keeper, Sql sql) {
    if (keeper.eventLoop().inEventLoop()) {
      return Answer.of(keeper, sql);
    }
    return CompletableFuture.supplyAsync(() -> Answer.of(keeper, sql), keeper.eventLoop())
        .thenCompose(Function.identity());
  }

  /**
   * A mysqld says that it knows no such xid also while a connection that broke, and kept it, is
   * still being ended: XA RECOVER lists it then. It is another connection's to end in a moment. And
   * while an XA COMMIT of before waits for its acknowledgement, whose own connection broke: XA
   * RECOVER does not list it, but a crash of the mysqld brings it back, so it is not done.
   */
  private CompletableFuture<Boolean> unlisted(TransactionId id, Answer.Failed unknown) {
    return recover
        .get()
        .thenCompose(
            listed -> listed.contains(id) ? CompletableFuture.completedFuture(true) : atWork(id))
        .thenCompose(there ->
            there
                ? CompletableFuture.failedFuture(unknown)
                : CompletableFuture.completedFuture(false));
  }

  /** Whether a connection of the mysqld, known or lost, is ending the branch just now. */
  private CompletableFuture<Boolean> atWork(TransactionId id) {
    String commit = COMMIT.add(XaName.name(id, dn)).text();
    String rollback = ROLLBACK.add(XaName.name(id, dn)).text();
    return connections
        .run(
            Sql.of("SELECT COUNT(*) FROM information_schema.processlist WHERE info IN (")
                .literal(commit)
                .words(",")
                .literal(rollback)
                .words(")"))
        .thenApply(answer -> !answer.rows().getFirst().getFirst().equals("0"));
  }

  /**
   * Tries again soon where another connection is letting it go, which may take as long as its
   * commit.
   */
  private void again(
      TransactionId id, Answer.Failed failed, Runnable attempt, CompletableFuture<?> done) {
    int times = failed.is(ER_XAER_NOTA) ? unknown.merge(id, 1, Integer::sum) : MOST_SOON;
    if (times < MOST_SOON) {
      retry.soon(attempt, done);
    } else {
      if (failed.is(ER_XAER_NOTA) && times == MOST_SOON) {
        log.info("{}: {} is still being ended by another connection", dn, id.gtrid());
      }
      retry.later(attempt, done);
    }
  }

  /**
   * The mysqld has finished it. What it logged arrived before its answer; but it logs nothing for a
   * branch that changed nothing, and the gate must not wait for that.
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
    unknown.remove(id);
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
    run(ROLLBACK, id)
        .whenComplete((known, error) -> {
          if (error == null) {
            gone(id);
            unknown.remove(id);
            silent.remove(id);
            done.complete(null);
            return;
          }
          Answer.Failed failed = TxLog.failed(error);
          if (retry.closed()) {
            done.completeExceptionally(failed.reason());
          } else {
            log.debug("XA ROLLBACK {}: {}; trying again", id.gtrid(), failed.reason().sentence());
            again(id, failed, () -> runRollback(id, done), done);
          }
        });
  }
}
