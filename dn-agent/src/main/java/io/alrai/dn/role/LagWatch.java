package io.alrai.dn.role;

import io.alrai.dn.group.ApplyLag;
import io.alrai.dn.mysqld.MysqldException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks a mysqld that follows how far it has come, while it lacks something. */
final class LagWatch implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LagWatch.class);
  private static final long LOOK_MILLIS = 200;
  private static final Duration BOUND = Duration.ofSeconds(2);

  private final String name;
  private final ApplyLag lag;
  private final GroupFollower follower;
  private final Supplier<Role> role;
  private final CountDownLatch closed = new CountDownLatch(1);

  /** Asks nothing yet. */
  LagWatch(String name, ApplyLag lag, GroupFollower follower, Supplier<Role> role) {
    this.name = name;
    this.lag = lag;
    this.follower = follower;
    this.role = role;
  }

  void start() {
    Thread.ofVirtual().name("lag-" + name).start(this::run);
  }

  private void run() {
    try {
      while (!closed.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
        Role now = role.get();
        if (now.leads()) {
          lag.all();
        } else if (lag.isBehind() && (now == Role.FOLLOWING || now == Role.PROMOTING)) {
          look();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() throws InterruptedException {
    try {
      lag.executed(follower.executed(BOUND));
    } catch (MysqldException e) {
      log.debug("{}: {}", name, e.sentence()); // its supervisor tells
    }
  }

  @Override
  public void close() {
    closed.countDown();
  }
}
