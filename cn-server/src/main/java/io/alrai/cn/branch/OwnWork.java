package io.alrai.cn.branch;

import io.alrai.executor.task.Cancellation;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the CN itself computes for a session's statement, so that KILL and the client's leaving end
 * it. Thread-safe.
 */
public final class OwnWork {
  /** Whose work a thread does. */
  private static final ScopedValue<OwnWork> OF_THREAD = ScopedValue.newInstance();

  private final Set<Registration> running = ConcurrentHashMap.newKeySet();

  /** A piece of work that KILL can end. */
  public final class Registration implements AutoCloseable {
    private final Runnable end;

    private Registration(Runnable end) {
      this.end = end;
    }

    @Override
    public void close() {
      running.remove(this);
    }
  }

  /** Runs a session's work: what it begins deep below knows whose it is. */
  public void whileRunning(Runnable work) {
    ScopedValue.where(OF_THREAD, this).run(work);
  }

  /** Whose work this thread does, where it is a session's. */
  public static Optional<OwnWork> ofThisThread() {
    return OF_THREAD.isBound() ? Optional.of(OF_THREAD.get()) : Optional.empty();
  }

  /**
   * Work begins.
   *
   * @param end ends it; any thread, must not wait, may come several times
   */
  public Registration begin(Runnable end) {
    Registration registration = new Registration(end);
    running.add(registration);
    return registration;
  }

  /**
   * Does something that KILL, and the client's leaving, end.
   *
   * @param work gets what ends it
   */
  public <T> T run(Function<Cancellation, T> work) {
    Cancellation cancellation = new Cancellation();
    try (Registration _ = begin(cancellation::cancel)) {
      return work.apply(cancellation);
    }
  }

  /**
   * Does something on the calling thread that waits, but changes nothing after a wait that fails:
   * KILL, and the client's leaving, interrupt the thread meanwhile. The interrupt flag is clear
   * afterwards.
   */
  public <T> T interruptibly(Supplier<T> work) {
    Interrupting interrupting = new Interrupting();
    try (Registration _ = begin(interrupting::interrupt)) {
      return work.get();
    } finally {
      interrupting.over();
    }
  }

  /** The interrupts of one thread's work; none comes after its end. */
  private static final class Interrupting {
    private @Nullable Thread thread = Thread.currentThread();
    private boolean interrupted;

    synchronized void interrupt() {
      Thread working = thread;
      if (working != null) {
        interrupted = true;
        working.interrupt();
      }
    }

    synchronized void over() {
      thread = null;
      if (interrupted) {
        Thread.interrupted();
      }
    }
  }

  /**
   * Ends all that is at work.
   *
   * @return whether there was something
   */
  public boolean end() {
    boolean found = false;
    for (Registration registration : running) {
      registration.end.run();
      found = true;
    }
    return found;
  }
}
