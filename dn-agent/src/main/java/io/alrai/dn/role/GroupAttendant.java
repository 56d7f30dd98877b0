package io.alrai.dn.role;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.id.DnId;
import io.alrai.dn.group.OwnBinlog;
import io.alrai.dn.mysqld.MysqldException;
import io.alrai.dn.mysqld.MysqldException.Reason;
import io.alrai.dn.mysqld.MysqldInstance;
import java.nio.file.Files;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Attends to the mysqld of a member of a group. Each of its lives begins without a log of its own
 * and as a follower: what a leader's life had not acknowledged is gone, and what the group has is
 * applied anew. So a leader leads within one life of the mysqld, and it always ends by SIGKILL:
 * nothing may let waiting commits go. Thread-safe.
 */
final class GroupAttendant implements LeaderAttendant {
  private final DnId dn;

  @GuardedBy("this")
  private @Nullable LeaderStream leader;

  /** The present life; odd while the mysqld runs. */
  @GuardedBy("this")
  private long life;

  GroupAttendant(DnId dn) {
    this.dn = dn;
  }

  @Override
  public void beforeLaunch(MysqldInstance instance) {
    if (Files.isDirectory(instance.dataDirectory())) { // else it begins with an empty one
      OwnBinlog.delete(instance);
    }
  }

  @Override
  public synchronized void attach(MysqldInstance instance, BooleanSupplier goOn) {
    life++;
  }

  @Override
  public boolean drain(MysqldInstance instance, Duration bound) {
    return false;
  }

  @Override
  public void detach(MysqldInstance instance) {
    LeaderStream last;
    synchronized (this) {
      life++;
      last = leader;
      leader = null;
    }
    if (last != null) {
      last.close();
    }
  }

  @Override
  public void lead(MysqldInstance instance, LeaderStream stream) {
    long now;
    synchronized (this) {
      if (leader != null) {
        throw new IllegalStateException(dn + " is led already");
      }
      now = life;
      if (now % 2 == 0) {
        throw new MysqldException(Reason.START_FAILED, "the mysqld of " + dn + " does not run");
      }
      leader = stream;
    }
    stream.attachNow(instance, () -> isLife(now));
  }

  private synchronized boolean isLife(long number) {
    return life == number;
  }

  @Override
  public void leave(LeaderStream stream) {
    synchronized (this) {
      if (leader == stream) {
        leader = null;
      }
    }
    stream.close();
  }
}
