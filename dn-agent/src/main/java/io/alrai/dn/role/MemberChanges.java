package io.alrai.dn.role;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.dn.group.GroupView;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldListener;
import java.time.Duration;
import java.util.function.LongSupplier;

/** The lives of a member's mysqld, and whatever else its role's thread waits for. Thread-safe. */
final class MemberChanges implements MysqldListener, GroupView.Listener {
  private static final long LOOK_MILLIS = 100;

  private volatile MemberListener listener = MemberListener.NOBODY;

  @GuardedBy("this")
  private long count;

  /** The mysqld's present life; 0 while it does not answer. */
  @GuardedBy("this")
  private long life;

  @GuardedBy("this")
  private long lives;

  @Override
  public void up(MysqldInstance instance) {
    synchronized (this) {
      life = ++lives;
    }
    note();
  }

  @Override
  public void down(MysqldInstance instance, String reason) {
    synchronized (this) {
      life = 0;
    }
    note();
  }

  /** Who hears of the member's leads from now on. */
  void report(MemberListener to) {
    listener = to;
  }

  /** Who hears of the member's leads. */
  MemberListener listener() {
    return listener;
  }

  @Override
  public void changed() {
    note();
  }

  @Override
  public void failed(Throwable reason) {
    listener.failed(reason);
  }

  /** Something has changed. */
  synchronized void note() {
    count++;
    notifyAll();
  }

  /** The mysqld's present life; 0 while it does not answer. */
  synchronized long life() {
    return life;
  }

  /** Waits until a life of the mysqld has ended; false when it has not in time. */
  boolean awaitEnd(long of, Duration bound, LongSupplier nanos) throws InterruptedException {
    long since = nanos.getAsLong();
    while (life() == of && nanos.getAsLong() - since < bound.toNanos()) {
      await(count());
    }
    return life() != of;
  }

  /** How many changes there were. */
  synchronized long count() {
    return count;
  }

  /** Returns when something has changed, or after a while. */
  synchronized void await(long since) throws InterruptedException {
    if (count == since) {
      wait(LOOK_MILLIS);
    }
  }
}
