package io.alrai.testing;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** What the clusters of a JVM do, or did last, for a test that fails. Thread-safe. */
public final class ClusterStates {
  /** The most descriptions of closed clusters that are kept. */
  private static final int MOST_CLOSED = 4;

  /** A mysqld that is stopped does not answer. */
  private static final long PATIENCE_SECONDS = 5;

  private static final Map<Object, Supplier<String>> OPEN = new ConcurrentHashMap<>();
  private static final Deque<String> CLOSED = new ArrayDeque<>();

  private ClusterStates() {}

  static void opened(Object cluster, Supplier<String> description) {
    OPEN.put(cluster, description);
  }

  /** It is about to be closed: its description is kept. */
  static void closing(Object cluster) {
    Supplier<String> description = OPEN.remove(cluster);
    if (description != null) {
      String last = within(description);
      synchronized (CLOSED) {
        CLOSED.addLast("closed: " + last);
        if (CLOSED.size() > MOST_CLOSED) {
          CLOSED.removeFirst();
        }
      }
    }
  }

  /** It is about to be closed, and has nothing to say afterwards. */
  static void forget(Object cluster) {
    OPEN.remove(cluster);
  }

  /** A test begins: what was closed before it was not its own. */
  public static void begin() {
    synchronized (CLOSED) {
      CLOSED.clear();
    }
  }

  /** The clusters that are open, and those that were closed since {@link #begin}. */
  public static List<String> all() {
    List<String> all = new ArrayList<>();
    synchronized (CLOSED) {
      all.addAll(CLOSED);
    }
    OPEN.values().forEach(description -> all.add("open: " + within(description)));
    return all;
  }

  private static String within(Supplier<String> description) {
    CompletableFuture<String> described = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            described.complete(description.get());
          } catch (RuntimeException e) {
            described.complete("not described: " + e);
          }
        });
    try {
      return described.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      return "not described within " + PATIENCE_SECONDS + " s";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "not described: interrupted";
    } catch (ExecutionException e) {
      return "not described: " + e.getCause();
    }
  }
}
