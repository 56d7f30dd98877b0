package io.alrai.cn.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs one step at many places: one place after the other on a DN, the DNs at the same time. Always
 * waits for all; a DN stops at its first error. An interrupt of who waits interrupts all.
 */
final class ParallelSteps {
  /** So many places of a DN at once. */
  private static final int LANES = 4;

  private final Executor executor;

  ParallelSteps(Executor executor) {
    this.executor = executor;
  }

  /**
   * Runs the step everywhere.
   *
   * @throws RuntimeException the first error by the order of places; 1317 when it was interrupted
   */
  void at(List<Place> places, Consumer<Place> step) {
    await(begin(places, 1, step));
  }

  /**
   * Runs the step everywhere, at several places of a DN at once: what makes or drops a table waits
   * for the disk most of the time, and a mysqld writes its log once for several of them.
   */
  void atOnce(List<Place> places, Consumer<Place> step) {
    await(begin(places, LANES, step));
  }

  /** Runs a step at places and, at the same time, another one at others. */
  void beside(
      List<Place> places, Consumer<Place> step, List<Place> others, Consumer<Place> beside) {
    List<OnDn> running = begin(places, 1, step);
    running.addAll(begin(others, 1, beside));
    await(running);
  }

  private List<OnDn> begin(List<Place> places, int lanes, Consumer<Place> step) {
    Map<DnId, List<Place>> byDn = new LinkedHashMap<>();
    places.forEach(place -> byDn.computeIfAbsent(place.dn(), dn -> new ArrayList<>()).add(place));
    List<OnDn> running = new ArrayList<>();
    for (List<Place> onDn : byDn.values()) {
      for (int lane = 0; lane < Math.min(lanes, onDn.size()); lane++) {
        running.add(new OnDn(everyNth(onDn, lane, lanes), step, executor));
      }
    }
    return running;
  }

  private static void await(List<OnDn> running) {
    Throwable first = null;
    boolean interrupted = false;
    for (OnDn each : running) {
      while (true) {
        try {
          each.done.get();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
          running.forEach(OnDn::interrupt);
        } catch (ExecutionException e) {
          first = first == null ? e.getCause() : first;
          break;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
      throw AlraiException.interruption();
    }
    if (first != null) {
      throw unchecked(first);
    }
  }

  private static List<Place> everyNth(List<Place> places, int first, int nth) {
    List<Place> chosen = new ArrayList<>();
    for (int i = first; i < places.size(); i += nth) {
      chosen.add(places.get(i));
    }
    return chosen;
  }

  private static RuntimeException unchecked(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException known ? known : new CompletionException(cause);
  }

  /** Places of one DN, one after the other. */
  private static final class OnDn {
    private final CompletableFuture<Void> done;

    /** While it is at work; under this object's lock, as what follows. */
    private @Nullable Thread thread;

    private boolean stopped;

    OnDn(List<Place> places, Consumer<Place> step, Executor executor) {
      done = CompletableFuture.runAsync(() -> run(places, step), executor);
    }

    private void run(List<Place> places, Consumer<Place> step) {
      try {
        for (Place place : places) {
          begins();
          step.accept(place);
        }
      } finally {
        ends();
      }
    }

    private synchronized void begins() {
      if (stopped) {
        throw AlraiException.interruption();
      }
      thread = Thread.currentThread();
    }

    private synchronized void ends() {
      thread = null;
    }

    synchronized void interrupt() {
      stopped = true;
      Thread working = thread;
      if (working != null) {
        working.interrupt();
      }
    }
  }
}
