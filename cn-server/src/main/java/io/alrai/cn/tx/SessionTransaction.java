package io.alrai.cn.tx;

import io.alrai.cn.session.SessionSettings;
import io.alrai.cn.shard.BranchPreparation;
import io.alrai.cn.shard.Commands;
import io.alrai.cn.shard.StatusSink;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A session's transaction: begun by the client or by autocommit=0, or for one statement over
 * several places. Branches open when a DN is first touched. Event loop only.
 *
 * <pre>
 * IDLE -> OPEN -> (commit | rollback) -> IDLE
 * </pre>
 */
public final class SessionTransaction {
  private final BranchSource source;
  private final TransactionNumbers numbers;
  private final SessionReads reads = new SessionReads();
  private final SpanningTransactions spanning;
  private final TableLocks tableLocks;
  private final Map<DnId, TransactionBranch> branches = new LinkedHashMap<>(4);
  private final List<String> savepoints = new ArrayList<>();
  private @Nullable TransactionId id;
  private @Nullable DnId primary;
  private TransactionOptions options = TransactionOptions.PLAIN;
  private boolean open;
  private boolean victim;
  private long statements;
  private long begunNanos;

  /**
   * The transaction of one session.
   *
   * @param spanning knows it while it has branches on several DNs
   */
  public SessionTransaction(
      BranchSource source, TransactionNumbers numbers, SpanningTransactions spanning) {
    this.source = source;
    this.numbers = numbers;
    this.spanning = spanning;
    this.tableLocks = new TableLocks(source);
  }

  /** The session's LOCK TABLES; transactions come and go while they are held. */
  public TableLocks tableLocks() {
    return tableLocks;
  }

  /** What the session demands of its reads. */
  public SessionReads reads() {
    return reads;
  }

  /** Whether one is open. */
  public boolean open() {
    return open;
  }

  /** How the open one was begun. */
  public TransactionOptions options() {
    return options;
  }

  /** The branches so far, in the order in which DNs were touched. */
  public Collection<TransactionBranch> branches() {
    return branches.values();
  }

  /** Opens a transaction; none may be open. */
  public void begin(TransactionOptions how) {
    if (open) {
      throw new IllegalStateException("a transaction is open");
    }
    open = true;
    begunNanos = System.nanoTime();
    options = how;
  }

  /** The branch on a DN if it has been touched. */
  public @Nullable TransactionBranch existing(DnId dn) {
    return branches.get(dn);
  }

