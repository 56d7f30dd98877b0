package io.alrai.cn.process;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the GMS which version of the catalog an agent or a column node follows leaders by: at once
 * where a group was forced, as that is waited for, else now and then. An agent whose member was
 * dropped says that it follows nobody any more; else the lease runs out. Taken and closed by the
 * thread that runs the process, after its links are there.
 */
final class LinkedLease implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(LinkedLease.class);
  private static final long MILLIS = 10_000;
  private static final long RENEW_NANOS = TimeUnit.SECONDS.toNanos(3);
  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long STOP_MILLIS = TimeUnit.SECONDS.toMillis(2);

  private final NodeId self;
  private final GmsService gms;

  /** What all listeners before this one's have heard of. */
  private volatile Catalog followed;

  /** Grows with each group that is forced; as of the last renewal. */
  private volatile long told = -1;

  private volatile BooleanSupplier ends = () -> false;
  private volatile boolean closed;
  private volatile @Nullable Thread keeper;

  /** The lease of the node of that name. */
  LinkedLease(NodeId self, GmsService gms) {
    this.self = self;
    this.gms = gms;
    this.followed = gms.catalog();
    gms.onChange(this::hear);
  }

  private void hear(Catalog catalog) {
    followed = catalog;
    Thread thread = keeper;
    if (thread != null && generations(catalog) > told) {
      LockSupport.unpark(thread);
    }
  }

  private static long generations(Catalog catalog) {
    return catalog.dataNodes().stream().mapToLong(node -> node.forced().generation()).sum();
  }

  /**
   * Takes it, and renews it from now on on a thread of its own. Blocking.
   *
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE without a leader of the GMS
   */
  void keep() {
    renew();
    keeper = Thread.ofVirtual().name("linked-" + self).start(this::run);
  }

  private void renew() {
    Catalog known = followed;
    gms.submit(new CatalogCommand.RenewLinkedNode(self, known.version(), 0, MILLIS));
    told = generations(known);
  }

  /** Has it end by itself; asked before each renewal. */
  void endsWhen(BooleanSupplier when) {
    ends = when;
  }

  private void run() {
    while (!closed) {
      if (generations(followed) <= told) {
        LockSupport.parkNanos(RENEW_NANOS);
      }
      try {
        if (!closed && ends.getAsBoolean()) {
          gms.submit(new CatalogCommand.RemoveColumnNode(self));
          return;
        }
        if (!closed) {
          renew();
        }
      } catch (AlraiException e) {
        log.warn("{}: {}", self, e.sentence());
        LockSupport.parkNanos(AGAIN_NANOS);
      } catch (RuntimeException defect) {
        // whoever is to be the group waits for this node
        log.error("{}: it could not say what it follows, and tries again", self, defect);
        LockSupport.parkNanos(AGAIN_NANOS);
      }
    }
  }

  /** Nothing is renewed any more when this returns, unless the GMS does not answer for long. */
  @Override
  public void close() {
    closed = true;
    Thread thread = keeper;
    if (thread != null) {
      LockSupport.unpark(thread);
      try {
        thread.join(STOP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
