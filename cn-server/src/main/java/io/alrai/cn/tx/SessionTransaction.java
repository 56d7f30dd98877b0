package io.alrai.cn.tx;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.commit.Commits;
import io.alrai.cn.commit.SpanningTransactions;
import io.alrai.cn.held.HeldBySession;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.snapshot.SessionReads;
import io.alrai.cn.snapshot.TransactionOptions;
import io.alrai.cn.snapshot.TransactionSnapshot;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.cn.tx.branch.BranchEnding;
import io.alrai.cn.tx.branch.OpenTransaction;
import io.alrai.cn.tx.branch.Savepoints;
import io.alrai.cn.tx.branch.TransactionBranch;
import io.alrai.cn.tx.branch.TransactionNumbers;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A session's transaction: begun by the client or by autocommit=0, or for one statement over
 * several places. Branches open when a DN is first touched. Event loop only.
 *
 * <pre>
 * IDLE -> OPEN -> (commit | rollback) -> IDLE
 * </pre>
 */
public final class SessionTransaction implements SpanningTransactions.Waiting {
  private final TransactionSource source;
  private final SessionReads reads = new SessionReads();
  private final SpanningTransactions spanning;
  private final HeldBySession held;
  private final TransactionViews views;
  private final TransactionSnapshot snapshot;
  private final Commits commits;
  private final TransactionBranches branches;
  private final Savepoints savepoints = new Savepoints();
  private final BranchBeginnings beginnings;
  private final ClientXa clientXa;
  private TransactionOptions options = TransactionOptions.PLAIN;
  private boolean open;
  private boolean victim;
  private long statements;
  private long begunNanos;
  private long closed;
  private final StatementAtWork statement = new StatementAtWork();

  /**
   * The transaction of one session.
   *
   * @param spanning knows it while it has branches on several DNs
   */
  public SessionTransaction(
      TransactionSource source, TransactionNumbers numbers, SpanningTransactions spanning) {
    this.source = source;
    this.branches = new TransactionBranches(numbers, spanning);
    this.spanning = spanning;
    this.views = new TransactionViews(this, source, reads, branches, savepoints);
    this.snapshot = views.snapshot();
    this.beginnings = new BranchBeginnings(this, views, branches, savepoints);
    this.commits = new Commits(source, reads, spanning);
    this.clientXa = new ClientXa(this, new XaEnding(source, reads, numbers), spanning);
    this.held = HeldBySession.of(source, savepoints, clientXa::running);
  }

  /** The session's part in XA transactions of its client's. */
  public ClientXa clientXa() {
    return clientXa;
  }

  /** What the session holds while transactions come and go. */
  public HeldBySession held() {
    return held;
  }

  /** What the session demands of its reads. */
  public SessionReads reads() {
    return reads;
  }

  /** Whether a transaction is open. */
  public boolean open() {
    return open;
  }

  /** Whether a statement belongs to the transaction: one that looks at no rows opens no branch. */
  public boolean runs(RowAccess access) {
    return open && (access != RowAccess.NONE || !branches.isEmpty());
  }

  /** How the open transaction was begun. */
  public TransactionOptions options() {
    return options;
  }

  /** The branches so far, in the order in which DNs were touched. */
  public Collection<TransactionBranch> branches() {
    return branches.all();
  }

  /** Opens a transaction; none may be open. */
  public void begin(TransactionOptions how) {
    if (open) {
      throw new IllegalStateException("a transaction is open");
    }
    open = true;
    begunNanos = System.nanoTime();
    options = how;
    views.begin(how);
  }

  /** Opens a transaction whose branches can all be prepared. */
  void beginXa(TransactionOptions how) {
    begin(how);
    branches.makeAllXa();
  }

  /** Opens a transaction that ends with the statement at work. */
  public void beginForStatement() {
    begin(TransactionOptions.PLAIN);
    views.forStatement();
  }

  /** Records the statement that is about to run. */
  public void statement(long template, StatementTraits traits) {
    snapshot.statement(template);
    statement.begins(traits);
  }

