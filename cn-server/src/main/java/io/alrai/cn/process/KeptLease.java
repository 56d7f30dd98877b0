package io.alrai.cn.process;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A node's lease at the GMS, kept by a thread of its own until the node says that it leaves. */
abstract class KeptLease implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(KeptLease.class);
  private static final long STOP_MILLIS = TimeUnit.SECONDS.toMillis(2);

  private final NodeId self;
  private final GmsService gms;
  private volatile boolean closed;
  private @Nullable Thread keeper;

  /** The lease of the node of that name. */
  KeptLease(NodeId self, GmsService gms) {
    this.self = self;
    this.gms = gms;
  }

  /** What ends it at the GMS. */
  abstract CatalogCommand removal();

  final NodeId self() {
    return self;
  }

  final GmsService gms() {
    return gms;
  }

  /**
   * The thread that keeps it, not started; once.
   *
   * @param renewals waits in between, until {@link #isClosed}
   */
  final Thread keeper(Runnable renewals) {
    Thread thread = Thread.ofVirtual().name("lease-" + self).unstarted(renewals);
    keeper = thread;
    return thread;
  }

  /** Whether the node leaves. */
  final boolean isClosed() {
    return closed;
  }

  /** Ends it at the GMS, so that nobody asks this node or waits for it any more. */
  @Override
  public final void close() {
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
      gms.submit(removal());
    } catch (AlraiException e) {
      log.warn("{} could not say that it leaves: {}", self, e.sentence());
    }
  }
}
