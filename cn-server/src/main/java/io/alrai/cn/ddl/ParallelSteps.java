package io.alrai.cn.ddl;

import io.alrai.common.id.DnId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Runs one step at many places: one place after the other on a DN, the DNs at the same time. Always
 * waits for all; a DN stops at its first error.
 */
final class ParallelSteps {
  private final Executor executor;

  ParallelSteps(Executor executor) {
    this.executor = executor;
  }

  /**
   * Runs the step everywhere.
   *
   * @throws RuntimeException the first error by the order of places
   */
  void at(List<Place> places, Consumer<Place> step) {
    Map<DnId, List<Place>> byDn = new LinkedHashMap<>();
    places.forEach(place -> byDn.computeIfAbsent(place.dn(), dn -> new ArrayList<>()).add(place));
    List<CompletableFuture<Void>> running = new ArrayList<>();
    for (List<Place> onDn : byDn.values()) {
      running.add(CompletableFuture.runAsync(() -> onDn.forEach(step), executor));
    }
    CompletionException first = null;
    for (CompletableFuture<Void> each : running) {
      try {
        each.join();
      } catch (CompletionException e) {
        first = first == null ? e : first;
      }
    }
    if (first != null) {
      throw unwrapped(first);
    }
  }

  private static RuntimeException unwrapped(CompletionException wrapper) {
    Throwable cause = wrapper.getCause();
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException known ? known : wrapper;
  }
}