  /**
   * Gives the branch on a DN, prepared for the settings and schema; begins it when the DN is first
   * touched. Nothing is flushed: the caller's statement follows in the same write.
   *
   * @param write whether the statement may change or lock rows; nothing is written where the
   *     transaction is read-only
   */
  public void branch(
      DnId dn, SessionSettings settings, String schema, boolean write, BranchTaker taker) {
    statements++;
    TransactionBranch known = branches.get(dn);
    if (known != null) {
      if (!known.branch().alive()) {
        taker.refused(brokenBranch(dn));
        return;
      }
      if (write && !options.readOnly()) {
        known.markWrote();
      }
      BranchPreparation.queue(known.branch(), settings, schema);
      taker.taken(known.branch());
      return;
    }
    tableLocks.take(
        dn,
        schema,
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            BranchPreparation.queue(branch, settings, schema);
            TransactionBranch mine = start(branch);
            if (write && !options.readOnly()) {
              mine.markWrote();
            }
            taker.taken(branch);
          }

          @Override
          public void refused(AlraiException reason) {
            taker.refused(reason);
          }
        });
  }

  private TransactionBranch start(Branch branch) {
    boolean first = primary == null;
    if (!options.isolation().isEmpty()) {
      queue(branch, "SET TRANSACTION ISOLATION LEVEL " + options.isolation());
    }
    if (branch instanceof HeldBranch held) {
      primary = first ? branch.dn() : primary;
      held.begin();
      return begun(branch, true);
    }
    if (!first && options.readOnly()) {
      queue(branch, "SET TRANSACTION READ ONLY");
    }
    if (first) {
      primary = branch.dn();
      queue(
          branch,
          "START TRANSACTION"
              + (options.consistentSnapshot() ? " WITH CONSISTENT SNAPSHOT" : "")
              + (options.consistentSnapshot() && options.readOnly() ? "," : "")
              + (options.readOnly() ? " READ ONLY" : ""));
    } else {
      queue(branch, "XA START " + XaNames.literal(id(), branch.dn()));
    }
    return begun(branch, first);
  }

  private TransactionBranch begun(Branch branch, boolean plain) {
    for (String savepoint : savepoints) {
      queue(branch, "SAVEPOINT " + savepoint);
    }
    TransactionBranch mine = new TransactionBranch(branch, plain);
    branches.put(branch.dn(), mine);
    return mine;
  }

  private TransactionId id() {
    TransactionId known = id;
    DnId decider = primary;
    TransactionBranch deciding = decider == null ? null : branches.get(decider);
    if (known == null && deciding != null) {
      Branch connection = deciding.branch();
      known = numbers.next(connection.dn(), connection.serverConnectionId());
      id = known;
      spanning.enter(known, this, connection.eventLoop());
    }
    if (known == null) {
      throw new IllegalStateException("no primary yet");
    }
    return known;
  }

  private static void queue(Branch branch, String sql) {
    branch.send(
        Commands.query(ByteBufAllocator.DEFAULT, sql),
        ReplyKind.RESULTS,
        BranchPreparation.guard(branch));
  }

  /**
   * SAVEPOINT, ROLLBACK TO, RELEASE on every branch.
   *
   * @param quotedName with backticks
   */
  public CompletableFuture<Void> savepoint(SavepointAction action, String quotedName) {
    switch (action) {
      case SET -> {
        savepoints.removeIf(quotedName::equalsIgnoreCase);
        savepoints.add(quotedName);
      }
      case ROLLBACK_TO, RELEASE -> {
        int at = indexOf(quotedName);
        if (at < 0) {
          return CompletableFuture.failedFuture(
              new AlraiException(
                  ErrorCode.ER_SP_DOES_NOT_EXIST,
                  "SAVEPOINT " + quotedName.replace("`", "") + " does not exist"));
        }
        savepoints
            .subList(action == SavepointAction.RELEASE ? at : at + 1, savepoints.size())
            .clear();
      }
    }
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (TransactionBranch branch : branches.values()) {
      all.add(run(branch.branch(), action.sql() + quotedName));
    }
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  private int indexOf(String name) {
    for (int i = savepoints.size() - 1; i >= 0; i--) {
      if (savepoints.get(i).equalsIgnoreCase(name)) {
        return i;
      }
    }
    return -1;
  }

  /** What can be done with a savepoint. */
  public enum SavepointAction {
    SET("SAVEPOINT "),
    ROLLBACK_TO("ROLLBACK TO SAVEPOINT "),
    RELEASE("RELEASE SAVEPOINT ");

    private final String sql;

    SavepointAction(String sql) {
      this.sql = sql;
    }

    String sql() {
      return sql;
    }
  }

  static CompletableFuture<Void> run(Branch branch, String... statements) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    int last = statements.length - 1;
    for (int i = 0; i <= last; i++) {
      boolean isLast = i == last;
      branch.send(
          Commands.query(ByteBufAllocator.DEFAULT, statements[i]),
          ReplyKind.RESULTS,
          new StatusSink(error -> {
            if (error != null) {
              done.completeExceptionally(error);
            } else if (isLast) {
              done.complete(null);
            }
          }));
    }
    branch.flush();
    return done;
  }

  /**
   * Commits. The future completes on the event loop; when it fails, the transaction is rolled back
   * unless the error is ALRAI_COMMIT_IN_DOUBT.
   */
  public CompletableFuture<Void> commit() {
    DnId decider = primary;
    TransactionBranch decidingBranch = decider == null ? null : branches.get(decider);
    if (decidingBranch == null) {
      close();
      return CompletableFuture.completedFuture(null);
    }
    for (TransactionBranch branch : branches.values()) {
      if (branch.wrote() && !branch.branch().alive()) {
        AlraiException broken = brokenBranch(branch.branch().dn());
        return rollback().thenCompose(done -> CompletableFuture.failedFuture(broken));
      }
    }
    List<TransactionBranch> writers = new ArrayList<>();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (TransactionBranch branch : branches.values()) {
      if (branch.wrote()) {
        writers.add(branch);
      }
    }
    boolean twoPhase = writers.size() > 1 && !tableLocks.held();
    for (TransactionBranch branch : branches.values()) {
      if (!branch.wrote() && !(twoPhase && branch.primary())) {
        all.add(BranchEnding.withoutWrites(branch, id));
      }
    }
    if (twoPhase) {
      writers.removeIf(TransactionBranch::primary);
      all.add(new TwoPhaseCommit(source, id(), decidingBranch, writers, reads).run());
    } else {
      all.add(onePhase(writers));
    }
    close();
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  private CompletableFuture<Void> onePhase(List<TransactionBranch> writers) {
    writers.forEach(writer -> writer.branch().state().dependency(reads.stamp()));
    return TableLocks.commit(writers, id)
        .thenRun(() ->
            writers.forEach(
                writer -> reads.saw(source.views(writer.branch().dn()).visibleStamp())));
  }

  /** Rolls back; the future completes on the event loop and never fails. */
  public CompletableFuture<Void> rollback() {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (TransactionBranch branch : branches.values()) {
      all.add(BranchEnding.rollback(branch, id));
    }
    close();
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  /** Ends without a word: the session is gone; mysqld rolls back what is open. */
  public void abandon() {
    for (TransactionBranch branch : branches.values()) {
      branch.branch().close();
    }
    tableLocks.abandon();
    close();
  }

  /** It as others may see it; none when it is not open. */
  public Optional<OpenTransaction> seen() {
    if (!open) {
      return Optional.empty();
    }
    List<OpenTransaction.Part> parts = new ArrayList<>();
    for (TransactionBranch part : branches.values()) {
      Branch branch = part.branch();
      parts.add(
          new OpenTransaction.Part(
              branch.dn(), branch.serverConnectionId(), part.primary(), part.wrote()));
    }
    long ageMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
    return Optional.of(
        new OpenTransaction(Optional.ofNullable(id), ageMillis, !busy().isEmpty(), parts));
  }

  /** How many statements it has begun: while one waits, the number stays. */
  long statements() {
    return statements;
  }

  /** The branches with a reply outstanding. */
  List<Branch> busy() {
    return branches.values().stream().map(TransactionBranch::branch).filter(Branch::busy).toList();
  }

  /** It will be rolled back, to end a deadlock: what is interrupted now is told so. */
  void chooseVictim() {
    victim = true;
  }

  /** A statement's error as the client gets it. */
  public AlraiException told(AlraiException error) {
    return victim && error.errno() == ErrorCode.ER_QUERY_INTERRUPTED.errno()
        ? new AlraiException(
            ErrorCode.ER_LOCK_DEADLOCK,
            "Deadlock found when trying to get lock; try restarting transaction",
            error)
        : error;
  }

  private void close() {
    branches.clear();
    savepoints.clear();
    TransactionId known = id;
    if (known != null) {
      spanning.leave(known);
    }
    victim = false;
    id = null;
    primary = null;
    options = TransactionOptions.PLAIN;
    open = false;
  }

  private static AlraiException brokenBranch(DnId dn) {
    return new AlraiException(
        ErrorCode.ER_LOCK_DEADLOCK,
        "the connection to "
            + dn
            + " broke and the transaction was rolled back; try restarting"
            + " transaction");
  }
}