  /** The snapshot of its consistent reads, once that is chosen. */
  public Optional<HlcTimestamp> snapshot() {
    return snapshot.at();
  }

  /**
   * Whether a statement that reads on these DNs may do it beside the open transaction, at a
   * snapshot of its own: under READ COMMITTED, where the transaction has not written.
   */
  public boolean readsBeside(Collection<DnId> dns, SessionSettings settings) {
    return TransactionSnapshot.perStatement(options, settings)
        && dns.stream().map(branches::get).allMatch(branch -> branch == null || !branch.wrote());
  }

  /**
   * Whether the query of a statement that writes reads current rows under locks: it does in a
   * transaction that is neither READ COMMITTED nor strict about its snapshot.
   */
  public boolean writesLockReads(SessionSettings settings) {
    return open && !reads.conflicts() && TransactionSnapshot.writesLockReads(options, settings);
  }

  /**
   * START TRANSACTION WITH CONSISTENT SNAPSHOT: opens the views of all DNs, where the transaction
   * reads at a snapshot. Comes after {@link #begin}; when it fails, the transaction is rolled back.
   */
  public CompletableFuture<Void> openSnapshot(SessionSettings settings) {
    if (!options.consistentSnapshot()) {
      return CompletableFuture.completedFuture(null);
    }
    return read(source.dataNodes(), settings).exceptionallyCompose(this::rollBackFor);
  }

  /**
   * Opens the views that consistent reads of the next statement need, where the transaction reads
   * at a snapshot: with the first read on all DNs, unless such transactions are known to stay where
   * they began. The future fails with ER_LOCK_DEADLOCK when a DN has moved past the snapshot.
   */
  public CompletableFuture<Void> read(Collection<DnId> dns, SessionSettings settings) {
    return held.tableLocks().held() || !views.wanted(dns, settings)
        ? CompletableFuture.completedFuture(null)
        : views.open(dns, settings);
  }

  /** The snapshot that its reads see. */
  public TransactionViews views() {
    return views;
  }

  /** The branch on a DN if it has been touched. */
  public @Nullable TransactionBranch existing(DnId dn) {
    return branches.get(dn);
  }

  /** Gives all its branches. */
  public void eachBranch(Consumer<Branch> to) {
    branches.all().forEach(branch -> to.accept(branch.branch()));
  }

  /**
   * Gives the branch on a DN, prepared for the settings and schema; begins it when the DN is first
   * touched. Nothing is flushed: the caller's statement follows in the same write.
   *
   * @param access of the statement; nothing is written where the transaction is read-only
   */
  public void branch(
      DnId dn, SessionSettings settings, String schema, RowAccess access, BranchTaker taker) {
    statements++;
    if (dn.equals(DnId.OF_SESSION)) {
      held.temporary().take(settings, schema, taker);
      return;
    }
    Runnable leader = () -> atLeader(dn, settings, schema, access, taker);
    if (access == RowAccess.CONSISTENT && views.replicas().serves()) {
      views.replicas().take(dn, settings, schema, taker, leader);
    } else {
      leader.run();
    }
  }

  private void atLeader(
      DnId dn, SessionSettings settings, String schema, RowAccess access, BranchTaker taker) {
    if (snapshot.awaits(dn)) {
      snapshot.settle(dn, taker, () -> atLeader(dn, settings, schema, access, taker));
      return;
    }
    TransactionBranch known = branches.get(dn);
    if (access == RowAccess.CONSISTENT) {
      if (known != null && known.viewed()) {
        if (!known.readFirst()) {
          snapshot.spreads();
        }
      } else if (!held.tableLocks().held() && views.wanted(List.of(dn), settings)) {
        read(List.of(dn), settings)
            .whenComplete((done, error) -> {
              if (error == null) {
                begun(dn, settings, schema, access, taker);
              } else {
                taker.refused(AlraiException.causeOf(error));
              }
            });
        return;
      }
    }
    boolean alone = access == RowAccess.CONSISTENT && views.readsAlone(known);
    long era = closed;
    spanning.behindCommits(
        alone || statement.mindsCommits(access, options, settings),
        source.loop(),
        () -> {
          if (era == closed) {
            begun(dn, settings, schema, access, taker);
          } else {
            taker.refused(BranchControl.broken(dn));
          }
        });
  }

