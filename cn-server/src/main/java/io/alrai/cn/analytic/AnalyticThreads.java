package io.alrai.cn.analytic;

import io.alrai.common.error.AlraiException;
import io.alrai.common.thread.KernelPriority;
import io.alrai.executor.task.Cancellation;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads for what a query does beside its tasks: it is planned, waits, and its rows are sent. On
 * virtual threads it would keep the few carriers from statements that are short. Where analytical
 * work is isolated they have a low priority. Thread-safe.
 *
 * <p>A thread that is started inherits its starter's priority, and whoever wakes a virtual thread
 * may start a carrier: so a thread of normal priority announces the end of the work.
 */
public final class AnalyticThreads implements AutoCloseable {
  /** How often the end of a query is looked for while it waits. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final BooleanSupplier isolated;
  private final LongSupplier processor;
  private final LongConsumer charge;
  private final LongSupplier debt;
  private final ThreadLocal<Call<?>> current = new ThreadLocal<>();
  private final AtomicBoolean compilerIsLow = new AtomicBoolean();
  private final ExecutorService equalThreads = threads("ap-equal-session-", KernelPriority.NORMAL);
  private final ExecutorService lowThreads = threads("ap-session-", KernelPriority.LOW);
  private final ExecutorService relay =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("ap-relay").factory());

  /**
   * Starts no thread yet. To be called by a thread of normal priority.
   *
   * @param isolated whether they have a low priority
   * @param processor nanoseconds that the calling thread has had
   * @param charge takes the nanoseconds that were spent here
   * @param debt nanoseconds to wait until more may be spent; 0: none
   */
  public AnalyticThreads(
      BooleanSupplier isolated, LongSupplier processor, LongConsumer charge, LongSupplier debt) {
    this.isolated = isolated;
    this.processor = processor;
    this.charge = charge;
    this.debt = debt;
    relay.execute(() -> {
      // so that its thread begins now
    });
  }

  private static ExecutorService threads(String name, KernelPriority priority) {
    ThreadFactory plain = Thread.ofPlatform().daemon().name(name, 0).factory();
    return Executors.newCachedThreadPool(work ->
        plain.newThread(() -> {
          priority.take();
          work.run();
        }));
  }

  /** Work, the thread that does it, and what comes of it. */
  private final class Call<T> {
    private final Supplier<T> work;
    private final Predicate<T> counts;
    private final CompletableFuture<T> end = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Thread thread;
    private long chargedTo;

    Call(Supplier<T> work, Predicate<T> counts) {
      this.work = work;
      this.counts = counts;
    }

    void run() {
      chargedTo = processor.getAsLong();
      at(Thread.currentThread());
      current.set(this);
      try {
        T made = work.get();
        ended(counts.test(made));
        relay.execute(() -> end.complete(made));
      } catch (RuntimeException | Error e) {
        ended(true);
        relay.execute(() -> end.completeExceptionally(e));
      }
    }

    private void ended(boolean counted) {
      current.remove();
      at(null);
      if (counted) {
        charge();
      }
    }

    /** Only the thread that does the work. */
    void charge() {
      long now = processor.getAsLong();
      charge.accept(now - chargedTo);
      chargedTo = now;
    }

    /** Clears the interrupt flag, so that the next task does not see it. */
    private void at(@Nullable Thread now) {
      lock.lock();
      try {
        thread = now;
        if (now == null) {
          Thread.interrupted();
        }
      } finally {
        lock.unlock();
      }
    }

    void interrupt() {
      lock.lock();
      try {
        Thread running = thread;
        if (running != null) {
          running.interrupt();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Has work done and waits for its end, also when interrupted: the work is interrupted then.
   *
   * @throws RuntimeException what the work threw
   */
  public <T> T call(Supplier<T> work) {
    return call(work, made -> true);
  }

  /**
   * Does work that may turn out not to belong to a query.
   *
   * @param counts whether what came of it says that the time is to be charged
   */
  public <T> T call(Supplier<T> work, Predicate<T> counts) {
    Call<T> call = new Call<>(work, counts);
    boolean low = isolated.getAsBoolean();
    if (low && compilerIsLow.compareAndSet(false, true)) {
      // most of what it does from now on is generated code of queries
      KernelPriority.lowerCompiler();
    }
    (low ? lowThreads : equalThreads).execute(call::run);
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return call.end.get();
        } catch (InterruptedException e) {
          interrupted = true;
          call.interrupt();
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException known) {
        throw known;
      }
      throw AlraiException.causeOf(e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Waits while queries have spent more than they may, the calling thread's work so far included.
   * To be called now and then by work of {@link #call} that takes long.
   *
   * @param cancellation ends the wait
   * @throws AlraiException 1317 when the query is to end
   */
  public void pace(Cancellation cancellation) {
    Call<?> call = current.get();
    if (call != null) {
      call.charge();
    }
    long nanos = debt.getAsLong();
    while (nanos > 0 && !Thread.currentThread().isInterrupted()) {
      cancellation.check();
      LockSupport.parkNanos(Math.min(nanos, LOOK_NANOS));
      nanos = debt.getAsLong();
    }
  }

  /** No more work is taken; what is under way ends by itself, as daemons do. */
  @Override
  public void close() {
    equalThreads.shutdown();
    lowThreads.shutdown();
  }
}
