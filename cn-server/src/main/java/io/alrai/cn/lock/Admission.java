package io.alrai.cn.lock;

import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.ClusterLock;
import io.alrai.gms.api.DdlJob;
import io.alrai.gms.api.LockStage;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What may begin on this CN while locks over the cluster are there, and how much is at work.
 * Whoever wants to begin counts itself first and looks for locks then; whoever looks whether
 * nothing is at work has made the lock known first. So one of both sees the other. Thread-safe.
 */
public final class Admission {
  private final Supplier<Catalog> catalog;
  private final Standing standing;
  private final AtomicIntegerArray inside = new AtomicIntegerArray(LockStage.values().length);
  private final Set<Runnable> waiting = ConcurrentHashMap.newKeySet();
  private final Set<Long> own = ConcurrentHashMap.newKeySet();
  private volatile List<ClusterLock> locks = List.of();
  private Map<Long, DdlJob> jobs = Map.of();
  private volatile Runnable onChange = () -> {};

  /** What the CN knows of its own lease. Any thread. */
  public interface Standing {
    /** Whether nobody can have taken the CN for dead. */
    boolean leased();

    /**
     * Whether the CN stood still for so long that a lock may have been taken without it, and it has
     * not heard from the GMS since.
     */
    boolean behind();
  }

  /**
   * The admission of one CN.
   *
   * @param catalog the newest that is here
   */
  public Admission(Supplier<Catalog> catalog, Standing standing) {
    this.catalog = catalog;
    this.standing = standing;
  }

  /** Works with the locks and jobs of the newest catalog from now on; must not wait. */
  public synchronized void follow() {
    Catalog now = catalog.get();
    if (!now.locks().equals(locks) || !now.jobs().equals(jobs)) {
      locks = now.locks();
      jobs = now.jobs();
      retry();
    }
  }

  /** All that wait look again, as the CN has heard from the GMS. Any thread. */
  public void retry() {
    waiting.forEach(Runnable::run);
  }

  /** The locks it works with. */
  List<ClusterLock> locks() {
    return locks;
  }

  /** Has something done when nothing may be at work any more, or a lock is given back. */
  void onChange(Runnable action) {
    onChange = action;
  }

  /**
   * Lets something begin unless a lock holds it off; then {@link #leave} must come.
   *
   * @param heldOff by which locks
   */
  boolean enter(LockStage what, Predicate<ClusterLock> heldOff) {
    begin(what);
    boolean in = !standing.behind();
    for (ClusterLock lock : locks) {
      in &= !heldOff.test(lock);
    }
    if (!in) {
      leave(what);
    }
    return in;
  }

  /** Counts what is part of something that has begun before; then {@link #leave} must come. */
  void begin(LockStage what) {
    inside.incrementAndGet(what.ordinal());
  }

  /** What was let in has ended. */
  void leave(LockStage what) {
    if (inside.decrementAndGet(what.ordinal()) == 0 && !locks.isEmpty()) {
      onChange.run();
    }
  }

  /** Whether nothing is at work that a lock at this stage holds off. */
  boolean none(LockStage stage) {
    for (LockStage each : LockStage.values()) {
      if (each.compareTo(stage) <= 0 && inside.get(each.ordinal()) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Has something done whenever locks or DDL jobs have come or gone, until {@link #forget}. */
  void await(Runnable again) {
    waiting.add(again);
  }

  /** Nobody waits for it any more. */
  void forget(Runnable again) {
    waiting.remove(again);
  }

  /** A session of this CN takes a lock. */
  public void own(long id) {
    own.add(id);
  }

  /** It has given it back, or never got it: the lock goes by itself from now on. */
  public void disown(long id) {
    own.remove(id);
    onChange.run();
  }

  /** Whether a session of this CN has the lock, or is about to. */
  boolean owns(long id) {
    return own.contains(id);
  }

  /** Whether a lock that was taken is still there, as far as this CN can know. */
  public boolean holds(long id) {
    return standing.leased() && locks.stream().anyMatch(lock -> lock.id() == id);
  }
}
