package io.alrai.executor.task;

import io.alrai.common.error.AlraiException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Whether a query is to end early. Any thread. */
public final class Cancellation {
  private final Queue<Runnable> listeners = new ConcurrentLinkedQueue<>();
  private volatile boolean cancelled;

  /** Ends the query: its tasks stop within a few milliseconds. */
  public void cancel() {
    cancelled = true;
    listeners.forEach(Runnable::run);
  }

  /**
   * Has something done when the query is to end, or at once if it is already.
   *
   * @param listener on the thread that cancels; must not wait, may come several times
   */
  public void whenCancelled(Runnable listener) {
    listeners.add(listener);
    if (cancelled) {
      listener.run();
    }
  }

  /** A part that is cancelled with this, and may be cancelled alone. */
  public Cancellation part() {
    Cancellation part = new Cancellation();
    whenCancelled(part::cancel);
    return part;
  }

  /**
   * Throws if the query is to end.
   *
   * @throws AlraiException 1317
   */
  public void check() {
    if (cancelled) {
      throw AlraiException.interruption();
    }
  }
}
