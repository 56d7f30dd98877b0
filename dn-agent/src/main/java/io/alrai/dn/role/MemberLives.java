package io.alrai.dn.role;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.dn.mysqld.MysqldInstance;
import io.alrai.dn.mysqld.MysqldListener;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The lives of a member's mysqld, with those that attend to them and hear of them, who change once,
 * while it runs or not, when the only replica of a DN becomes a member of a group. Thread-safe.
 */
final class MemberLives implements LeaderAttendant, MysqldListener {
  @GuardedBy("this")
  private LeaderAttendant attendant;

  @GuardedBy("this")
  private MysqldListener listener;

  /** The mysqld that was attached to last; null while there is none. */
  @GuardedBy("this")
  private @Nullable MysqldInstance attached;

  /** The mysqld that answers; null while none does. */
  @GuardedBy("this")
  private @Nullable MysqldInstance up;

  MemberLives(LeaderAttendant attendant, MysqldListener listener) {
    this.attendant = attendant;
    this.listener = listener;
  }

  /**
   * From now on these two; they hear of the present life as if it had just begun. Nobody leads.
   *
   * @param next does not block when it attaches
   */
  synchronized void change(GroupAttendant next, MysqldListener told) {
    MysqldInstance running = attached;
    if (running != null) {
      next.attach(running, () -> true);
    }
    attendant = next;
    listener = told;
    MysqldInstance answers = up;
    if (answers != null) {
      told.up(answers);
    }
  }

  private synchronized LeaderAttendant attendant() {
    return attendant;
  }

  @Override
  public void beforeLaunch(MysqldInstance instance) {
    attendant().beforeLaunch(instance);
  }

  @Override
  public void attach(MysqldInstance instance, BooleanSupplier goOn) throws InterruptedException {
    LeaderAttendant now;
    synchronized (this) {
      attached = instance;
      now = attendant;
    }
    now.attach(instance, goOn);
  }

  @Override
  public boolean drain(MysqldInstance instance, Duration bound) throws InterruptedException {
    return attendant().drain(instance, bound);
  }

  @Override
  public void detach(MysqldInstance instance) {
    LeaderAttendant now;
    synchronized (this) {
      attached = null;
      now = attendant;
    }
    now.detach(instance);
  }

  @Override
  public void lead(MysqldInstance instance, LeaderStream stream) {
    attendant().lead(instance, stream);
  }

  @Override
  public void leave(LeaderStream stream) {
    attendant().leave(stream);
  }

  @Override
  public synchronized void up(MysqldInstance instance) {
    up = instance;
    listener.up(instance);
  }

  @Override
  public synchronized void down(MysqldInstance instance, String reason) {
    up = null;
    listener.down(instance, reason);
  }
}
