package io.alrai.dn.xa;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.sql.Sql;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.clock.NodeClock;
import io.alrai.dn.gate.live.GateWork;
import io.alrai.dn.gate.live.LiveGate;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.CoordinatorPulse;
import io.alrai.dn.link.DnLink;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.PushAnswer;
import io.alrai.dn.link.XaName;
import io.alrai.dn.xa.SilentBranches.Prepared;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent's part in commits, for a mysqld that it reaches itself; everything that decides or
 * commits goes through the DN's gate. Thread-safe; {@link #prepare}, {@link #preCommit} and {@link
 * #decide} belong on the branch's event loop. Futures complete on event loops. A branch whose
 * prepare or decision failed must be closed by its holder.
 *
 * <p>A branch that changed nothing must not be prepared: mysqld drops its locks at XA PREPARE.
 */
public final class XaParticipant implements CommitParticipant, GateWork, AutoCloseable {
  private static final int FORGOTTEN_AT_ONCE = 500;
  private static final long FORGET_MILLIS = 500;
  private static final Logger log = LoggerFactory.getLogger(XaParticipant.class);

  private final DnId dn;
  private final NodeClock clock;
  private final LiveGate gate;
  private final XaTimes times;
  private final LongSupplier nanos;
  private final OwnConnections connections;
  private final TxLog txLog;
  private final Retry retry;
  private final MarkedDecisions marked;
  private final Primaries primaries;
  private final Finishes finishes;
  private final SilentBranches silent = new SilentBranches();
  private final Queue<TransactionId> forgotten = new ConcurrentLinkedQueue<>();
  private final EventLoop first;

  /** Null until it is started. */
  private volatile @Nullable Future<?> forgetting;

  private volatile long visible;

  /**
   * A participant; it works for the gate from now on, and {@link #start} begins its own work.
   *
   * @param link where it takes its own few connections from
   * @param loops the event loops it may use
   * @param pulse whether coordinators live
   * @param log of decisions before its start
   * @param nanos as {@link System#nanoTime}
   */
  public XaParticipant(
      DnLink link,
      List<EventLoop> loops,
      NodeClock clock,
      LiveGate gate,
      XaTimes times,
      CoordinatorPulse pulse,
      DecisionLog log,
      LongSupplier nanos) {
    this.dn = link.dn();
    this.clock = clock;
    this.gate = gate;
    this.times = times;
    this.nanos = nanos;
    this.first = loops.getFirst();
    this.connections = new OwnConnections(link, List.copyOf(loops));
    this.txLog = new TxLog(connections);
    this.retry = new Retry(first, times.retry().toMillis());
    this.marked = new MarkedDecisions(dn, txLog, log, nanos, this::nowMillis);
    this.primaries = new Primaries(gate, txLog, marked, times, pulse, retry, nanos);
    this.finishes = new Finishes(dn, gate, connections, silent, retry, this::recover);
    gate.works(this);
  }

