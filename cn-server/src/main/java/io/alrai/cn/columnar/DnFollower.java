package io.alrai.cn.columnar;

import io.alrai.columnar.subscribe.DnSubscription;
import io.alrai.columnar.subscribe.FedPartition;
import io.alrai.columnar.version.ResolvedTimestamp;
import io.alrai.common.id.DnId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.type.Collations;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.LogPlace;
import io.alrai.dn.ship.LogSubscription;
import io.alrai.dn.ship.ResolvedPlace;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the log of one DN for the partitions that lie there, on a thread of its own. How far it
 * has come in time is asked of the gate, and known when the log is applied up to the place that the
 * gate names.
 *
 * <pre>
 *  reader at S -> gate: cut of S' >= S at place p -> mark (p, S')
 *  log applied up to p -> resolved S' -> reader goes on
 * </pre>
 */
final class DnFollower implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(DnFollower.class);
  private static final Duration POLL = Duration.ofMillis(20);
  private static final long AGAIN_MILLIS = 50;
  private static final long MOST_AGAIN_MILLIS = 1_000;

  /** To go on at another leader, before the indexes are built anew: about a quarter of a minute. */
  private static final int MOST_ATTEMPTS = 20;

  private static final long STOP_MILLIS = 5_000;

  private final DnLog source;
  private final ResolvedTimestamp resolved = new ResolvedTimestamp();
  private final DnSubscription partitions = new DnSubscription(resolved);
  private final Set<TableName> followed = ConcurrentHashMap.newKeySet();
  private final LoggedChanges changes;
  private final Queue<Runnable> commands = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile boolean closed;

  // Guarded by marks:
  private final PriorityQueue<ResolvedPlace> marks =
      new PriorityQueue<>(Comparator.comparing(ResolvedPlace::through));
  private @Nullable LogPlace applied;

  DnFollower(DnLog source, Collations collations) {
    this.source = source;
    this.changes = new LoggedChanges(collations, partitions, followed);
    this.thread =
        Thread.ofPlatform().daemon().name("columnar-" + source.dn()).unstarted(this::follow);
  }

  void start() {
    thread.start();
  }

  DnId dn() {
    return source.dn();
  }

  /** See {@link DnLog#feeder}. */
  String feeder() {
    return source.feeder();
  }

  /** Up to where its partitions are complete. */
  ResolvedTimestamp resolved() {
    return resolved;
  }

  /** Gives a table's changes to a partition; done when none that comes later is missed. */
  CompletableFuture<Void> add(String schema, String table, FedPartition partition) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    commands.add(() -> {
      partitions.add(schema, table, partition);
      followed.add(new TableName(schema, table));
      done.complete(null);
    });
    return done;
  }

  /** Follows a table no longer, unless another partition follows it by now. */
  void remove(String schema, String table, FedPartition partition) {
    commands.add(() -> {
      if (partitions.remove(schema, table, partition)) {
        followed.remove(new TableName(schema, table));
      }
    });
  }

  /**
   * Has the resolved timestamp reach one soon.
   *
   * @param wanted whether anybody still waits for it; until then a DN that is down is asked again
   */
  void reach(HlcTimestamp at, BooleanSupplier wanted) {
    if (resolved.value().compareTo(at) >= 0 || closed || !wanted.getAsBoolean()) {
      return;
    }
    source
        .resolve(at)
        .whenComplete((answer, error) -> {
          if (error == null) {
            mark(answer);
          } else {
            CompletableFuture.delayedExecutor(AGAIN_MILLIS, TimeUnit.MILLISECONDS)
                .execute(() -> reach(at, wanted));
          }
        });
  }

  /**
   * Done when all that was visible at a timestamp has been applied.
   *
   * @param wanted see {@link #reach}
   */
  CompletableFuture<Void> applied(HlcTimestamp at, BooleanSupplier wanted) {
    reach(at, wanted);
    return resolved.reached(at);
  }

  private void mark(ResolvedPlace answer) {
    synchronized (marks) {
      marks.add(answer);
    }
    settle();
  }

  /** Any thread. */
  private void settle() {
    HlcTimestamp to = HlcTimestamp.ZERO;
    synchronized (marks) {
      LogPlace now = applied;
      ResolvedPlace first;
      while (now != null && (first = marks.peek()) != null && first.through().compareTo(now) <= 0) {
        marks.remove();
        to = first.at().compareTo(to) > 0 ? first.at() : to;
      }
    }
    if (to.value() > 0) {
      resolved.advance(to);
    }
  }

  /** The branches that are prepared there. */
  CompletableFuture<Collection<TransactionId>> preparedBranches() {
    return source.preparedBranches();
  }

  private void follow() {
    long pauseMillis = AGAIN_MILLIS;
    while (!closed) {
      try {
        synchronized (marks) {
          applied = null;
        }
        LogSubscription begun = source.follow();
        pauseMillis = AGAIN_MILLIS;
        partitions.begin();
        followOn(begun);
      } catch (InterruptedException e) {
        return;
      } catch (BinlogException e) {
        if (pauseMillis == AGAIN_MILLIS) {
          log.warn("{}: its column indexes are built anew: {}", source.dn(), e.getMessage());
        }
        partitions.lost("the log could not be read on: " + e.getMessage());
      } catch (RuntimeException e) {
        log.error("{}: its column indexes are built anew", source.dn(), e);
        partitions.lost("internal error: " + e);
      }
      pause(pauseMillis);
      pauseMillis = Math.min(2 * pauseMillis, MOST_AGAIN_MILLIS);
    }
  }

  /** From one leader of the DN to the next, while nothing between the two is missed. */
  private void followOn(LogSubscription begun) throws InterruptedException {
    LogSubscription subscription = begun;
    try {
      while (!closed) {
        try {
          follow(subscription);
        } catch (BinlogException broken) {
          subscription.close();
          if (broken.positionLost()) {
            throw broken;
          }
          subscription = resume(subscription.position(), broken);
        }
      }
    } finally {
      subscription.close();
    }
  }

  private LogSubscription resume(GtidSet position, BinlogException broken)
      throws InterruptedException {
    BinlogException last = broken;
    long pauseMillis = AGAIN_MILLIS;
    for (int attempt = 0; attempt < MOST_ATTEMPTS && !closed; attempt++) {
      try {
        LogSubscription resumed = source.follow(position);
        log.info("{}: its log is followed on: {}", source.dn(), broken.getMessage());
        return resumed;
      } catch (BinlogException e) {
        if (e.positionLost()) {
          throw e;
        }
        last = e;
      }
      pause(pauseMillis);
      pauseMillis = Math.min(2 * pauseMillis, MOST_AGAIN_MILLIS);
    }
    throw last;
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private void follow(LogSubscription subscription) throws InterruptedException {
    while (!closed) {
      Runnable command;
      while ((command = commands.poll()) != null) {
        command.run();
      }
      Optional<BinlogTransaction> next = subscription.next(POLL);
      if (next.isPresent()) {
        changes.accept(next.get(), subscription.stamp());
      }
      // a place is known without a transaction as soon as nothing has been missed
      subscription
          .place()
          .ifPresent(place -> {
            synchronized (marks) {
              applied = place;
            }
          });
      settle();
    }
  }

  /** Ends the thread. Whoever waits for a timestamp waits as long as it wants. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(STOP_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    partitions.lost("the process stops");
  }
}
