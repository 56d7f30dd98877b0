package io.alrai.executor.timeslice;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Gives a few threads to the tasks of all queries in slices. A query falls from level to level by
 * the time that it has had; a level gets twice the time of the one below it, so that short queries
 * pass long ones and none starves. Thread-safe.
 */
public final class SliceScheduler implements AutoCloseable {
  private static final long[] LEVEL_NANOS = {0, 1_000_000_000L, 10_000_000_000L, 60_000_000_000L};

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

    /** Processor time so far. */
    public long nanos() {
      return nanos.get();
    }

    int level() {
      long had = nanos.get();
      int level = 0;
      while (level + 1 < LEVEL_NANOS.length && had >= LEVEL_NANOS[level + 1]) {
        level++;
      }
      return level;
    }
  }

  private record Entry(Task task, Account account, CompletableFuture<Void> end) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();
  private final List<Deque<Entry>> levels = new ArrayList<>();
  private final long[] used = new long[LEVEL_NANOS.length];
  private final List<Thread> threads = new ArrayList<>();
  private final LongSupplier clock;
  private final long sliceNanos;
  private boolean closed;

  /**
   * Starts the threads.
   *
   * @param threads how many
   * @param sliceNanos how long a task may run before it must let others run
   * @param clock nanoseconds from any start
   */
  public SliceScheduler(int threads, long sliceNanos, LongSupplier clock) {
    this.sliceNanos = sliceNanos;
    this.clock = clock;
    for (int i = 0; i < LEVEL_NANOS.length; i++) {
      levels.add(new ArrayDeque<>());
    }
    for (int i = 0; i < threads; i++) {
      Thread thread = Thread.ofPlatform().name("ap-" + i).daemon().unstarted(this::serve);
      this.threads.add(thread);
      thread.start();
    }
  }

  /** How many threads there are. */
  public int threads() {
    return threads.size();
  }

  /** Queues a task; the future completes when it ends, with its exception if it fails. */
  public CompletableFuture<Void> submit(Account account, Task task) {
    Entry entry = new Entry(task, account, new CompletableFuture<>());
    enqueue(entry);
    return entry.end();
  }

  private void enqueue(Entry entry) {
    lock.lock();
    try {
      if (closed) {
        entry.end().completeExceptionally(new IllegalStateException("the scheduler is closed"));
        return;
      }
      int level = entry.account().level();
      if (levels.get(level).isEmpty()) {
        used[level] = Math.max(used[level], leastUsed());
      }
      levels.get(level).add(entry);
      work.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Who was idle has no claim on the past. */
  private long leastUsed() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < used.length; i++) {
      least = levels.get(i).isEmpty() ? least : Math.min(least, used[i]);
    }
    return least == Long.MAX_VALUE ? 0 : least;
  }

  private void serve() {
    while (true) {
      Entry entry;
      int level;
      lock.lock();
      try {
        while (!closed && levels.stream().allMatch(Deque::isEmpty)) {
          work.awaitUninterruptibly();
        }
        if (closed) {
          return;
        }
        level = next();
        entry = levels.get(level).remove();
      } finally {
        lock.unlock();
      }
      serve(entry, level);
    }
  }

  private int next() {
    int best = -1;
    for (int i = 0; i < used.length; i++) {
      if (!levels.get(i).isEmpty() && (best < 0 || used[i] < used[best])) {
        best = i;
      }
    }
    return best;
  }

  private void serve(Entry entry, int level) {
    long start = clock.getAsLong();
    boolean done = true;
    Throwable failure = null;
    try {
      done = entry.task().run(start + sliceNanos) == Turn.DONE;
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    account(entry, level, clock.getAsLong() - start);
    if (failure != null) {
      entry.end().completeExceptionally(failure);
    } else if (done) {
      entry.end().complete(null);
    } else {
      enqueue(entry);
    }
  }

  /** Comes before the task's end is told: who waits for the end may ask for the time. */
  private void account(Entry entry, int level, long nanos) {
    entry.account().nanos.addAndGet(nanos);
    lock.lock();
    try {
      used[level] += nanos << level;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the threads; tasks that wait fail. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      for (Deque<Entry> level : levels) {
        for (Entry entry : level) {
          entry.end().completeExceptionally(new IllegalStateException("the scheduler is closed"));
        }
        level.clear();
      }
      work.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