  /** Begins to tidy up now and then, until {@link #close}; call it once. */
  public void start() {
    forgetting =
        first.scheduleWithFixedDelay(
            this::tidy, FORGET_MILLIS, FORGET_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** The DN it belongs to. */
  public DnId dn() {
    return dn;
  }

  // What coordinators ask for.

  @Override
  public CompletableFuture<HlcTimestamp> prepare(Branch branch, TransactionId id) {
    Sql name = XaName.name(id, dn);
    // entered before it is sent: when the answer is lost, the resolver looks for it
    silent.add(id, nanos.getAsLong());
    gate.tell(g -> g.preparing(id));
    CompletableFuture<HlcTimestamp> done = new CompletableFuture<>();
    Answer.ofAll(branch, Sql.of("XA END ").add(name), Sql.of("XA PREPARE ").add(name))
        .whenComplete((answer, error) -> {
          if (error == null) {
            if (branch.keepsPrepared()) {
              silent.keep(id, branch);
            }
            copy(unwrapped(gate.with(g -> g.prepared(id))), done);
            return;
          }
          Answer.Failed failed = TxLog.failed(error);
          if (failed.fromServer()) {
            silent.remove(id);
            gate.tell(g -> g.branchGone(id));
          }
          done.completeExceptionally(failed.reason());
        });
    return done;
  }

  @Override
  public CompletableFuture<HlcTimestamp> preCommit(Branch branch, TransactionId id) {
    return primaries.preCommit(branch, id);
  }

  @Override
  public CompletableFuture<HlcTimestamp> decide(
      Branch branch, TransactionId id, HlcTimestamp proposed, List<DnId> participants) {
    return primaries.decide(branch, id, proposed, participants);
  }

  @Override
  public Finishing commitPrepared(TransactionId id, HlcTimestamp commitTs) {
    return finishes.commit(id, commitTs);
  }

  @Override
  public CompletableFuture<Void> rollbackPrepared(TransactionId id) {
    if (id.primary().equals(dn)) {
      // the coordinator itself rolls back what is to decide; a client's transaction has an XA
      // branch here, too
      primaries.forget(id);
    }
    return finishes.rollback(id);
  }

  @Override
  public void forget(TransactionId id) {
    forgotten.add(id);
  }

  private void tidy() {
    deleteForgotten();
    marked
        .settle()
        .whenComplete((late, error) -> {
          if (error == null) {
            forgotten.addAll(late);
          } else {
            log.debug("{}: slow decisions have no rows yet: {}", dn, String.valueOf(error));
          }
        });
  }

  private void deleteForgotten() {
    while (!forgotten.isEmpty()) {
      List<TransactionId> batch = new ArrayList<>();
      TransactionId next;
      while (batch.size() < FORGOTTEN_AT_ONCE && (next = forgotten.poll()) != null) {
        batch.add(next);
      }
      gate.tell(g -> batch.forEach(g::forget));
      List<TransactionId> rows = new ArrayList<>(batch);
      rows.removeIf(marked::forget);
      if (rows.isEmpty()) {
        continue;
      }
      unwrapped(txLog.delete(rows))
          .whenComplete((done, error) -> {
            if (error != null) {
              log.debug("tx_log rows are left to the sweep: {}", String.valueOf(error));
            }
          });
    }
  }

  /**
   * Writes into its table what was decided and is in the log alone, so that the log is not needed
   * for it. To be called when nobody decides any more.
   */
  public CompletableFuture<Void> settleAll() {
    return unwrapped(marked.settleAll()).thenAccept(forgotten::addAll);
  }

  /** Whether that is so of all that was decided. */
  public boolean allSettled() {
    return marked.allSettled();
  }

  // What other DNs ask.

  @Override
  public CompletableFuture<Outcome> outcome(TransactionId id) {
    return id.primary().equals(dn)
        ? unwrapped(primaries.outcome(id)).thenApply(XaParticipant::told)
        : CompletableFuture.failedFuture(notDecidedHere(id));
  }

  private static Outcome told(Outcome outcome) {
    return outcome instanceof Outcome.Clients ? new Outcome.InDoubt() : outcome;
  }

  private AlraiException notDecidedHere(TransactionId id) {
    return new AlraiException(
        ErrorCode.ALRAI_INTERNAL,
        dn + " was asked about " + id.gtrid() + ", which is decided by " + id.primary());
  }

  @Override
  public CompletableFuture<PushAnswer> push(
      TransactionId id, HlcTimestamp prepareTs, HlcTimestamp above) {
    return id.primary().equals(dn)
        ? gate.push(id, prepareTs, above)
        : CompletableFuture.failedFuture(notDecidedHere(id));
  }

  @Override
  public CompletableFuture<Boolean> holdsPrepared(TransactionId id) {
    return gate.with(g -> g.holds(id))
        .thenCompose(holds ->
            holds
                ? CompletableFuture.completedFuture(true)
                : recover().thenApply(listed -> listed.contains(id)));
  }

  // What the gate tells.

  @Override
  public void lifeBegins(GtidSet visible, BinlogPosition start) {
    marked.lifeBegins(visible, start);
  }

  @Override
  public void logged(BinlogTransaction transaction) {
    marked.logged(transaction);
  }

  @Override
  public void letThrough(BinlogTransaction transaction) {
    visible = visible + 1; // the gate's loop only
    marked.letThrough(transaction);
  }

  /** The first file of the log that may be needed; empty where that is not known yet. */
  public String neededFile() {
    return marked.neededFile();
  }

  // What the gate wants.

  @Override
  public void submitDecision(TransactionId id, HlcTimestamp commitTs) {
    primaries.submit(id, commitTs);
  }

  @Override
  public void refuseDecision(TransactionId id) {
    primaries.refuse(id);
  }

  @Override
  public void submitXaCommit(TransactionId id) {
    finishes.submitCommit(id);
  }

  @Override
  public CompletableFuture<Outcome> settle(TransactionId id) {
    return unwrapped(primaries.settle(id));
  }

  @Override
  public CompletableFuture<Boolean> executed(String gtid, double seconds) {
    return connections
        .run(
            Sql.of("SELECT WAIT_FOR_EXECUTED_GTID_SET(")
                .literal(gtid)
                .words(",")
                .number(Math.round(seconds * 1_000))
                .words("/1000)"))
        .thenApply(answer -> answer.rows().getFirst().getFirst().equals("0"));
  }

  @Override
  public CompletableFuture<Boolean> isWatchable(KeyedTable table) {
    return connections
        .run(WatchableTables.question(table))
        .thenApply(answer -> answer.rows().getFirst().getFirst().equals("1"));
  }

  @Override
  public CompletableFuture<Set<TransactionId>> recover() {
    CompletableFuture<Set<TransactionId>> listed =
        connections
            .run(Sql.of("XA RECOVER CONVERT XID"))
            .thenApply(answer ->
                answer.rows().stream()
                    .flatMap(row ->
                        XaName.recovered(
                            Integer.parseInt(row.get(0)),
                            Integer.parseInt(row.get(1)),
                            Integer.parseInt(row.get(2)),
                            row.get(3),
                            dn)
                            .stream())
                    .collect(Collectors.toUnmodifiableSet()));
    return unwrapped(listed);
  }

  @Override
  public void lifeEnded() {
    primaries.lifeEnded();
  }

  // What is measured.

  /** Prepared branches whose outcome is not known here yet. Any thread. */
  public int inDoubt() {
    return silent.size();
  }

  /** How long the oldest of them is prepared, in seconds; 0 when there is none. Any thread. */
  public double inDoubtSeconds() {
    long now = nanos.getAsLong();
    return silent.snapshot().stream().mapToLong(one -> now - one.sinceNanos()).max().orElse(0)
        / 1e9;
  }

  /** Asks the mysqld how many sessions wait until their commits are let through. */
  CompletableFuture<Answer> waitingSessions() {
    return connections.run(CommitWatch.WAITING);
  }

  /** How many transactions became visible. Any thread. */
  long visible() {
    return visible;
  }

  // What the resolver needs.

  /** Branches that are prepared, or may be, and since when. */
  SilentBranches silent() {
    return silent;
  }

  /** Takes what XA RECOVER listed; see {@link SilentBranches#reconcile}. */
  void reconcile(Set<TransactionId> listed, List<Prepared> before, long nowNanos) {
    List<TransactionId> gone =
        silent.reconcile(listed, before, nowNanos, times.silence().toNanos());
    gate.tell(g -> gone.forEach(g::notListed));
  }

  /** How often a connection was opened; it grows when the mysqld was away. */
  int connectionsOpened() {
    return connections.opened();
  }

  CompletableFuture<List<TxLog.Decided>> decidedBefore(long millis) {
    return unwrapped(txLog.decidedBefore(millis));
  }

  CompletableFuture<Answer> deleteTombstones() {
    return unwrapped(txLog.deleteTombstones(times.tombstoneAge().toSeconds()));
  }

  /** Rolls back UNDECIDED ones that nobody decides. */
  void removeStalePrimaries() {
    primaries.removeStale();
  }

  /** The wall time, by this DN's clock. */
  long nowMillis() {
    return clock.now().millis();
  }

  /** A future that fails with an {@link AlraiException}. */
  private static <T> CompletableFuture<T> unwrapped(CompletableFuture<T> from) {
    return from.exceptionallyCompose(
        error -> CompletableFuture.failedFuture(TxLog.failed(error).reason()));
  }

  private static <T> void copy(CompletableFuture<T> from, CompletableFuture<T> to) {
    from.whenComplete((value, error) -> {
      if (error == null) {
        to.complete(value);
      } else {
        to.completeExceptionally(error);
      }
    });
  }

  /** Closes its connections; what is under way fails. */
  @Override
  public void close() {
    retry.close();
    Future<?> begun = forgetting;
    if (begun != null) {
      begun.cancel(false);
    }
    marked.close();
    connections.close();
  }

  /** After {@link #close}: returns when none of its threads is at work any more, or in time. */
  public void awaitEnd(Duration bound) {
    marked.awaitEnd(bound);
  }
}
