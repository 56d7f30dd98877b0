package io.alrai.executor.timeslice;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Gives a few threads to the tasks of all queries in slices: short queries pass long ones and none
 * starves. Where it is isolated its threads give way to all others of the machine, and have no more
 * of the processors than these leave. That and a quota are kept by pauses between slices.
 * Thread-safe.
 */
public final class SliceScheduler implements AutoCloseable {
  /** A query that has had so much processor time is a slow one. */
  public static final long SLOW_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final long QUOTA_SAVED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  /** One that cannot yield, or is planned for the first time, keeps others out for no longer. */
  private static final long QUOTA_OWED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private static final double PERCENT = 100;

  /** Slices while others are to be disturbed as little as can be. */
  private static final long ISOLATED_SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  /** Slices where time is counted: none overdraws by more. */
  private static final long COUNTED_SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** What a task did with its slice. */
  public enum Turn {
    /** It has work left. */
    YIELDED,
    /** It has ended. */
    DONE
  }

  /** Work in slices. Runs on one thread at a time, not always the same. */
  @FunctionalInterface
  public interface Task {
    /**
     * Works until the deadline or the end.
     *
     * @param deadlineNanos when to yield, on the scheduler's clock; a few milliseconds late is fine
     */
    Turn run(long deadlineNanos);
  }

  /** The time that the tasks of one query have had. */
  public static final class Account {
    private final AtomicLong nanos = new AtomicLong();
    private final Runnable whenSlow;
    private Optional<RuntimeException> withdrawn = Optional.empty();
    private volatile boolean hurries;

    /** One of which nobody wants to know when it is slow. */
    public Account() {
      this(() -> {});
    }

    /**
     * An account that has used no time.
     *
     * @param whenSlow called once when it turns out to be slow; must not wait
     */
    public Account(Runnable whenSlow) {
      this.whenSlow = whenSlow;
    }

    /**
     * Has its tasks wait for the threads only, no longer for processor time to come: transactions
     * may wait for what it holds. For tasks that are queued from now on, too.
     */
    public void hurry() {
      hurries = true;
    }

    /** Whether they do. */
    public boolean hurries() {
      return hurries;
    }

    /** Processor time so far. */
    public long nanos() {
      return nanos.get();
    }

    private void add(long more) {
      long now = nanos.addAndGet(more);
      if (now >= SLOW_NANOS && now - more < SLOW_NANOS) {
        whenSlow.run();
      }
    }
  }

  /**
   * How time passes.
   *
   * @param wall nanoseconds from any start
   * @param processor nanoseconds that the calling thread has had
   * @param pause lets some of the wall's pass
   */
  public record Time(LongSupplier wall, LongSupplier processor, Pause pause) {
    /** One in which pauses are the system's. */
    public Time(LongSupplier wall, LongSupplier processor) {
      this(wall, processor, Condition::awaitNanos);
    }

    /** The system's time. */
    public static Time system() {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      return new Time(System::nanoTime, threads::getCurrentThreadCpuTime);
    }
  }

  /** How a thread waits until it may go on. */
  @FunctionalInterface
  public interface Pause {
    /**
     * Waits, with the condition's lock.
     *
     * @param work what is signalled when there may be something to do sooner
     * @param nanos at most; {@link Long#MAX_VALUE}: until then
     */
    void await(Condition work, long nanos) throws InterruptedException;
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();

  @GuardedBy("lock")
  private final SliceQueue queue = new SliceQueue();

  @GuardedBy("lock")
  private final CpuBudget quota = new CpuBudget(QUOTA_SAVED_NANOS, QUOTA_OWED_NANOS);

  private final int lanes;
  private final Time time;
  private final LongAdder spent;

  @GuardedBy("lock")
  private CpuShare share;

  @GuardedBy("lock")
  private double spareProcessors;

  @GuardedBy("lock")
  private boolean closed;

  /**
   * Starts the threads.
   *
   * @param lanes how many tasks of a query are worth while
   * @param spent counts all processor time that is spent here, in nanoseconds
   */
  public SliceScheduler(int lanes, CpuShare share, Time time, LongAdder spent) {
    this.lanes = lanes;
    this.time = time;
    this.spent = spent;
    this.share = share;
    share(share);
    for (int i = 0; i < lanes; i++) {
      start(Seat.EQUAL, "ap-equal-" + i);
      start(Seat.ISOLATED, "ap-low-" + i);
    }
  }

  private void start(Seat seat, String name) {
    seat.priority().start(name, () -> serve(seat));
  }

  /** How many tasks of a query are worth while. */
  public int lanes() {
    return lanes;
  }

  /** The scheduler's clock. */
  public LongSupplier clock() {
    return time.wall();
  }

