package io.alrai.cn.console;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the GMS where a column node is, for as long as it lives. Taken, kept and closed by the
 * thread that runs the process.
 */
final class ColumnLease implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ColumnLease.class);
  private static final long MILLIS = 3_000;
  private static final long RENEW_MILLIS = 1_000;
  private static final long STOP_MILLIS = 2_000;

  private final NodeId self;
  private final String address;
  private final GmsService gms;
  private volatile boolean closed;
  private @Nullable Thread keeper;

  /**
   * The lease of the column node of that name.
   *
   * @param address where CNs reach it
   */
  ColumnLease(NodeId self, String address, GmsService gms) {
    this.self = self;
    this.address = address;
    this.gms = gms;
  }

  /**
   * Takes it, and renews it from now on on a thread of its own. Blocking.
   *
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE without a leader of the GMS
   */
  void keep() {
    renew();
    keeper = Thread.ofVirtual().name("lease-" + self).start(this::run);
  }

  private void renew() {
    gms.submit(
        new CatalogCommand.RenewColumnNode(self, address, System.currentTimeMillis(), MILLIS));
  }

  private void run() {
    while (!closed) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RENEW_MILLIS));
      try {
        if (!closed) {
          renew();
        }
      } catch (AlraiException e) {
        log.warn("{}: {}", self, e.sentence());
      }
    }
  }

  /** Ends it at the GMS, so that no CN asks this node any more. */
  @Override
  public void close() {
    closed = true;
    Thread running = keeper;
    if (running != null) {
      LockSupport.unpark(running);
      try {
        running.join(STOP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    try {
      gms.submit(new CatalogCommand.RemoveColumnNode(self));
    } catch (AlraiException e) {
      log.warn("{} could not say that it leaves: {}", self, e.sentence());
    }
  }
}
