package io.alrai.cn.tx;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.commit.CommitOutcome;
import io.alrai.cn.commit.LockKeeping;
import io.alrai.cn.commit.ReadLocks;
import io.alrai.cn.commit.TwoPhaseCommit;
import io.alrai.cn.snapshot.SessionReads;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.cn.snapshot.ViewRequests;
import io.alrai.cn.tx.branch.BranchEnding;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.cn.tx.branch.TransactionNumbers;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ClientPrepared;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Ends transactions whose branches are all XA: they are prepared at once, and decided later, on any
 * CN. Event loop only.
 */
final class XaEnding {
  /** How long a rollback waits until the locks are gone; the agents finish the rest. */
  private static final long UNDONE_MILLIS = 2_000;

  /**
   * A transaction that its session has nothing to do with any more.
   *
   * @param id none where it has no XA branch
   */
  record Work(List<TransactionBranch> branches, Optional<TransactionId> id) {
    private List<TransactionBranch> writers() {
      return branches.stream().filter(TransactionBranch::mayHaveChanged).toList();
    }

    private List<DnId> participants() {
      return writers().stream().map(writer -> writer.branch().dn()).toList();
    }
  }

  private final TransactionSource source;
  private final SessionReads reads;
  private final TransactionNumbers numbers;

  XaEnding(TransactionSource source, SessionReads reads, TransactionNumbers numbers) {
    this.source = source;
    this.reads = reads;
    this.numbers = numbers;
  }

  /**
   * XA PREPARE: when this completes, the transaction stays until it is ended by its xid; when it
   * fails, it is rolled back, unless the error is 1401.
   */
  CompletableFuture<Void> prepare(Work work, String xid) {
    TransactionId id = work.id().orElseGet(() -> numbers.next(source.dataNodes().getFirst(), 0));
    ReadLocks locks = endReads(work);
    return prepareBranches(work, id, locks, Branch::releasePrepared)
        .thenCompose(prepared -> {
          ClientPrepared entry = new ClientPrepared(id, work.participants(), prepared, xid);
          return entry.fits() ? enter(entry) : undo(work.participants(), id, rolledBack());
        })
        .handle((done, error) -> locks.end(error == null).thenCompose(ended -> outcome(error)))
        .thenCompose(Function.identity());
  }

  /** XA COMMIT ... ONE PHASE of a transaction that wrote on several DNs. */
  CompletableFuture<Void> commitAtOnce(Work work) {
    TransactionId id = work.id().orElseThrow();
    ReadLocks locks = endReads(work);
    source.counts().commits().increment();
    return prepareBranches(work, id, locks, Branch::release)
        .thenCompose(prepared ->
            take(id.primary())
                .thenCompose(branch -> run(branch, Sql.of("START TRANSACTION READ WRITE")))
                .thenCompose(branch -> decide(branch, id, work.participants(), prepared))
                .exceptionally(error -> new CommitOutcome.RolledBack(AlraiException.causeOf(error)))
                .thenCompose(outcome ->
                    outcome instanceof CommitOutcome.RolledBack
                        ? undo(work.participants(), id, rolledBack())
                        : outcome.answer()))
        .thenCompose(done -> locks.none() ? done() : locks.passStamp())
        .handle((done, error) -> locks.end(error == null).thenCompose(ended -> outcome(error)))
        .thenCompose(Function.identity());
  }

  /** Ends the branches that only read, except those that hold locks, which are returned. */
  private ReadLocks endReads(Work work) {
    List<TransactionBranch> locking = new ArrayList<>();
    for (TransactionBranch branch : work.branches()) {
      if (branch.mayHaveChanged()) {
        continue;
      }
      if (branch.claims()) {
        locking.add(branch);
      } else if (branch.leavesView()) {
        branch.branch().releaseViewed();
      } else {
        BranchEnding.withoutWrites(branch, work.id().orElse(null));
      }
    }
    return new ReadLocks(source, reads, locking, work.id());
  }

