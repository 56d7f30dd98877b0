package io.alrai.cn.process;

import io.alrai.cn.lock.Admission;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.topology.Leases;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lease of a CN at the GMS. Each renewal says which version of the catalog the CN works with; a
 * DDL statement waits until all of them have said so, hence a new version is reported at once.
 * Taken, kept and closed by the thread that runs the process.
 */
final class Lease extends KeptLease implements Admission.Standing {
  private static final Logger log = LoggerFactory.getLogger(Lease.class);
  static final int TICK_MILLIS = 250;
  private static final long RENEW_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(5);

  /** A lease runs out only where renewals have not been sent for longer than this. */
  private static final long STANDSTILL_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final String address;
  private final LongSupplier nanoTime;
  private volatile long told = -1;

  /** What this CN's links, which listen since before, have heard of. */
  private volatile long followed;

  /** Before this nobody takes this CN for dead. */
  private volatile long validUntilNanos;

  /** When {@link #tick} came last. */
  private volatile long tickNanos;

  private volatile boolean stoodStill;

  /**
   * The lease of the CN of that name.
   *
   * @param address where clients reach it
   * @param nanoTime as {@link System#nanoTime}
   */
  Lease(NodeId self, String address, GmsService gms, LongSupplier nanoTime) {
    super(self, gms);
    this.address = address;
    this.nanoTime = nanoTime;
    this.validUntilNanos = nanoTime.getAsLong();
    this.tickNanos = nanoTime.getAsLong();
    this.followed = gms.catalog().version();
    gms.onChange(catalog -> followed = catalog.version());
  }

  /**
   * Takes the lease, or renews it. Blocking.
   *
   * @return the catalog, with this CN in it
   * @throws AlraiException ALRAI_NODE_UNAVAILABLE without a leader of the GMS
   */
  Catalog renew() {
    long version = followed;
    long sent = nanoTime.getAsLong();
    Catalog renewed =
        gms()
            .submit(
                new CatalogCommand.RenewComputeNode(
                    self(), address, version, System.currentTimeMillis(), Leases.MILLIS));
    told = version;
    validUntilNanos = sent + TimeUnit.MILLISECONDS.toNanos(Leases.MILLIS);
    if (leased()) {
      stoodStill = false;
    }
    return renewed;
  }

  @Override
  public boolean leased() {
    return nanoTime.getAsLong() - validUntilNanos < 0;
  }

  /** To be called every {@value #TICK_MILLIS} ms while the process runs; waits for nothing. */
  void tick() {
    long now = nanoTime.getAsLong();
    if (now - tickNanos > STANDSTILL_NANOS) {
      stoodStill = true;
    }
    tickNanos = now;
  }

  /** Where the GMS does not answer, the CN goes on as it did. */
  @Override
  public boolean behind() {
    return !leased() && (stoodStill || nanoTime.getAsLong() - tickNanos > STANDSTILL_NANOS);
  }

  /** Why the CN does not serve, if it does not: its statements wait then. Any thread. */
  Optional<String> missing() {
    return behind()
        ? Optional.of("it stood still for longer than its lease and has not heard from the GMS yet")
        : Optional.empty();
  }

  /** That the lease has ended, although the CN serves. Any thread. */
  List<String> amiss() {
    return leased() || behind()
        ? List.of()
        : List.of("it has no lease: the GMS has not renewed it, so others take it for dead");
  }

  /**
   * Renews it from now on, on a thread of its own.
   *
   * @param look called at once and every 5 s, after a renewal; must not block
   * @param heard called after every attempt; must not block
   */
  void keep(Runnable look, Runnable heard) {
    Thread thread = keeper(() -> run(look, heard));
    gms()
        .onChange(catalog -> {
          if (catalog.version() > told) {
            LockSupport.unpark(thread);
          }
        });
    thread.start();
  }

  private void run(Runnable look, Runnable heard) {
    long nextLook = System.nanoTime();
    while (!isClosed()) {
      try {
        renew();
        heard.run();
        if (System.nanoTime() - nextLook >= 0) {
          nextLook = System.nanoTime() + LOOK_NANOS;
          look.run();
        }
        pause(true);
      } catch (AlraiException e) {
        log.warn("{}: {}", self(), e.sentence());
        stoodStill = false;
        heard.run();
        pause(false);
      }
    }
  }

  /** Until the next renewal is due; a wake-up may also have been used up before. */
  private void pause(boolean unlessNews) {
    long end = System.nanoTime() + RENEW_NANOS;
    long left = RENEW_NANOS;
    while (!isClosed() && left > 0 && !(unlessNews && gms().catalog().version() > told)) {
      LockSupport.parkNanos(left);
      left = end - System.nanoTime();
    }
  }

  @Override
  CatalogCommand removal() {
    return new CatalogCommand.RemoveComputeNode(self());
  }
}
