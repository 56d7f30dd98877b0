package io.alrai.dn.xa;

import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.CommitParticipant.Outcome;
import io.alrai.dn.xa.SilentBranches.Prepared;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings every prepared branch of one DN to its end when its coordinator is silent: asks the
 * primary's agent for the outcome and applies it. Also sweeps the DN's tx_log. One virtual thread.
 */
public final class Resolver implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Resolver.class);

  private final XaParticipant own;
  private final Function<DnId, CommitParticipant> participants;
  private final XaTimes times;
  private final LongSupplier nanos;
  private final Set<TransactionId> asking = ConcurrentHashMap.newKeySet();
  private final Thread thread;
  private volatile boolean closed;
  private int connectionsSeen = -1;
  private long scannedNanos;
  private long sweptNanos;
  private boolean ticked;

  /**
   * A resolver; {@link #start} begins its work.
   *
   * @param own the DN's own participant
   * @param participants the participant of any DN, this one included; may throw for a DN that is
   *     not known (yet)
   * @param nanos as {@link System#nanoTime}
   */
  public Resolver(
      XaParticipant own,
      Function<DnId, CommitParticipant> participants,
      XaTimes times,
      LongSupplier nanos) {
    this.own = own;
    this.participants = participants;
    this.times = times;
    this.nanos = nanos;
    this.thread = Thread.ofVirtual().name("resolver-" + own.dn()).unstarted(this::run);
  }

  /** Begins; call it once. */
  public void start() {
    thread.start();
  }

  private void run() {
    while (!closed) {
      try {
        tick(nanos.getAsLong()).join();
      } catch (CompletionException e) {
        // the mysqld or another DN is away: the next tick tries again
        log.debug("resolver of {}: {}", own.dn(), String.valueOf(e.getCause()));
      }
      LockSupport.parkNanos(times.tick().toNanos());
    }
  }

  /**
   * One look. The future completes when the looks at this mysqld are done; questions to other DNs
   * may go on.
   */
  CompletableFuture<Void> tick(long nowNanos) {
    own.removeStalePrimaries();
    if (!ticked) {
      ticked = true;
      sweptNanos = nowNanos;
    }
    boolean fresh = own.connectionsOpened() != connectionsSeen;
    CompletableFuture<Void> scanned = CompletableFuture.completedFuture(null);
    if (fresh || !own.silent().isEmpty() || nowNanos - scannedNanos >= times.scan().toNanos()) {
      scanned = scan(nowNanos, fresh);
    }
    return scanned.thenCompose(done -> {
      if (nowNanos - sweptNanos < times.sweepAge().toNanos() / 6) {
        return CompletableFuture.completedFuture(null);
      }
      sweptNanos = nowNanos;
      return sweep();
    });
  }

  /**
   * Compares with XA RECOVER and asks about silent ones.
   *
   * @param fresh the mysqld was away: what is listed now and not known lost its coordinator
   */
  private CompletableFuture<Void> scan(long nowNanos, boolean fresh) {
    List<Prepared> before = own.silent().snapshot();
    long silence = times.silence().toNanos();
    return own.recover()
        .thenAccept(listed -> {
          scannedNanos = nowNanos;
          connectionsSeen = own.connectionsOpened();
          long since = fresh ? nowNanos - silence : nowNanos;
          own.reconcile(listed, before, since);
          for (Prepared branch : own.silent().snapshot()) {
            if (listed.contains(branch.id()) && nowNanos - branch.sinceNanos() >= silence) {
              ask(branch.id());
            }
          }
        });
  }

  private void ask(TransactionId id) {
    if (!asking.add(id)) {
      return;
    }
    CompletableFuture<Void> applied;
    try {
      applied =
          participants.apply(id.primary()).outcome(id).thenCompose(outcome -> apply(id, outcome));
    } catch (RuntimeException unknown) {
      applied = CompletableFuture.failedFuture(unknown);
    }
    applied.whenComplete((done, error) -> {
      asking.remove(id);
      if (error != null) {
        log.debug("{} cannot be resolved now: {}", id.gtrid(), String.valueOf(error));
      }
    });
  }

  private CompletableFuture<Void> apply(TransactionId id, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Committed committed -> {
        log.info("{}: {} was left prepared; commits it", own.dn(), id.gtrid());
        yield own.commitPrepared(id, committed.commitTs()).done();
      }
      case Outcome.RolledBack gone -> {
        log.info("{}: {} was left prepared; rolls it back", own.dn(), id.gtrid());
        yield own.rollbackPrepared(id);
      }
      case Outcome.InDoubt _, Outcome.Clients _ -> CompletableFuture.completedFuture(null);
    };
  }

  /** Deletes rows that every participant is done with, and old tombstones. */
  private CompletableFuture<Void> sweep() {
    return own.deleteTombstones()
        .thenCompose(done -> own.decidedBefore(own.nowMillis() - times.sweepAge().toMillis()))
        .thenCompose(rows -> {
          List<CompletableFuture<Void>> all = new ArrayList<>();
          for (TxLog.Decided row : rows) {
            all.add(sweep(row));
          }
          return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
        });
  }

  private CompletableFuture<Void> sweep(TxLog.Decided row) {
    List<CompletableFuture<Boolean>> held = new ArrayList<>();
    try {
      for (DnId participant : row.participants()) {
        held.add(participants.apply(participant).holdsPrepared(row.id()));
      }
    } catch (RuntimeException unknown) {
      return CompletableFuture.completedFuture(null);
    }
    return CompletableFuture.allOf(held.toArray(CompletableFuture[]::new))
        .handle((done, error) -> {
          if (error == null && held.stream().noneMatch(CompletableFuture::join)) {
            own.forget(row.id());
          }
          return null;
        });
  }

  /** Stops looking; the look under way goes on. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }

  /** After {@link #close}: returns when the look under way has ended, or in time. */
  public void awaitEnd(Duration bound) {
    if (thread.getState() == Thread.State.NEW) {
      return;
    }
    try {
      if (!thread.join(bound)) {
        log.warn("{}: its resolver does not end", own.dn());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
