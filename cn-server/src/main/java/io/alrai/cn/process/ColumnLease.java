package io.alrai.cn.process;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the GMS where a column node is, for as long as it lives. Taken, kept and closed by the
 * thread that runs the process.
 */
final class ColumnLease extends KeptLease {
  private static final Logger log = LoggerFactory.getLogger(ColumnLease.class);
  private static final long MILLIS = 3_000;
  private static final long RENEW_MILLIS = 1_000;

  private final String address;
  private final LongSupplier nanoTime;

  /** Before this nobody takes the node for dead. */
  private volatile long validUntilNanos;

  /**
   * The lease of the column node of that name.
   *
   * @param address where CNs reach it
   * @param nanoTime as {@link System#nanoTime}
   */
  ColumnLease(NodeId self, String address, GmsService gms, LongSupplier nanoTime) {
    super(self, gms);
    this.address = address;
    this.nanoTime = nanoTime;
    this.validUntilNanos = nanoTime.getAsLong();
  }

  /**
   * Takes it, and renews it from now on on a thread of its own. Blocking.
   *
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE without a leader of the GMS
   */
  void keep() {
    renew();
    keeper(this::run).start();
  }

  /** Why others do not ask it, if they do not. Any thread. */
  Optional<String> missing() {
    return nanoTime.getAsLong() - validUntilNanos < 0
        ? Optional.empty()
        : Optional.of("it has no lease: the GMS has not renewed it, so CNs do not ask it");
  }

  private void renew() {
    long sent = nanoTime.getAsLong();
    gms()
        .submit(
            new CatalogCommand.RenewColumnNode(
                self(), address, System.currentTimeMillis(), MILLIS));
    validUntilNanos = sent + TimeUnit.MILLISECONDS.toNanos(MILLIS);
  }

  private void run() {
    while (!isClosed()) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(RENEW_MILLIS));
      try {
        if (!isClosed()) {
          renew();
        }
      } catch (AlraiException e) {
        log.warn("{}: {}", self(), e.sentence());
      }
    }
  }

  @Override
  CatalogCommand removal() {
    return new CatalogCommand.RemoveColumnNode(self());
  }
}
