package io.alrai.gms.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.NodeId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CatalogCommand;
import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.SequenceRange;
import io.alrai.gms.api.node.ComputeNode;
import io.alrai.gms.catalog.CatalogState;
import io.alrai.gms.catalog.LeaderTime;
import io.alrai.gms.topology.Leases;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * A GMS without a log, for tests and tools: the same rules and refusals as the replicated one, but
 * everything is forgotten with the object. Thread-safe; listeners run on the submitter's thread.
 */
public final class LocalGms implements GmsService {
  private final LongSupplier wallMillis;

  @GuardedBy("this")
  private final List<Consumer<Catalog>> listeners = new ArrayList<>();

  @GuardedBy("this")
  private long timestamp;

  private volatile CatalogState state = CatalogState.EMPTY;

  /** An empty GMS by the system's clock. */
  public LocalGms() {
    this(System::currentTimeMillis);
  }

  /**
   * An empty GMS.
   *
   * @param wallMillis milliseconds since 1970, by which leases run out
   */
  public LocalGms(LongSupplier wallMillis) {
    this.wallMillis = wallMillis;
  }

  @Override
  public Catalog catalog() {
    return state.catalog();
  }

  @Override
  public synchronized void onChange(Consumer<Catalog> listener) {
    listeners.add(listener);
  }

  @Override
  public synchronized Catalog submit(CatalogCommand command) {
    CatalogState before = state;
    long now = wallMillis.getAsLong();
    CatalogState after = before.apply(LeaderTime.stamp(command, now, now));
    state = after;
    if (!after.catalog().equals(before.catalog())) {
      notifyAll();
      List.copyOf(listeners).forEach(listener -> listener.accept(after.catalog()));
    }
    return after.catalog();
  }

  @Override
  public void awaitCatalogEverywhere(long version) {
    await(version, _ -> false);
  }

  @Override
  public void awaitCatalogAtOthers(long version, NodeId self) {
    await(version, self::equals);
  }

  private synchronized void await(long version, Predicate<NodeId> known) {
    while (true) {
      long now = wallMillis.getAsLong();
      List<ComputeNode> behind =
          Leases.behind(catalog().computeNodes(), version, now).stream()
              .filter(node -> !known.test(node.id()))
              .toList();
      if (behind.isEmpty()) {
        return;
      }
      long firstEnd = behind.stream().mapToLong(ComputeNode::leaseUntilMillis).min().orElse(now);
      try {
        wait(Math.clamp(firstEnd - now, 1, 1000));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw AlraiException.interruption(e);
      }
    }
  }

  @Override
  public Map<String, Long> lastNumbers(Collection<String> sequences) {
    return state.lastNumbers(sequences);
  }

  @Override
  public synchronized SequenceRange reserve(String sequence, long count) {
    SequenceRange range = state.next(sequence, count);
    state = state.raise(sequence, range.last());
    return range;
  }

  @Override
  public synchronized void raise(String sequence, long value) {
    state = state.raise(sequence, value);
  }

  @Override
  public synchronized HlcTimestamp timestamps(int count) {
    long first = Math.max(timestamp + 1, HlcTimestamp.ofMillis(wallMillis.getAsLong()).value());
    timestamp = first + count - 1;
    return new HlcTimestamp(first);
  }

  @Override
  public void close() {
    // nothing is held
  }
}