  /** Gives a branch for a statement outside of a transaction; it is not prepared. */
  public void takeAlone(
      DnId dn, SessionSettings settings, String schema, RowAccess access, BranchTaker taker) {
    if (dn.equals(DnId.OF_SESSION)) {
      held.temporary().take(taker);
      return;
    }
    spanning.behindCommits(
        access.current() && statement.mindsCommits(access, TransactionOptions.PLAIN, settings),
        source.loop(),
        () -> held.tableLocks().take(dn, schema, taker));
  }

  private void begun(
      DnId dn, SessionSettings settings, String schema, RowAccess access, BranchTaker taker) {
    TransactionBranch known = branches.get(dn);
    if (known != null) {
      if (!known.branch().alive()) {
        taker.refused(BranchControl.broken(dn));
        return;
      }
      if (access.current() && !options.readOnly() && !views.mayWrite(known)) {
        views.promote(known, settings, taker, () -> begun(dn, settings, schema, access, taker));
        return;
      }
      note(known, access, settings);
      BranchPreparation.queue(known.branch(), settings, schema);
      boolean atSnapshot = access == RowAccess.CONSISTENT;
      taker.taken(atSnapshot ? snapshot.forRead(known.branch(), settings, schema) : known.branch());
      return;
    }
    beginnings.take(
        dn, settings, schema, access.current(), mine -> note(mine, access, settings), taker);
  }

  private void note(TransactionBranch branch, RowAccess access, SessionSettings settings) {
    branch.note(access, statement.tells(), options, settings);
    if (branch.claims()) {
      snapshot.stays();
    }
  }

  /**
   * SAVEPOINT, ROLLBACK TO, RELEASE on every branch.
   *
   * @param name without quotes
   * @return fails with 1305 when there is none of that name; 1213 where a branch broke
   */
  public CompletableFuture<Void> savepoint(Savepoints.Action action, String name) {
    return savepoints
        .run(action, name, branches.all())
        .thenCompose(held.temporary()::savepoint)
        .exceptionallyCompose(error ->
            BranchControl.losesTransaction(AlraiException.causeOf(error))
                ? rollBackFor(error)
                : CompletableFuture.failedFuture(error));
  }

  /** Whether there is a savepoint of that name. */
  public boolean hasSavepoint(String name) {
    return savepoints.has(name);
  }

  /**
   * Commits; where there are writes, as soon as no lock over the cluster holds that off. The future
   * completes on the event loop; when it fails, the transaction is rolled back unless the error is
   * ALRAI_COMMIT_IN_DOUBT; within XA START and what ends it, with 1399.
   */
  public CompletableFuture<Void> commit() {
    if (clientXa.running()) {
      return CompletableFuture.failedFuture(clientXa.wrongState());
    }
    if (!branches.wrote()) {
      return commitNow();
    }
    long era = closed;
    return held.admission()
        .awaitCommit()
        .handle((admitted, error) -> {
          if (error != null) {
            return rollBackFor(AlraiException.causeOf(error));
          }
          if (era != closed) {
            held.admission().committed();
            return CompletableFuture.<Void>failedFuture(AlraiException.interruption());
          }
          CompletableFuture<Void> done = commitNow();
          done.whenComplete((committed, failed) ->
              commits.finished().whenComplete((all, late) -> held.admission().committed()));
          return done;
        })
        .thenCompose(Function.identity());
  }

  private CompletableFuture<Void> commitNow() {
    TransactionBranch deciding = branches.deciding();
    if (deciding == null) {
      close(true);
      return held.temporary().commit();
    }
    for (TransactionBranch branch : branches.all()) {
      if (branch.claims() && !branch.branch().alive()) {
        return rollBackFor(BranchControl.broken(branch.branch().dn()));
      }
    }
    CompletableFuture<Void> done =
        commits.commit(branches.all(), deciding, branches.id(), held.tableLocks().held());
    close(true);
    return held.temporary().behind(done);
  }

