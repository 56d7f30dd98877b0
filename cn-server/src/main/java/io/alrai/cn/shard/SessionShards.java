package io.alrai.cn.shard;

import io.alrai.cn.branch.BranchControl;
import io.alrai.cn.branch.OwnWork;
import io.alrai.cn.branch.QueryKiller;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.session.Session;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.snapshot.SnapshotOpening;
import io.alrai.cn.snapshot.TransactionSource;
import io.alrai.cn.tx.ColumnReads;
import io.alrai.cn.tx.SessionTransaction;
import io.alrai.cn.tx.branch.LostCommit;
import io.alrai.cn.tx.branch.Savepoints;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.wire.OkPacket;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitFate;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A session's shards as a virtual thread uses them: statements inside the session's transaction if
 * one is open, else each on a branch of its own. Statements on different DNs run at the same time;
 * on one DN inside a transaction they queue one after the other, and must be read in that order.
 */
public final class SessionShards {
  private final Session session;

  /** Owned by whoever the session is lent to. */
  private boolean copying;

  private final EventLoop loop;
  private final TransactionSource source;
  private final QueryKiller killer;
  private final Set<Branch> atWork = ConcurrentHashMap.newKeySet();
  private final OwnWork ownWork = new OwnWork();
  private final ShardWaits waits = new ShardWaits();
  private volatile boolean left;
  private final ShardWarnings warnings = new ShardWarnings();

  /** The shards of one session. */
  public SessionShards(Session session, EventLoop loop, TransactionSource source) {
    this.session = session;
    this.loop = loop;
    this.source = source;
    this.killer = new QueryKiller(source);
  }

  /**
   * Starts a statement.
   *
   * @param physicalSchema current schema to run under; empty for any
   * @param sql in the session's character set
   * @param access what it does with rows
   */
  public ShardCall start(DnId dn, String physicalSchema, byte[] sql, RowAccess access) {
    return start(dn, physicalSchema, sql, access, UnaryOperator.identity());
  }

  /** Starts a text of the CN's own, whatever the current schema. */
  public ShardCall start(DnId dn, String physicalSchema, Sql sql, RowAccess access) {
    return start(dn, physicalSchema, ShardStatement.text(sql), access, StatementViews.NONE);
  }

  /**
   * Starts a statement whose warnings are worded anew.
   *
   * @param words any thread
   */
  public ShardCall start(
      DnId dn,
      String physicalSchema,
      byte[] sql,
      RowAccess access,
      UnaryOperator<Condition> words) {
    ShardLaunch launch = launch(dn, physicalSchema, sql, access);
    warnings.add(launch.told(), words);
    loop.execute(launch::run);
    return launch.call();
  }

  private ShardLaunch launch(DnId dn, String physicalSchema, byte[] sql, RowAccess access) {
    return launch(dn, physicalSchema, ShardStatement.text(sql), access);
  }

  private ShardLaunch launch(
      DnId dn, String physicalSchema, ShardStatement text, RowAccess access) {
    return new ShardLaunch(this, dn, physicalSchema, text, access, StatementViews.NONE, () -> {});
  }

  /** Starts a part of a statement, on the statement's views where these are about the DN. */
  public ShardCall start(
      DnId dn,
      String physicalSchema,
      ShardStatement statement,
      RowAccess access,
      StatementViews views) {
    ShardLaunch launch = launched(dn, physicalSchema, statement, access, views, () -> {});
    loop.execute(launch::run);
    return launch.call();
  }

  /** Starts a question of the CN's about a read: its warnings are dropped. */
  public ShardCall startUntold(DnId dn, byte[] sql, RowAccess access, StatementViews views) {
    ShardLaunch launch = launched(dn, "", ShardStatement.text(sql), access, views, () -> {});
    forget(launch);
    loop.execute(launch::run);
    return launch.call();
  }

