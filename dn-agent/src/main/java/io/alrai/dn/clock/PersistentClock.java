package io.alrai.dn.clock;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.time.HybridLogicalClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A clock that never goes back, whatever happens to its process: no timestamp leaves it that is not
 * below a mark on disk, and it starts above that mark. The mark is reserved {@value
 * #RESERVE_MILLIS} ms ahead by a thread of its own, so that giving a timestamp costs a comparison;
 * only when that thread is late does a caller wait for the disk. Thread-safe.
 */
public final class PersistentClock implements NodeClock, AutoCloseable {
  /** How far ahead the mark is reserved. */
  static final long RESERVE_MILLIS = 1_000;

  private static final long RENEW_MILLIS = 500;
  private static final long LOOK_MILLIS = 125;

  /** How far ahead of the wall time a clock may start: other nodes bear with 500 ms. */
  private static final long START_AHEAD_MILLIS = 200;

  private static final Logger log = LoggerFactory.getLogger(PersistentClock.class);

  private final HybridLogicalClock clock;

  @GuardedBy("disk")
  private final HighWaterFile file;

  private final Object disk = new Object();
  private volatile long reserved;
  private volatile boolean closed;

  private PersistentClock(HybridLogicalClock clock, HighWaterFile file) {
    this.clock = clock;
    this.file = file;
  }

  /**
   * Opens a clock. A process that is back sooner than its reservation ends waits for the wall time
   * to come near it, at most {@value #RESERVE_MILLIS} ms: the other nodes would refuse it.
   *
   * @param path the mark; made when missing
   * @param clock what ticks; several DNs of one process may share it
   * @param wallMillis the wall time that the clock uses
   * @throws IOException when the mark cannot be read or written
   */
  public static PersistentClock open(Path path, HybridLogicalClock clock, LongSupplier wallMillis)
      throws IOException {
    HighWaterFile file = HighWaterFile.open(path);
    PersistentClock opened = new PersistentClock(clock, file);
    try {
      HlcTimestamp mark = file.read();
      opened.awaitWallTime(mark, wallMillis);
      clock.restoreAbove(mark);
      opened.reserve(clock.nowValue());
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
    Thread.ofVirtual().name("clock-reserve").start(opened::keepReserved);
    return opened;
  }

  private void awaitWallTime(HlcTimestamp mark, LongSupplier wallMillis) {
    long ahead = mark.millis() - START_AHEAD_MILLIS - wallMillis.getAsLong();
    if (ahead > RESERVE_MILLIS) {
      log.warn(
          "the wall time is {} ms behind this node's last reservation: was the system's clock set"
              + " back?",
          ahead);
    }
    if (ahead > 0) {
      pause(Math.min(ahead, RESERVE_MILLIS));
    }
  }

  @Override
  public long nowValue() {
    long now = clock.nowValue();
    ensureBelowMark(now);
    return now;
  }

  @Override
  public HlcTimestamp advance() {
    HlcTimestamp next = clock.advance();
    ensureBelowMark(next.value());
    return next;
  }

  @Override
  public void updateValue(long remote) {
    clock.updateValue(remote);
  }

  @Override
  public void restoreAbove(HlcTimestamp floor) {
    clock.restoreAbove(floor);
  }

  private void ensureBelowMark(long timestamp) {
    if (timestamp < reserved) {
      return;
    }
    try {
      reserve(timestamp);
    } catch (IOException e) {
      throw new UncheckedIOException("the clock's high-water mark cannot be written", e);
    }
  }

  private void reserve(long timestamp) throws IOException {
    synchronized (disk) {
      if (closed) {
        throw new IOException("the clock is closed");
      }
      long wanted = timestamp + (RESERVE_MILLIS << HlcTimestamp.LOGICAL_BITS);
      if (timestamp >= reserved - (RENEW_MILLIS << HlcTimestamp.LOGICAL_BITS)) {
        file.write(new HlcTimestamp(wanted));
        reserved = wanted;
      }
    }
  }

  private void keepReserved() {
    while (!closed) {
      pause(LOOK_MILLIS);
      try {
        reserve(clock.nowValue());
      } catch (IOException e) {
        // the next caller beyond the mark gets the error; until then try again
        if (!closed) {
          log.warn("the clock's high-water mark cannot be written", e);
        }
      }
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the reservation, so that the next start need not wait; gives no timestamps afterwards. */
  @Override
  public void close() throws IOException {
    synchronized (disk) {
      if (closed) {
        return;
      }
      closed = true;
      file.write(clock.now());
      reserved = Long.MIN_VALUE;
      file.close();
    }
  }
}
