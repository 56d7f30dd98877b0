package io.alrai.dn.group;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import org.jspecify.annotations.Nullable;

/**
 * Up to where a member's mysqld is fed: everything that comes, but while a view is opened there no
 * more than the view shows (docs/design/0081). Thread-safe.
 *
 * <pre>
 *  FREE --hold--> held at what it was fed --feedTo(place)--> held at the place --release--> FREE
 * </pre>
 */
public final class FeedHold {
  /** What the mysqld was given, or had before; null while nobody knows. */
  @GuardedBy("this")
  private @Nullable GtidSet fed;

  /** All that it may be given; null for everything. */
  @GuardedBy("this")
  private @Nullable GtidSet most;

  /** The mysqld asks for what comes after these; what it has it was given before. */
  synchronized void begins(GtidSet known) {
    fed = known.copy();
  }

  /** The mysqld follows no more, or is about to begin: nothing is known of it, nothing is held. */
  public synchronized void forget() {
    fed = null;
    release();
  }

  /**
   * Remembers that a transaction is given to the mysqld, if it may be; else waits until something
   * changes, or the time is up.
   *
   * @param millis 0 for not at all
   * @return whether it is
   */
  synchronized boolean passes(Gtid next, long millis) throws InterruptedException {
    if (isKept(next) && millis > 0) {
      wait(millis);
    }
    if (isKept(next)) {
      return false;
    }
    GtidSet given = fed;
    if (given != null) {
      given.add(next);
    }
    return true;
  }

  @GuardedBy("this")
  private boolean isKept(Gtid next) {
    GtidSet limit = most;
    return limit != null && !limit.contains(next);
  }

  /** Gives it nothing more, until {@link #feedTo} or {@link #release}. */
  public synchronized void hold() {
    GtidSet given = fed;
    most = given == null ? new GtidSet() : given.copy();
  }

  /**
   * Gives it what a place has, and nothing more.
   *
   * @return false where it was given more already, or nobody knows what
   */
  public synchronized boolean feedTo(GtidSet place) {
    GtidSet given = fed;
    if (most == null || given == null || !place.containsAll(given)) {
      return false;
    }
    most = place;
    notifyAll();
    return true;
  }

  /** Whether it has been given nothing but that place since {@link #feedTo}. */
  @SuppressWarnings("ReferenceEquality") // of that call
  public synchronized boolean isAt(GtidSet place) {
    return most == place && fed != null;
  }

  /** Gives it everything again. */
  public synchronized void release() {
    most = null;
    notifyAll();
  }
}