  /** Starts a write whose warnings are dropped, because another DN does it as well. */
  public ShardCall startCopy(DnId dn, String physicalSchema, byte[] sql) {
    ShardLaunch launch = launch(dn, physicalSchema, sql, RowAccess.CHANGING);
    loop.execute(launch::run);
    return launch.call();
  }

  /** As {@link #startCopy(DnId, String, byte[])} for a text of the CN's own. */
  public ShardCall startCopy(DnId dn, String physicalSchema, ShardStatement text) {
    ShardLaunch launch = launch(dn, physicalSchema, text, RowAccess.CHANGING);
    loop.execute(launch::run);
    return launch.call();
  }

  /**
   * Prepares a statement that reads on several DNs: unless the session has tables locked or reads
   * with eventual consistency, all its reads see one snapshot, the transaction's or one of their
   * own. Event loop.
   *
   * @param once whether there will be one read on each DN, started by a single call; else {@link
   *     #endViews} must be called after the last
   */
  public CompletableFuture<StatementViews> views(Collection<DnId> asked, boolean once) {
    List<DnId> dns = withoutOwn(asked);
    SessionSettings settings = settings();
    if (readsInside(dns) && !session.reads().eventual()) {
      return session.transaction().read(dns, settings).thenApply(done -> StatementViews.NONE);
    }
    return opensViews(asked, once)
        ? openViews(dns, settings, once)
        : CompletableFuture.completedFuture(StatementViews.NONE);
  }

  private static List<DnId> withoutOwn(Collection<DnId> dns) {
    return dns.stream().filter(dn -> !dn.equals(DnId.OF_SESSION)).toList();
  }

  private boolean readsInside(List<DnId> dns) {
    SessionTransaction transaction = session.transaction();
    return transaction.open() && !transaction.readsBeside(dns, settings());
  }

  /** Whether reads of one statement on these DNs are done on views of its own. */
  private boolean opensViews(Collection<DnId> asked, boolean once) {
    List<DnId> dns = withoutOwn(asked);
    boolean several = !(once && dns.size() < 2);
    boolean atSnapshot = several && !session.reads().eventual() && !settings().readsUncommitted();
    boolean atReplicas = session.reads().replicas().chosen() && !dns.isEmpty();
    return !readsInside(dns)
        && !session.transaction().held().tableLocks().held()
        && (atReplicas || atSnapshot);
  }

  /** Views for reads of current rows, which see what a snapshot shows. */
  CompletableFuture<StatementViews> openViews(
      Collection<DnId> dns, SessionSettings settings, boolean once) {
    return openViews(
        dns.stream().map(dn -> StatementViews.request(dn, settings)).toList(),
        settings,
        StatementViews.opening(once, atWork));
  }

  private CompletableFuture<StatementViews> openViews(
      List<SnapshotOpening.Request> requests, SessionSettings settings, StatementViews views) {
    List<Branch> taken = new ArrayList<>();
    Consumer<Branch> onTaken =
        branch -> {
          taken.add(branch);
          atWork.add(branch);
        };
    boolean atReplicas = session.reads().replicas().chosen();
    SnapshotOpening opening =
        new SnapshotOpening(
            atReplicas ? source.replicas(session.reads().replicas().settings()) : source,
            session.reads(),
            settings,
            loop,
            onTaken);
    CompletableFuture<SnapshotOpening.Opened> opens =
        atReplicas && !session.reads().consistentReplicas()
            ? opening.openAt(HlcTimestamp.ZERO, requests)
            : opening.open(requests);
    return waits
        .during(opening, opens)
        .handle((opened, error) -> {
          if (error != null) {
            taken.forEach(atWork::remove);
            throw new CompletionException(error);
          }
          session.reads().saw(opened.at().value());
          views.opened(opened.at(), opened.branches());
          return views;
        });
  }

  /** Waits for the views, on a virtual thread. */
  public StatementViews awaitViews(Collection<DnId> dns, boolean once) {
    return onLoop(() -> views(dns, once).thenApply(this::unlessLeft));
  }

