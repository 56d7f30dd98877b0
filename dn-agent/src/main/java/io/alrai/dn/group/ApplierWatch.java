package io.alrai.dn.group;

import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.mysqld.MysqldException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether a mysqld that follows still gets on. Appliers can wait for each other for good, and
 * a receiver or an applier with an error stays as it is: a mysqld that is killed goes on from the
 * group's log. One that is busy with a long transaction is let be, unless its disk was full a
 * moment ago: then it sleeps. A thread of its own.
 */
public final class ApplierWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ApplierWatch.class);

  private final MysqldRoles roles;
  private final ReplicaFeeder feeder;
  private final Duration every;
  private final int mostLooks;
  private final BooleanSupplier wasFull;
  private final Consumer<String> stuck;

  private final CountDownLatch closed = new CountDownLatch(1);
  private final AtomicBoolean ended = new AtomicBoolean();

  // What the last look found:
  private GtidSet executed = new GtidSet();
  private long sentBytes;
  private int looks;
  private int idleLooks;

  /**
   * A watch that does not look yet.
   *
   * @param every how often it looks
   * @param mostLooks after how many in a row without any progress it gives up
   * @param wasFull whether its disk had no room in this life, and has some again since not long ago
   * @param stuck hears the reason, once: the owner kills the mysqld
   */
  public ApplierWatch(
      MysqldRoles roles,
      ReplicaFeeder feeder,
      Duration every,
      int mostLooks,
      BooleanSupplier wasFull,
      Consumer<String> stuck) {
    this.roles = roles;
    this.feeder = feeder;
    this.every = every;
    this.mostLooks = mostLooks;
    this.wasFull = wasFull;
    this.stuck = stuck;
  }

  /** Gives up after 5 s. */
  public static ApplierWatch standard(
      MysqldRoles roles, ReplicaFeeder feeder, BooleanSupplier wasFull, Consumer<String> stuck) {
    return new ApplierWatch(roles, feeder, Duration.ofSeconds(1), 5, wasFull, stuck);
  }

  /** Begins to look: the mysqld follows. */
  public void start() {
    Thread.ofVirtual().name("applier-watch-" + feeder.group()).start(this::run);
  }

  private void run() {
    try {
      while (!closed.await(every.toMillis(), TimeUnit.MILLISECONDS)) {
        Optional<String> reason = look();
        if (reason.isPresent() && ended.compareAndSet(false, true)) {
          log.warn("{}: the mysqld does not get on: {}", feeder.group(), reason.get());
          stuck.accept(reason.get());
          return;
        }
      }
    } catch (InterruptedException e) {
      log.warn("{}: nobody looks any more whether the mysqld gets on", feeder.group(), e);
    }
  }

  private Optional<String> look() throws InterruptedException {
    try {
      ReplicaState state = roles.state();
      if (state.stopped()) {
        return Optional.of("it stopped: " + state.error());
      }
      long sent = feeder.sentBytes();
      boolean stands = state.executed().equals(executed) && sent == sentBytes;
      executed = state.executed();
      sentBytes = sent;
      looks = stands && isBehind(state) ? looks + 1 : 0;
      idleLooks = looks > 0 && !roles.applies() ? idleLooks + 1 : 0;
      if (idleLooks >= mostLooks) {
        return Optional.of(
            "receiver " + state.receiver() + ", nothing is applied after " + executed);
      }
      return looks >= mostLooks && wasFull.getAsBoolean()
          ? Optional.of("its disk has room again, and nothing is applied after " + executed)
          : Optional.empty();
    } catch (MysqldException e) {
      // whether it answers at all is its supervisor's affair
      log.info("{}: {}", feeder.group(), e.sentence());
      return Optional.empty();
    }
  }

  private boolean isBehind(ReplicaState state) {
    Optional<Gtid> last = feeder.lastSent();
    return !state.receiver().equals("ON")
        || !state.executed().containsAll(state.received())
        || last.isPresent() && !state.executed().contains(last.get());
  }

  /** Tells nothing any more: to be called before the mysqld stops following. */
  @Override
  public void close() {
    ended.set(true);
    closed.countDown();
  }
}
