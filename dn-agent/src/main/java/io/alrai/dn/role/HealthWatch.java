package io.alrai.dn.role;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.watch.DiskRoom;
import io.alrai.dn.watch.SleepingCommits;
import io.alrai.dn.watch.StallWatch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has another member lead where this one's disk is full or stands still, and the other one is well,
 * and kills a leader's mysqld that sleeps after its disk was full. A thread of its own.
 */
final class HealthWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HealthWatch.class);
  private static final long LOOK_MILLIS = 250;
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);
  private static final int ROOM_EVERY = 4;

  /** Between two attempts. */
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final String name;
  private final Supplier<Optional<String>> leader;
  private final Supplier<Role> role;
  private final Supplier<List<String>> others;
  private final Supplier<Optional<String>> best;
  private final LeaderChanges changes;
  private final DiskRoom room;
  private final StallWatch stall;
  private final SleepingCommits sleeping;
  private final Runnable kill;
  private final LongSupplier nanos;
  private final LeaderTurns turns = new LeaderTurns();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean tooMany;

  /** Why its disk counts as standing still; empty while it does not. */
  private volatile String stalled = "";

  private volatile long refusedNanos;
  private long askedNanos;
  private boolean hadNone;
  private int looks;

  /**
   * Looks at nothing yet.
   *
   * @param leader of the group, where that is known
   * @param others members with rows, without this one
   * @param best of them, where that is known
   * @param kill ends the mysqld, which is started again
   */
  HealthWatch(
      String name,
      Supplier<Optional<String>> leader,
      Supplier<Role> role,
      Supplier<List<String>> others,
      Supplier<Optional<String>> best,
      LeaderChanges changes,
      DiskRoom room,
      StallWatch stall,
      SleepingCommits sleeping,
      Runnable kill,
      LongSupplier nanos) {
    this.name = name;
    this.leader = leader;
    this.role = role;
    this.others = others;
    this.best = best;
    this.changes = changes;
    this.room = room;
    this.stall = stall;
    this.sleeping = sleeping;
    this.kill = kill;
    this.nanos = nanos;
    this.askedNanos = nanos.getAsLong() - AGAIN_NANOS;
    this.refusedNanos = askedNanos;
  }

  void start() {
    room.look();
    Thread.ofPlatform().daemon().name("health-" + name).start(this::run);
  }

  private void run() {
    try {
      while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        try {
          look(nanos.getAsLong());
        } catch (AlraiException closing) {
          log.debug("{}: {}", name, closing.sentence());
        } catch (RuntimeException e) {
          log.warn("{}: its health is not looked at: {}", name, e.toString());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  void look(long now) {
    Optional<String> leads =
        leader.get().filter(one -> one.equals(name) || others.get().contains(one));
    if (turns.look(leads, now)) {
      log.warn(
          "{}: its group has changed its leader {} times within {} s: it is handed over for a dead"
              + " mysqld and a full disk alone",
          name,
          LeaderTurns.MOST,
          TimeUnit.NANOSECONDS.toSeconds(LeaderTurns.WITHIN_NANOS));
    }
    tooMany = turns.areTooMany(now);
    if (looks++ % ROOM_EVERY == 0) {
      room.look();
    }
    boolean serves = role.get() == Role.LEADING;
    long most = serves ? StallWatch.MOST_NANOS : StallWatch.FOLLOWERS_MOST_NANOS;
    stalled = stall.look(now, LOOK_NANOS, most).orElse("");
    sleeping.look(role.get().leads(), now).ifPresent(this::kill);
    boolean hasNoneNow = room.hasNone() && !hadNone;
    hadNone = room.hasNone();
    if (!serves) {
      return;
    }
    String reason = badDisk();
    if (!reason.isEmpty() && (now - askedNanos > AGAIN_NANOS || hasNoneNow)) {
      askedNanos = now;
      handOver(reason);
    }
  }

  private void kill(String reason) {
    log.error("{}: its mysqld is killed and starts again: {}", name, reason);
    kill.run();
  }

  private void handOver(String reason) {
    Optional<String> to = best.get();
    if (tooMany && !room.hasNone()) {
      log.warn("{}: {}; it leads on, as its group changes leaders too often", name, reason);
    } else if (to.isEmpty()) {
      log.warn("{}: {}; it leads on, as nobody else can", name, reason);
    } else {
      log.error("{}: {}; {} shall lead", name, reason, to.get());
      changes
          .ask(to.get())
          .whenComplete((done, error) -> {
            if (error != null) {
              log.warn("{}: {} does not lead instead: {}", name, to.get(), error.toString());
            }
          });
    }
  }

  /** What is wrong with a disk that this member writes to; empty where nothing is. */
  String badDisk() {
    String standing = stalled;
    return standing.isEmpty() ? room.unfit() : standing;
  }

  /**
   * Whether this member, elected, should rather let another one lead, which it tries now and then.
   */
  boolean refusesLead() {
    return !room.unfit().isEmpty()
        && (!tooMany || room.hasNone())
        && nanos.getAsLong() - refusedNanos > AGAIN_NANOS
        && best.get().isPresent();
  }

  /** Whether its group changes leaders so often that a disk that stands still is no reason. */
  boolean tooMany() {
    return tooMany;
  }

  /** It has tried to: whatever came of it, it leads if it is elected soon. */
  void hasRefused() {
    refusedNanos = nanos.getAsLong();
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
