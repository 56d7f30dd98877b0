package io.alrai.cn.console;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of a CN at the GMS. Each renewal says which version of the catalog the CN works with; a
 * DDL statement waits until all of them have said so, hence a new version is told at once. Taken,
 * kept and closed by the thread that runs the process.
 */
final class Lease implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Lease.class);
  private static final long MILLIS = 3_000;
  private static final long RENEW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final NodeId self;
  private final String address;
  private final GmsService gms;
  private volatile long told = -1;
  private volatile boolean closed;
  private @Nullable Thread keeper;

  /**
   * The lease of the CN of that name.
   *
   * @param address where clients reach it
   */
  Lease(NodeId self, String address, GmsService gms) {
    this.self = self;
    this.address = address;
    this.gms = gms;
  }

  /**
   * Takes the lease, or renews it. Blocking.
   *
   * @return the catalog, with this CN in it
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE without a leader of the GMS
   */
  Catalog renew() {
    long version = gms.catalog().version();
    Catalog renewed =
        gms.submit(
            new CatalogCommand.RenewComputeNode(
                self, address, version, System.currentTimeMillis(), MILLIS));
    told = version;
    return renewed;
  }

  /**
   * Renews it from now on, on a thread of its own.
   *
   * @param look called at once and every 5 s, after a renewal; must not block
   */
  void keep(Runnable look) {
    Thread thread = Thread.ofVirtual().name("lease-" + self).unstarted(() -> run(look));
    keeper = thread;
    gms.onChange(catalog -> {
      if (catalog.version() > told) {
        LockSupport.unpark(thread);
      }
    });
    thread.start();
  }

  private void run(Runnable look) {
    long nextLook = System.nanoTime();
    while (!closed) {
      try {
        renew();
        if (System.nanoTime() - nextLook >= 0) {
          nextLook = System.nanoTime() + LOOK_NANOS;
          look.run();
        }
        pause(true);
      } catch (AlraiException e) {
        log.warn("{}: {}", self, e.sentence());
        pause(false);
      }
    }
  }

  /** Until the next renewal is due; a wake-up may also have been used up before. */
  private void pause(boolean unlessNews) {
    long end = System.nanoTime() + RENEW_NANOS;
    long left = RENEW_NANOS;
    while (!closed && left > 0 && !(unlessNews && gms.catalog().version() > told)) {
      LockSupport.parkNanos(left);
      left = end - System.nanoTime();
    }
  }

  /** Ends it at the GMS, so that nobody waits for this CN. */
  @Override
  public void close() {
    closed = true;
    Thread running = keeper;
    if (running != null) {
      LockSupport.unpark(running);
      try {
        running.join(TimeUnit.SECONDS.toMillis(2));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    try {
      gms.submit(new CatalogCommand.RemoveComputeNode(self));
    } catch (AlraiException e) {
      log.warn("{} could not say that it leaves: {}", self, e.sentence());
    }
  }
}