  /** Changes the share; slices that run end as they began. */
  public void share(CpuShare changed) {
    lock.lock();
    try {
      share = changed;
      rate();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Says what others leave of the processors; it counts where the share is an isolated one.
   *
   * @param processors how many of them at most, on average; 0: no limit
   */
  public void leave(double processors) {
    lock.lock();
    try {
      spareProcessors = processors;
      rate();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void rate() {
    double most = share.quotaPercent() / PERCENT;
    if (share.isolated() && spareProcessors > 0) {
      most = most > 0 ? Math.min(most, spareProcessors) : spareProcessors;
    }
    quota.rate(most, time.wall().getAsLong());
    work.signalAll();
  }

  /** Processor time that was spent here, in nanoseconds. */
  public long spentNanos() {
    return spent.sum();
  }

  /** How long analytical work elsewhere should wait, in nanoseconds; 0: not at all. */
  public long debtNanos() {
    lock.lock();
    try {
      return quota.waitNanos(time.wall().getAsLong());
    } finally {
      lock.unlock();
    }
  }

  /** Whether there is less to be had than the machine has. */
  public boolean isHeldBack() {
    lock.lock();
    try {
      return quota.isLimited();
    } finally {
      lock.unlock();
    }
  }

  /** Takes time that analytical work has spent elsewhere. */
  public void charge(long nanos) {
    lock.lock();
    try {
      spend(nanos);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private void spend(long nanos) {
    quota.spend(nanos, time.wall().getAsLong());
    spent.add(nanos);
  }

  /** Queues a task; the future completes when it ends, with its exception if it fails. */
  public CompletableFuture<Void> submit(Account account, Task task) {
    SliceQueue.Entry entry = new SliceQueue.Entry(task, account, new CompletableFuture<>());
    enqueue(entry);
    return entry.end();
  }

  /**
   * Ends all tasks of an account that wait for a slice, now or later; those that have one have it
   * to its end.
   */
  public void withdraw(Account account, RuntimeException reason) {
    List<SliceQueue.Entry> withdrawn;
    lock.lock();
    try {
      account.withdrawn = Optional.of(reason);
      withdrawn = queue.remove(account);
    } finally {
      lock.unlock();
    }
    withdrawn.forEach(entry -> entry.end().completeExceptionally(reason));
  }

  /** Takes tasks of an account again, after {@link #withdraw} and the end of its last one. */
  public void takeBack(Account account) {
    lock.lock();
    try {
      account.withdrawn = Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private void enqueue(SliceQueue.Entry entry) {
    Optional<RuntimeException> refused;
    lock.lock();
    try {
      refused =
          closed
              ? Optional.of(new IllegalStateException("the scheduler is closed"))
              : entry.account().withdrawn;
      if (refused.isEmpty()) {
        queue.add(entry);
        work.signalAll();
      }
    } finally {
      lock.unlock();
    }
    refused.ifPresent(entry.end()::completeExceptionally);
  }

  private void serve(Seat seat) {
    while (true) {
      SliceQueue.Entry entry;
      long sliceNanos;
      lock.lock();
      try {
        awaitTurn(seat);
        if (closed) {
          return;
        }
        entry = queue.remove();
        sliceNanos = sliceNanos(seat);
      } finally {
        lock.unlock();
      }
      serve(entry, sliceNanos);
    }
  }

  @GuardedBy("lock")
  private void awaitTurn(Seat seat) {
    while (!closed) {
      long waitNanos = queue.isEmpty() ? Long.MAX_VALUE : waitNanos(seat);
      if (waitNanos == 0) {
        return;
      }
      await(waitNanos);
    }
  }

  private void await(long nanos) {
    try {
      time.pause().await(work, nanos);
    } catch (InterruptedException e) {
      // nobody interrupts these threads; they end by close
    }
  }

  @GuardedBy("lock")
  private long waitNanos(Seat seat) {
    if (share.isolated() == (seat == Seat.EQUAL)) {
      return Long.MAX_VALUE;
    }
    return queue.hurries() ? 0 : quota.waitNanos(time.wall().getAsLong());
  }

  @GuardedBy("lock")
  private long sliceNanos(Seat seat) {
    long most = share.slice().toNanos();
    if (quota.isLimited()) {
      return Math.min(most, COUNTED_SLICE_NANOS);
    }
    return seat == Seat.ISOLATED ? Math.min(most, ISOLATED_SLICE_NANOS) : most;
  }

  private void serve(SliceQueue.Entry entry, long sliceNanos) {
    long start = time.wall().getAsLong();
    long startProcessor = time.processor().getAsLong();
    int level = entry.level();
    Turn turn = Turn.DONE;
    Throwable failure = null;
    try {
      turn = entry.task().run(start + sliceNanos);
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    long nanos = time.processor().getAsLong() - startProcessor;
    lock.lock();
    try {
      queue.used(level, nanos);
      spend(nanos);
    } finally {
      lock.unlock();
    }
    // before the end is announced: whoever waits for it may ask for the time
    entry.account().add(nanos);
    if (failure != null) {
      entry.end().completeExceptionally(failure);
    } else if (turn == Turn.DONE) {
      entry.end().complete(null);
    } else {
      enqueue(entry);
    }
  }

  /** Ends the threads; tasks that wait fail. */
  @Override
  public void close() {
    List<SliceQueue.Entry> left;
    lock.lock();
    try {
      closed = true;
      left = new ArrayList<>(queue.removeAll());
      work.signalAll();
    } finally {
      lock.unlock();
    }
    left.forEach(entry ->
        entry.end().completeExceptionally(new IllegalStateException("the scheduler is closed")));
  }
}