  /**
   * Fails with all branches rolled back.
   *
   * @param free gives a branch back that is prepared
   */
  private CompletableFuture<HlcTimestamp> prepareBranches(
      Work work, TransactionId id, ReadLocks locks, Consumer<Branch> free) {
    return locks
        .verify()
        .thenCompose(held -> LockKeeping.keep(work.writers(), id))
        .thenCompose(kept -> {
          List<CompletableFuture<HlcTimestamp>> prepares = new ArrayList<>();
          for (TransactionBranch writer : work.writers()) {
            Branch branch = writer.branch();
            branch.state().dependency(reads.stamp());
            prepares.add(
                branch.alive()
                    ? source.participant(branch.dn()).prepare(branch, id)
                    : CompletableFuture.failedFuture(rolledBack()));
          }
          return CompletableFuture.allOf(prepares.toArray(CompletableFuture[]::new))
              .thenApply(done -> TwoPhaseCommit.largest(prepares));
        })
        .handleAsync(
            (prepared, error) -> {
              if (error == null) {
                work.writers().forEach(writer -> free.accept(writer.branch()));
                return CompletableFuture.completedFuture(prepared);
              }
              work.writers().forEach(writer -> writer.branch().close());
              return this.<HlcTimestamp>undo(work.participants(), id, rolledBack());
            },
            source.loop())
        .thenCompose(Function.identity());
  }

  /** Rolls back what is prepared, as far as that is possible now; recovery does the rest. */
  private <T> CompletableFuture<T> undo(
      List<DnId> participants, TransactionId id, AlraiException reason) {
    source.counts().rollbacks().increment();
    participants.forEach(dn -> source.participant(dn).rollbackPrepared(id));
    return CompletableFuture.failedFuture(reason);
  }

  private static AlraiException rolledBack() {
    return new AlraiException(
        ErrorCode.ER_XA_RBROLLBACK, "XA_RBROLLBACK: Transaction branch was rolled back");
  }

  private CompletableFuture<Void> enter(ClientPrepared entry) {
    return take(entry.id().primary())
        .thenCompose(branch ->
            Answer.ofAll(
                    branch,
                    Sql.of("START TRANSACTION READ WRITE"),
                    entry.insert(),
                    Sql.of(BranchControl.COMMIT))
                .handle((answer, error) -> {
                  if (error == null) {
                    branch.release();
                    return done();
                  }
                  branch.close();
                  return notEntered(entry, failed(error));
                })
                .thenCompose(Function.identity()));
  }

  /** Unless the mysqld said no, nobody knows whether the row is there: the abort finds out. */
  private CompletableFuture<Void> notEntered(ClientPrepared entry, Answer.Failed failed) {
    if (failed.fromServer()) {
      return undo(entry.participants(), entry.id(), rolledBack());
    }
    return CompletableFuture.failedFuture(
        new AlraiException(
            ErrorCode.ER_XAER_RMERR,
            "XAER_RMERR: the connection to "
                + entry.id().primary()
                + " broke during XA PREPARE: XA RECOVER lists the transaction if it is prepared",
            failed.reason()));
  }

  // What is prepared.

  /**
   * The prepared transactions with an xid, or all where it is empty. Fails with 1399 when a DN that
   * might have one does not answer.
   */
  CompletableFuture<List<ClientPrepared>> find(String xid) {
    List<CompletableFuture<List<ClientPrepared>>> asked = new ArrayList<>();
    for (DnId dn : source.dataNodes()) {
      asked.add(find(dn, xid));
    }
    return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
        .handle((done, error) -> {
          List<ClientPrepared> all = new ArrayList<>();
          for (CompletableFuture<List<ClientPrepared>> answer : asked) {
            if (!answer.isCompletedExceptionally()) {
              all.addAll(answer.join());
            }
          }
          if (error != null && (xid.isEmpty() || all.isEmpty())) {
            throw new CompletionException(unreachable(error));
          }
          return all;
        });
  }

  private static AlraiException unreachable(Throwable error) {
    AlraiException reason = AlraiException.causeOf(error);
    return new AlraiException(
        ErrorCode.ER_XAER_RMFAIL,
        "XAER_RMFAIL: what is prepared on a DN cannot be told now; try again: " + reason.sentence(),
        reason);
  }

  private CompletableFuture<List<ClientPrepared>> find(DnId dn, String xid) {
    return take(dn)
        .thenCompose(branch ->
            Answer.of(branch, ClientPrepared.select(xid))
                .handle((answer, error) -> {
                  if (error != null) {
                    branch.close();
                    throw new CompletionException(failed(error).reason());
                  }
                  branch.release();
                  return answer.rows().stream()
                      .map(row -> ClientPrepared.of(row.get(0), row.get(1)))
                      .toList();
                }));
  }

  /**
   * XA COMMIT of what is prepared; fails with 1397, and with 1399 when it has to be done again, as
   * it is still prepared or nobody knows.
   */
  CompletableFuture<Void> commit(String xid) {
    return known(xid)
        .thenCompose(entry ->
            claimed(entry, entry.delete())
                .thenCompose(branch -> {
                  source.counts().commits().increment();
                  return decide(branch, entry.id(), entry.participants(), entry.prepared())
                      .thenCompose(CommitOutcome::answer);
                }))
        .exceptionallyCompose(error -> CompletableFuture.failedFuture(again(error)));
  }

