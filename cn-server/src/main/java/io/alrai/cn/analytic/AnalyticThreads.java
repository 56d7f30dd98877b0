package io.alrai.cn.analytic;

import io.alrai.common.error.AlraiException;
import io.alrai.common.thread.KernelPriority;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Threads for what a query does beside its tasks: it is planned, waits, and its rows are sent. On
 * virtual threads it would keep the few carriers from statements that are short. Where analytical
 * work is isolated they have a low priority. Thread-safe.
 *
 * <p>A thread that is started inherits its starter's priority, and whoever wakes a virtual thread
 * may start a carrier: so the end of the work is told by a thread of normal priority.
 */
public final class AnalyticThreads implements AutoCloseable {
  private final BooleanSupplier isolated;
  private final LongSupplier processor;
  private final LongConsumer charge;
  private final AtomicBoolean compilerIsLow = new AtomicBoolean();
  private final ExecutorService equalThreads = threads("ap-equal-session-", KernelPriority.NORMAL);
  private final ExecutorService lowThreads = threads("ap-session-", KernelPriority.LOW);
  private final ExecutorService relay =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("ap-relay").factory());

  /**
   * None yet. To be called by a thread of normal priority.
   *
   * @param isolated whether they have a low priority
   * @param processor nanoseconds that the calling thread has had
   * @param charge takes the nanoseconds that were spent here
   */
  public AnalyticThreads(BooleanSupplier isolated, LongSupplier processor, LongConsumer charge) {
    this.isolated = isolated;
    this.processor = processor;
    this.charge = charge;
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
    private final CompletableFuture<T> end = new CompletableFuture<>();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Thread thread;

    Call(Supplier<T> work) {
      this.work = work;
    }

    void run() {
      long start = processor.getAsLong();
      at(Thread.currentThread());
      try {
        T made = work.get();
        ended(start);
        relay.execute(() -> end.complete(made));
      } catch (RuntimeException | Error e) {
        ended(start);
        relay.execute(() -> end.completeExceptionally(e));
      }
    }

    private void ended(long start) {
      at(null);
      charge.accept(processor.getAsLong() - start);
    }

    /** Behind the work no interrupt of it is left to the next. */
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
    Call<T> call = new Call<>(work);
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

  /** No more work is taken; what is under way ends by itself, as daemons do. */
  @Override
  public void close() {
    equalThreads.shutdown();
    lowThreads.shutdown();
  }
}