  /** The thread of a client that is gone may not wait any more, and would not end them. */
  private StatementViews unlessLeft(StatementViews views) {
    if (left && !views.isNone()) {
      views.close();
      throw AlraiException.interruption();
    }
    return views;
  }

  /**
   * The client has seen a stamp at another CN: what it reads from now on is not older. Virtual
   * thread.
   *
   * @throws AlraiException ALRAI_CLOCK_SKEW when it is further ahead than the bound allows
   */
  public void saw(HlcTimestamp stamp) {
    onLoop(() -> {
      source.snapshots().follow(stamp);
      session.reads().saw(stamp.value());
      return CompletableFuture.completedFuture(true);
    });
  }

  /** Ends what {@link #views} gave; any thread. */
  public void endViews(StatementViews views) {
    if (!views.isNone()) {
      loop.execute(views::close);
    }
  }

  /**
   * Starts one statement on each of several DNs, consistent reads at one snapshot. Event loop.
   *
   * @param onAnswer see {@link ShardCall}; may run before the calls are given
   * @return the calls in the order of the statements, once they are on their way to what they shall
   *     see
   */
  public CompletableFuture<List<ShardCall>> startAll(
      Map<DnId, ShardStatement> statements, RowAccess access, Runnable onAnswer) {
    boolean locking = access != RowAccess.CONSISTENT;
    if (!locking && opensViews(statements.keySet(), true)) {
      StatementViews views = StatementViews.opening(true, atWork);
      List<FollowingRead> reads =
          statements.entrySet().stream()
              .map(next ->
                  new FollowingRead(
                      next.getKey(),
                      views,
                      answered ->
                          launched(next.getKey(), "", next.getValue(), access, views, answered),
                      onAnswer))
              .toList();
      SessionSettings settings = settings();
      return openViews(
              reads.stream()
                  .map(read -> StatementViews.request(read.dn(), settings).with(read))
                  .toList(),
              settings,
              views)
          .thenApply(open -> reads.stream().map(FollowingRead::start).toList());
    }
    CompletableFuture<StatementViews> views =
        locking
            ? CompletableFuture.completedFuture(StatementViews.NONE)
            : views(statements.keySet(), true);
    return views.thenApply(open -> {
      List<ShardCall> calls = new ArrayList<>();
      statements.forEach((dn, statement) -> {
        ShardLaunch launch = launched(dn, "", statement, access, open, onAnswer);
        launch.run();
        calls.add(launch.call());
      });
      return calls;
    });
  }

  /** Starts them and waits for that, on a virtual thread. */
  public List<ShardCall> awaitStarts(Map<DnId, ShardStatement> statements, RowAccess access) {
    return onLoop(() -> startAll(statements, access, () -> {}));
  }

  private ShardLaunch launched(
      DnId dn,
      String physicalSchema,
      ShardStatement statement,
      RowAccess access,
      StatementViews views,
      Runnable onAnswer) {
    ShardLaunch launch =
        new ShardLaunch(this, dn, physicalSchema, statement, access, views, onAnswer);
    warnings.add(launch.told(), UnaryOperator.identity());
    return launch;
  }

  /** Drops its warnings. */
  void forget(ShardLaunch launch) {
    warnings.forget(launch.told());
  }

  /**
   * Takes the warnings of one more statement of the session's, which follow those of earlier ones.
   * Thread-safe.
   */
  public Queue<Condition> collector() {
    Queue<Condition> told = new ConcurrentLinkedQueue<>();
    warnings.add(told, UnaryOperator.identity());
    return told;
  }

  /** The warnings of what was started since the last call, in that order; all must be read. */
  public List<Condition> takeWarnings() {
    return warnings.take();
  }

  /** Runs a statement without rows and waits for it. */
  public OkPacket update(DnId dn, String physicalSchema, Sql sql) {
    try (ShardCall call = start(dn, physicalSchema, sql, RowAccess.CHANGING)) {
      return call.update();
    }
  }