  /** Transaction managers try again after 1399, and after no other error. */
  private static AlraiException again(Throwable error) {
    AlraiException reason = AlraiException.causeOf(error);
    if (reason.is(ErrorCode.ER_XAER_NOTA) || reason.is(ErrorCode.ER_XAER_RMFAIL)) {
      return reason;
    }
    return new AlraiException(
        ErrorCode.ER_XAER_RMFAIL,
        "XAER_RMFAIL: "
            + reason.sentence()
            + "; what is not ended stays prepared: try again, it is ended when the XID is unknown",
        reason);
  }

  /** XA ROLLBACK of what is prepared; fails as {@link #commit} does. */
  CompletableFuture<Void> rollback(String xid) {
    return known(xid)
        .thenCompose(entry ->
            claimed(entry, entry.abort(), Sql.of(BranchControl.COMMIT))
                .thenCompose(branch -> {
                  branch.release();
                  List<CompletableFuture<Void>> undone = new ArrayList<>();
                  entry
                      .participants()
                      .forEach(
                          dn -> undone.add(source.participant(dn).rollbackPrepared(entry.id())));
                  return CompletableFuture.allOf(undone.toArray(CompletableFuture[]::new))
                      .exceptionally(recovered -> null)
                      .completeOnTimeout(null, UNDONE_MILLIS, TimeUnit.MILLISECONDS)
                      .thenApplyAsync(Function.identity(), source.loop());
                }))
        .exceptionallyCompose(error -> CompletableFuture.failedFuture(again(error)));
  }

  private CompletableFuture<ClientPrepared> known(String xid) {
    return find(xid)
        .thenApply(found -> {
          if (found.isEmpty()) {
            throw new CompletionException(ClientXa.unknown());
          }
          return found.getFirst();
        });
  }

  /** A plain branch of the primary with the entry locked, and changed; 1397 when it is gone. */
  private CompletableFuture<Branch> claimed(ClientPrepared entry, Sql... change) {
    return take(entry.id().primary())
        .thenCompose(branch ->
            Answer.ofText(branch, entry.claim().add(Sql.join(";", List.of(change))))
                .handle((answer, error) -> {
                  if (error != null) {
                    branch.close();
                    throw new CompletionException(failed(error).reason());
                  }
                  if (answer.rows().isEmpty()) {
                    branch.close();
                    throw new CompletionException(ClientXa.unknown());
                  }
                  return branch;
                }));
  }

  /**
   * Pre-commits and decides on a plain branch, in its transaction; completes when no lock is left,
   * or after a bounded wait for that. Never fails.
   */
  private CompletableFuture<CommitOutcome> decide(
      Branch branch, TransactionId id, List<DnId> participants, HlcTimestamp prepared) {
    branch.state().dependency(reads.stamp());
    return source
        .participant(branch.dn())
        .preCommit(branch, id)
        .handleAsync(
            (ts, error) -> {
              if (error != null) {
                branch.close();
                return CompletableFuture.<CommitOutcome>completedFuture(
                    new CommitOutcome.RolledBack(AlraiException.causeOf(error)));
              }
              HlcTimestamp proposed = ts.compareTo(prepared) > 0 ? ts : prepared;
              TwoPhaseCommit commit =
                  TwoPhaseCommit.ofPrepared(source, id, branch, participants, reads);
              return commit
                  .decide(proposed)
                  .thenCombine(commit.finished(), (outcome, done) -> outcome);
            },
            source.loop())
        .thenCompose(Function.identity());
  }

  private static CompletableFuture<Branch> run(Branch branch, Sql sql) {
    return BranchControl.run(branch, sql)
        .handle((done, error) -> {
          if (error != null) {
            branch.close();
            throw new CompletionException(AlraiException.causeOf(error));
          }
          return branch;
        });
  }

  private CompletableFuture<Branch> take(DnId dn) {
    return ViewRequests.take(source, dn);
  }

  private static Answer.Failed failed(Throwable error) {
    Throwable reason = error instanceof CompletionException ? error.getCause() : error;
    return reason instanceof Answer.Failed known
        ? known
        : new Answer.Failed(AlraiException.causeOf(error), 0, false);
  }

  private static CompletableFuture<Void> done() {
    return CompletableFuture.completedFuture(null);
  }

  private static CompletableFuture<Void> outcome(@Nullable Throwable error) {
    return error == null ? done() : CompletableFuture.failedFuture(AlraiException.causeOf(error));
  }
}
