package io.alrai.dn.role;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.file.FileErrors;
import io.alrai.common.id.DnId;
import io.alrai.dn.binlog.AckedMark;
import io.alrai.dn.binlog.DirtyTail;
import io.alrai.dn.mysqld.MysqldException;
import io.alrai.dn.mysqld.MysqldException.Reason;
import io.alrai.dn.mysqld.MysqldInstance;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attends to the mysqld for whoever leads, if anybody: cuts what a killed one left, attaches the
 * leader's stream, and lets the mysqld end in order only when the leader has let its last commits
 * through. While nobody leads its commits wait, and it can only be killed: SIGTERM would let them
 * go. Thread-safe.
 *
 * <pre>
 *                 leads: attaches           leaves: detaches
 *   mysqld runs, nobody leads  <------------------->  mysqld runs, attached
 *        ^ |  attach, detach                      ^ |  attach, detach
 *        | v                                      | v
 *   no mysqld, nobody leads    <------------------->  no mysqld, led
 * </pre>
 */
final class MemberAttendant implements LeaderAttendant {
  private static final Logger log = LoggerFactory.getLogger(MemberAttendant.class);

  private final DnId dn;
  private final AckedMark mark;

  @GuardedBy("this")
  private @Nullable LeaderStream leader;

  /** Whether the mysqld has been attached to, or would have been. */
  @GuardedBy("this")
  private boolean running;

  MemberAttendant(DnId dn, AckedMark mark) {
    this.dn = dn;
    this.mark = mark;
  }

  @Override
  public void beforeLaunch(MysqldInstance instance) {
    try {
      DirtyTail.cut(instance, mark);
    } catch (IOException e) {
      throw new MysqldException(
          Reason.START_FAILED,
          "the binary log of " + dn + " cannot be cut: " + FileErrors.text(e),
          e);
    }
  }

  @Override
  public void attach(MysqldInstance instance, BooleanSupplier goOn) throws InterruptedException {
    LeaderStream now;
    synchronized (this) {
      running = true;
      now = leader;
    }
    if (now == null) {
      return;
    }
    try {
      now.attach(instance, goOn);
    } catch (MysqldException e) {
      if (leads(now)) {
        throw e;
      }
      log.info("{}: its leader left before it was attached", dn);
    }
  }

  private synchronized boolean leads(LeaderStream stream) {
    return leader == stream;
  }

  private synchronized boolean runs() {
    return running;
  }

  @Override
  public boolean drain(MysqldInstance instance, Duration bound) throws InterruptedException {
    LeaderStream now;
    synchronized (this) {
      now = leader;
    }
    return now != null && now.drain(bound);
  }

  @Override
  public void detach(MysqldInstance instance) {
    LeaderStream now;
    synchronized (this) {
      running = false;
      now = leader;
    }
    if (now != null) {
      now.detach();
    }
  }

  /** Also to each later life of the mysqld. */
  @Override
  public void lead(MysqldInstance instance, LeaderStream stream) {
    boolean attach;
    synchronized (this) {
      if (leader != null) {
        throw new IllegalStateException(dn + " is led already");
      }
      leader = stream;
      attach = running;
    }
    if (!attach) {
      return;
    }
    stream.attachNow(instance, this::runs);
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
