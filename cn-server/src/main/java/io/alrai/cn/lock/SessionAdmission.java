package io.alrai.cn.lock;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.ClusterLock;
import io.alrai.gms.api.LockStage;
import io.netty.channel.EventLoop;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One session's part in the locks over the cluster: its statements and commits begin when no lock
 * of others holds them off, and it may have such locks itself. Event loop only, unless said
 * otherwise.
 *
 * <pre>
 * OUTSIDE -> (enter, or await -> WAITING) -> INSIDE -> (leave) -> OUTSIDE
 * </pre>
 */
public final class SessionAdmission {
  /** What the session had sent when it went has reached its mysqld by then, and is seen there. */
  private static final long GONE_MILLIS = 1_000;

  /** What a wait needs to know of its session, and tells it. */
  public interface Waiter {
    /** {@code lock_wait_timeout}. */
    long patienceSeconds();

    /** It waits from now on, or for something else; {@code state} in MySQL's words. */
    void waits(String state);

    /** It does not any more. */
    void goesOn();
  }

  private final Admission cn;
  private final EventLoop loop;
  private @Nullable Waiter waiter;
  private @Nullable LockStage inside;
  private @Nullable Wait waiting;
  private volatile boolean abandoned;

  /** 0 for none; volatile, as a virtual thread that has the session reads them. */
  private volatile long readLock;

  private volatile long backupLock;

  /** The admission of a session on this loop. */
  public SessionAdmission(Admission cn, EventLoop loop) {
    this.cn = cn;
    this.loop = loop;
  }

  /** Sets the session that waits, once it is known: before its first statement. */
  public void of(Waiter session) {
    waiter = session;
  }

  /** Whether a statement of the session has been let in. */
  public boolean isInside() {
    return inside != null;
  }

  /**
   * Lets a statement of the session begin, if no lock holds it off; it is inside until {@link
   * #leave}.
   *
   * @throws AlraiException 1223 when the session itself has the read lock
   */
  public boolean enters(LockStage what) {
    LockStage now = inside;
    if (now != null && now.compareTo(what) <= 0) {
      return true;
    }
    if (readLock != 0) {
      throw new AlraiException(
          ErrorCode.ER_CANT_UPDATE_WITH_READLOCK,
          "Can't execute the query because you have a conflicting read lock");
    }
    return entered(what, cn.enter(what, lock -> holdsOff(lock, what)));
  }

  private boolean entered(LockStage what, boolean in) {
    LockStage before = inside;
    if (in) {
      inside = what;
      if (before != null) {
        cn.leave(before);
      }
    }
    return in;
  }

  private boolean holdsOff(ClusterLock lock, LockStage what) {
    return what.compareTo(lock.stage()) <= 0 && lock.id() != backupLock;
  }

  /** Completes as soon as it is let in; fails with 1205, or 1317 by KILL. */
  public CompletableFuture<Void> await(LockStage what) {
    return admitted(() -> enters(what), what);
  }

  /**
   * Waits until the catalog says something, as for the metadata lock of a table that is being
   * changed; fails with 1205, or 1317 by KILL.
   */
  public CompletableFuture<Void> awaitTable(BooleanSupplier isThere) {
    return isThere.getAsBoolean()
        ? CompletableFuture.completedFuture(null)
        : new Wait(isThere, () -> "Waiting for table metadata lock").begin();
  }

  /**
   * Waits for what counts as a definition to backups only: it changes no rows, and a session with
   * the read lock may do it.
   */
  public CompletableFuture<Void> awaitBackups() {
    LockStage what = LockStage.DEFINITIONS;
    return admitted(
        () ->
            inside == what
                || entered(
                    what, cn.enter(what, lock -> lock.stage() == what && lock.id() != backupLock)),
        what);
  }

  private CompletableFuture<Void> admitted(BooleanSupplier enters, LockStage what) {
    return enters.getAsBoolean()
        ? CompletableFuture.completedFuture(null)
        : new Wait(enters, () -> stateAt(what)).begin();
  }

  private String stateAt(LockStage what) {
    if (cn.locks().isEmpty()) {
      return "Waiting for the GMS";
    }
    if (what == LockStage.COMMITS) {
      return "Waiting for commit lock";
    }
    boolean read = cn.locks().stream().anyMatch(lock -> lock.stage() != LockStage.DEFINITIONS);
    return read ? "Waiting for global read lock" : "Waiting for backup lock";
  }

  /** The session's statement has ended. */
  public void leave() {
    LockStage now = inside;
    if (now != null) {
      inside = null;
      giveUp(now);
    }
  }

