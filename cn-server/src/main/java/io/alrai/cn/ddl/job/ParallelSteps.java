package io.alrai.cn.ddl.job;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs one step at many places: the DNs at the same time, on each one place after the other or, in
 * several lanes, a few at once. Always waits for all; a lane stops at its first error. An interrupt
 * of the waiting thread interrupts all.
 */
public final class ParallelSteps {
  /** How many places of a DN at once at most. */
  private static final int MOST_LANES = 4;

  private final Executor executor;

  public ParallelSteps(Executor executor) {
    this.executor = executor;
  }

  /**
   * Runs the step everywhere.
   *
   * @throws RuntimeException the error of the first DN, by the order of places, that has one; 1317
   *     when it was interrupted
   */
  void at(List<Place> places, Consumer<Place> step) {
    await(begin(places, 1, step));
  }

  /**
   * Runs the step everywhere, at several places of a DN at once: what makes or drops a table waits
   * for the disk most of the time, and a mysqld writes its log once for several of them.
   */
  void atOnce(List<Place> places, Consumer<Place> step) {
    await(begin(places, MOST_LANES, step));
  }

  /** Runs a step at places and, at the same time, another one at others: each as {@link #at}. */
  void beside(
      List<Place> places, Consumer<Place> step, List<Place> others, Consumer<Place> beside) {
    List<Lane> running = begin(places, 1, step);
    running.addAll(begin(others, 1, beside));
    await(running);
  }

  /** The results of some reads, which run at the same time. */
  <T> List<T> all(List<Supplier<T>> reads) {
    Map<Integer, T> results = new ConcurrentHashMap<>();
    List<Lane> running = new ArrayList<>();
    for (int i = 0; i < reads.size(); i++) {
      int at = i;
      running.add(new Lane(List.of(() -> results.put(at, reads.get(at).get())), executor));
    }
    await(running);
    return IntStream.range(0, reads.size()).mapToObj(results::get).toList();
  }

  /**
   * Runs some steps at the same time.
   *
   * @throws RuntimeException the error of the first of them that has one; 1317 when it was
   *     interrupted
   */
  void together(List<Runnable> steps) {
    await(steps.stream().map(step -> new Lane(List.of(step), executor)).toList());
  }

  private List<Lane> begin(List<Place> places, int lanes, Consumer<Place> step) {
    Map<DnId, List<Place>> byDn = new LinkedHashMap<>();
    places.forEach(place -> byDn.computeIfAbsent(place.dn(), dn -> new ArrayList<>()).add(place));
    List<Lane> running = new ArrayList<>();
    for (List<Place> onDn : byDn.values()) {
      for (int first = 0; first < Math.min(lanes, onDn.size()); first++) {
        running.add(new Lane(steps(everyNth(onDn, first, lanes), step), executor));
      }
    }
    return running;
  }

  private static void await(List<Lane> running) {
    Throwable first = null;
    boolean interrupted = false;
    for (Lane each : running) {
      while (true) {
        try {
          each.done.get();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
          running.forEach(Lane::interrupt);
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

  private static List<Runnable> steps(List<Place> places, Consumer<Place> step) {
    return places.stream().<Runnable>map(place -> () -> step.accept(place)).toList();
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

  /** Steps that come one after the other, such as those at places of one DN. */
  private static final class Lane {
    private final CompletableFuture<Void> done;

    /** While it is at work; under this object's lock, as what follows. */
    private @Nullable Thread thread;

    private boolean stopped;

    Lane(List<Runnable> steps, Executor executor) {
      done = CompletableFuture.runAsync(() -> run(steps), executor);
    }

    private void run(List<Runnable> steps) {
      try {
        for (Runnable step : steps) {
          begins();
          step.run();
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
