package io.alrai.cn.lock;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.ClusterLock;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.node.ComputeNode;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the GMS when nothing is at work on this CN that a lock holds off, and takes out the locks
 * that no session has any more: this CN's, those of before its start included, and those of CNs
 * whose lease has run out. On a thread of its own, which is started and closed by the thread that
 * runs the process.
 */
public final class LockKeeper implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LockKeeper.class);
  private static final long BESIDE_LOCKS_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long OTHERWISE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final NodeId self;
  private final GmsService gms;
  private final Admission admission;
  private final LongSupplier wallMillis;
  private volatile boolean closed;
  private volatile boolean news;
  private @Nullable Thread thread;

  /**
   * The keeper of a CN.
   *
   * @param wallMillis milliseconds since 1970, by which it looks whose lease may have run out
   */
  public LockKeeper(NodeId self, GmsService gms, Admission admission, LongSupplier wallMillis) {
    this.self = self;
    this.gms = gms;
    this.admission = admission;
    this.wallMillis = wallMillis;
  }

  /** Follows the catalog from now on. */
  public void start() {
    Thread running = Thread.ofVirtual().name("locks-" + self).unstarted(this::run);
    thread = running;
    Runnable wake =
        () -> {
          news = true;
          LockSupport.unpark(running);
        };
    admission.onChange(wake);
    gms.onChange(catalog -> {
      boolean others = !catalog.locks().equals(admission.locks());
      admission.follow();
      if (others) {
        wake.run();
      }
    });
    admission.follow();
    running.start();
  }

  private void run() {
    while (!closed) {
      news = false;
      try {
        turn();
      } catch (AlraiException e) {
        log.info("{}: locks over the cluster: {}", self, e.sentence());
      }
      if (!closed && !news) {
        LockSupport.parkNanos(admission.locks().isEmpty() ? OTHERWISE_NANOS : BESIDE_LOCKS_NANOS);
      }
    }
  }

  /** Looks at all locks once. */
  void turn() {
    admission.follow();
    for (ClusterLock lock : admission.locks()) {
      boolean left =
          lock.owner().equals(self) ? !admission.owns(lock.id()) : seemsGone(lock.owner());
      if (left && drops(lock)) {
        continue;
      }
      if (!lock.reached().contains(self) && admission.none(lock.stage())) {
        gms.submit(new CatalogCommand.ReachClusterLock(lock.id(), lock.stage(), self));
      }
    }
  }

  private boolean seemsGone(NodeId owner) {
    Optional<ComputeNode> node =
        gms.catalog().computeNodes().stream().filter(each -> each.id().equals(owner)).findFirst();
    return node.isEmpty() || node.get().leaseUntilMillis() <= wallMillis.getAsLong();
  }

  /** The GMS decides, by its own clock. */
  private boolean drops(ClusterLock lock) {
    try {
      gms.submit(new CatalogCommand.DropClusterLock(lock.id(), self, 0));
      log.debug("{} took out lock {} of {}", self, lock.id(), lock.owner());
      return true;
    } catch (AlraiException e) {
      log.debug("lock {} stays: {}", lock.id(), e.sentence());
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    Thread running = thread;
    if (running != null) {
      LockSupport.unpark(running);
      try {
        running.join(TimeUnit.SECONDS.toMillis(2));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