  /** What a session sent before it left may still be on its way to a mysqld. */
  private void giveUp(LockStage place) {
    if (abandoned) {
      loop.schedule(() -> cn.leave(place), GONE_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      cn.leave(place);
    }
  }

  /**
   * Lets a commit of writes begin, as soon as no lock holds it off, or as a part of the statement
   * that is inside. After it comes {@link #committed}, unless this fails as {@link #await} does.
   */
  public CompletableFuture<Void> awaitCommit() {
    if (inside != null) {
      cn.begin(LockStage.COMMITS);
      return CompletableFuture.completedFuture(null);
    }
    LockStage what = LockStage.COMMITS;
    return admitted(
        () -> cn.enter(what, lock -> lock.stage() == what && lock.id() != readLock), what);
  }

  /** The commit has ended, on all DNs. Any thread. */
  public void committed() {
    giveUp(LockStage.COMMITS);
  }

  /**
   * KILL QUERY of what waits.
   *
   * @return whether something waited
   */
  public boolean interrupt() {
    Wait wait = waiting;
    if (wait == null) {
      return false;
    }
    wait.end(AlraiException.interruption());
    return true;
  }

  /** Something that waits to be let in. */
  private final class Wait implements Runnable {
    private final BooleanSupplier enters;
    private final Supplier<String> state;
    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private String shown = "";
    private @Nullable Future<?> timeout;

    Wait(BooleanSupplier enters, Supplier<String> state) {
      this.enters = enters;
      this.state = state;
    }

    CompletableFuture<Void> begin() {
      if (abandoned) {
        return CompletableFuture.failedFuture(AlraiException.interruption());
      }
      waiting = this;
      Waiter session = waiter;
      long seconds = session == null ? 0 : session.patienceSeconds();
      show();
      timeout =
          loop.schedule(
              () ->
                  end(
                      new AlraiException(
                          ErrorCode.ER_LOCK_WAIT_TIMEOUT,
                          "Lock wait timeout exceeded; try restarting transaction")),
              seconds,
              TimeUnit.SECONDS);
      cn.await(this);
      again();
      return done;
    }

    private void show() {
      String now = state.get();
      Waiter session = waiter;
      if (session != null && !now.equals(shown)) {
        shown = now;
        session.waits(now);
      }
    }

    /** Locks or jobs have come or gone. Any thread. */
    @Override
    public void run() {
      loop.execute(this::again);
    }

    private void again() {
      if (waiting != this) {
        return;
      }
      if (enters.getAsBoolean()) {
        end(null);
      } else {
        show();
      }
    }

    void end(@Nullable AlraiException error) {
      if (waiting != this) {
        return;
      }
      waiting = null;
      cn.forget(this);
      Future<?> running = timeout;
      if (running != null) {
        running.cancel(false);
      }
      Waiter session = waiter;
      if (session != null) {
        session.goesOn();
      }
      if (error == null) {
        done.complete(null);
      } else {
        done.completeExceptionally(error);
      }
    }
  }

  /** Whether the session has the read lock. Any thread that has the session. */
  public boolean hasReadLock() {
    return readLock != 0;
  }

  /** Whether the session has the backup lock. Any thread that has the session. */
  public boolean hasBackupLock() {
    return backupLock != 0;
  }

  /**
   * The session has a lock from now on.
   *
   * @throws AlraiException 1317 when the session is gone meanwhile
   */
  public void hold(long id, boolean read) {
    if (abandoned) {
      throw AlraiException.interruption();
    }
    if (read) {
      readLock = id;
    } else {
      backupLock = id;
    }
  }

  /**
   * The session has its read lock, or its backup lock, no more; the caller gives it back.
   *
   * @return its id, 0 when it has none
   */
  public long release(boolean read) {
    long id = read ? readLock : backupLock;
    if (read) {
      readLock = 0;
    } else {
      backupLock = 0;
    }
    return id;
  }

  /** The session gives back what it has. */
  public void releaseAll() {
    for (boolean read : new boolean[] {true, false}) {
      long id = release(read);
      if (id != 0) {
        cn.disown(id);
      }
    }
  }

  /** Whether a lock of the session's went because its CN was taken for dead. */
  public boolean lost() {
    return readLock != 0 && !cn.holds(readLock) || backupLock != 0 && !cn.holds(backupLock);
  }

  /** The error for a client whose lock is lost. */
  public static AlraiException gone() {
    return new AlraiException(
        ErrorCode.ER_SERVER_SHUTDOWN,
        "The CN was cut off from the GMS for too long, and this session's lock over the cluster is"
            + " gone: connect again");
  }

  /** The session is gone; what of it is inside still leaves by {@link #leave}. */
  public void abandon() {
    abandoned = true;
    interrupt();
    releaseAll();
  }
}