  /** What the CN itself computes for the session. */
  public OwnWork ownWork() {
    return ownWork;
  }

  /** What a read of column indexes sees, see {@link ColumnReads}; for a virtual thread. */
  public Optional<HlcTimestamp> awaitColumnSnapshot() {
    return onLoop(() -> ColumnReads.snapshot(session.transaction(), source, settings()));
  }

  /** What connections beside the session's own need for the work that runs now. */
  public SessionSettings settings() {
    return copying ? session.variables().ofCopies() : session.variables().ofShards();
  }

  /** Runs work whose rows the CN writes again. */
  public <T> T copying(Supplier<T> work) {
    boolean before = copying;
    copying = true;
    try {
      return work.get();
    } finally {
      copying = before;
    }
  }

  /**
   * Runs work that must be all or nothing: inside the session's transaction with a savepoint's
   * effect for the statement, or in a transaction of its own that is committed afterwards.
   */
  public <T> T atomically(Supplier<T> work) {
    if (session.transaction().open()) {
      return new StatementSavepoint(this, Savepoints.OF_STATEMENT).around(work);
    }
    onLoop(() -> {
      session.transaction().beginForStatement();
      return CompletableFuture.completedFuture(null);
    });
    boolean done = false;
    try {
      T result = work.get();
      onLoop(session.transaction()::commit);
      done = true;
      return result;
    } catch (AlraiException e) {
      throw e.hasNotRun() ? BranchControl.undone(e) : notDone(e);
    } finally {
      if (!done && session.transaction().open()) {
        onLoop(session.transaction()::rollback);
      }
    }
  }

  /** The error of a statement whose own transaction is rolled back. */
  private static AlraiException notDone(AlraiException reason) {
    return reason.isLostConnection() ? LostCommit.explained(CommitFate.LOST, reason) : reason;
  }

  /**
   * Runs a statement and the functions that it calls, of which each statement is undone alone where
   * it fails: a savepoint's effect for all of them. Without autocommit the first of them may begin
   * the transaction.
   */
  public void together(Runnable work) {
    new StatementSavepoint(this, Savepoints.OF_CALLS)
        .around(() -> {
          work.run();
          return true;
        });
  }

  /**
   * Runs an action on the session's event loop and waits for what it gives. KILL QUERY does not end
   * this: it is about the transaction. The client's leaving does, after some time.
   *
   * @throws AlraiException what it failed with; 1317 for a session that is gone
   */
  public <T> T onLoop(Supplier<CompletableFuture<T>> action) {
    CompletableFuture<T> done = new CompletableFuture<>();
    loop.execute(() -> {
      try {
        action
            .get()
            .whenComplete((value, error) -> {
              if (error != null) {
                done.completeExceptionally(error);
              } else {
                done.complete(value);
              }
            });
      } catch (RuntimeException e) {
        done.completeExceptionally(e);
      }
    });
    return new LoopWait(this::left).on(done);
  }

  /** The client is gone: nothing new is begun for it. Any thread. */
  public void leave() {
    left = true;
  }

  /** Whether the client is gone. Any thread. */
  boolean left() {
    return left;
  }

  /** The branches that run a statement now; any thread. */
  public Set<Branch> atWork() {
    return Set.copyOf(atWork);
  }

  /** What waits for connections. */
  public ShardWaits waits() {
    return waits;
  }

  /** The branches at work. */
  Set<Branch> workingBranches() {
    return atWork;
  }

  Session session() {
    return session;
  }

  EventLoop loop() {
    return loop;
  }

  TransactionSource source() {
    return source;
  }

  /** Ends what a branch runs, if it is at work still: nobody wants the rest. Event loop. */
  void end(Branch branch) {
    if (atWork.contains(branch)) {
      kill(branch);
    }
  }

  /** Ends what a branch runs. Event loop. */
  void kill(Branch branch) {
    killer.kill(branch);
  }
}