  /**
   * A statement of the session has ended: others need not wait for it any more, unless it has left
   * tables locked for writes.
   */
  public void statementOver() {
    statement.over();
    if (!held.tableLocks().writes()) {
      held.admission().leave();
    }
  }

  /** Rolls back; the future completes on the event loop and never fails. */
  public CompletableFuture<Void> rollback() {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    branches
        .all()
        .forEach(branch -> all.add(BranchEnding.rollback(branch, branches.id().orElse(null))));
    all.add(held.temporary().rollback());
    close(false);
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> rollBackFor(Throwable reason) {
    AlraiException told = BranchControl.ended(AlraiException.causeOf(reason));
    return rollback().thenCompose(_ -> CompletableFuture.failedFuture(told));
  }

  /**
   * A statement failed at a DN. Where the mysqld has undone more than the statement, as after a
   * deadlock, the whole transaction is rolled back. The future completes on the event loop and
   * never fails.
   */
  public CompletableFuture<Void> failed(AlraiException error) {
    return failed(error, branches.all());
  }

  /** A statement that ran on one DN only has failed: no other DN is waited for. */
  public CompletableFuture<Void> failedOn(DnId dn, AlraiException error) {
    return failed(error, Stream.ofNullable(branches.get(dn)).toList());
  }

  private CompletableFuture<Void> failed(
      AlraiException error, Collection<TransactionBranch> parts) {
    if (!open || error.signalled()) {
      return CompletableFuture.completedFuture(null);
    }
    if (BranchControl.losesTransaction(error)) {
      return rollback();
    }
    long era = closed;
    return LostTransactions.any(parts)
        .thenCompose(
            lost -> lost && era == closed ? rollback() : CompletableFuture.completedFuture(null));
  }

  /** The session's settings change: MySQL leaves the transaction that is open as it began. */
  public void settingsBecome(SessionSettings before, SessionSettings changed) {
    String isolation = TransactionSnapshot.isolation(options, before);
    if (open && !isolation.equals(TransactionSnapshot.isolation(options, changed))) {
      options = options.isolatedAs(isolation);
      views.keepIsolation(options);
    }
  }

  /** Detaches the transaction from this session; the caller ends its branches. */
  XaEnding.Work detach() {
    XaEnding.Work work = new XaEnding.Work(List.copyOf(branches.all()), branches.id());
    close(true);
    return work;
  }

  /** Ends without sending anything: the session has ended, and mysqlds roll back what is open. */
  public void abandon() {
    branches.abandon();
    views.replicas().abandon();
    held.abandon();
    clientXa.forget();
    close(false);
  }

  /** The transaction as others may see it; empty when none is open. */
  public Optional<OpenTransaction> seen() {
    if (!open) {
      return Optional.empty();
    }
    long ageMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
    return Optional.of(
        new OpenTransaction(
            branches.id(), ageMillis, !busy().isEmpty(), snapshot.at(), branches.seen()));
  }

  /** How many statements it has begun: while one waits, the number stays. */
  @Override
  public long statements() {
    return statements;
  }

  /** The branches with a reply outstanding. */
  @Override
  public List<Branch> busy() {
    return branches.busy();
  }

  /** Makes it a deadlock's victim: statements that are interrupted now fail with that error. */
  @Override
  public void chooseVictim() {
    victim = true;
  }

  /** A statement's error as the client gets it. */
  public AlraiException told(AlraiException error) {
    return victim && error.is(ErrorCode.ER_QUERY_INTERRUPTED)
        ? BranchControl.deadlock(error)
        : error;
  }

  private void close(boolean committed) {
    views.end(committed, branches.writers() > 1);
    branches.clear();
    savepoints.clear();
    closed++;
    victim = false;
    options = TransactionOptions.PLAIN;
    open = false;
  }
}
