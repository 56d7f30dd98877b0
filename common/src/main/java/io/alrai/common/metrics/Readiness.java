package io.alrai.common.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * Whether a process serves, for load balancers and for whoever waits until it does. Thread-safe;
 * what it asks must answer at once, on any thread.
 *
 * <pre>
 *   "it is starting" -> serves, as long as it has all that it needs -> "it is stopping"
 * </pre>
 */
public final class Readiness {
  private final List<Supplier<Optional<String>>> needs = new CopyOnWriteArrayList<>();
  private final List<Supplier<List<String>>> notes = new CopyOnWriteArrayList<>();
  private volatile Optional<String> hindrance = Optional.of("it is starting");

  /** What the process cannot serve without: a sentence while that is missing. */
  public void needs(Supplier<Optional<String>> need) {
    needs.add(need);
  }

  /** What is amiss, although the process serves: a sentence for each. */
  public void notes(Supplier<List<String>> more) {
    notes.add(more);
  }

  /**
   * It has started.
   *
   * @return to be closed when it is to end: it serves what is there then, and wants nothing new
   */
  public AutoCloseable serves() {
    hindrance = Optional.empty();
    return () -> hindrance = Optional.of("it is stopping");
  }

  /** Why it does not serve, a sentence for each reason; empty when it does. */
  public List<String> missing() {
    List<String> missing = new ArrayList<>();
    hindrance.ifPresent(missing::add);
    needs.forEach(need -> need.get().ifPresent(missing::add));
    return missing;
  }

  /** What is amiss besides. */
  List<String> amiss() {
    return notes.stream().flatMap(more -> more.get().stream()).toList();
  }
}
