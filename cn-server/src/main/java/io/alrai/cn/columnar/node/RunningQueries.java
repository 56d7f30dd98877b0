package io.alrai.cn.columnar.node;

import io.alrai.cn.columnar.wire.NodeMessages;
import io.alrai.executor.timeslice.SliceScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The queries that this node runs, and how far each has come, for the CNs that asked for them.
 * Thread-safe.
 */
final class RunningQueries {
  private final Map<Long, Query> queries = new ConcurrentHashMap<>();

  /** A query at work. */
  final class Query implements AutoCloseable {
    private final long id;
    private final AtomicLong batches = new AtomicLong();
    private volatile Optional<SliceScheduler.Account> account = Optional.empty();

    private Query(long id) {
      this.id = id;
    }

    /** It has had its turn, and its time goes there. */
    void begins(SliceScheduler.Account itsTime) {
      account = Optional.of(itsTime);
    }

    /** A batch of its rows was taken. */
    void sent() {
      batches.incrementAndGet();
    }

    /** Until it begins, it waits for its turn and for other nodes, which has bounds of its own. */
    NodeMessages.Step step() {
      Optional<SliceScheduler.Account> time = account;
      return new NodeMessages.Step(
          id, time.isEmpty(), time.map(SliceScheduler.Account::nanos).orElse(0L) + batches.get());
    }

    @Override
    public void close() {
      queries.remove(id, this);
    }
  }

  /** A query that was asked for; to be closed when it has ended. */
  Query begun(long id) {
    Query query = new Query(id);
    queries.put(id, query);
    return query;
  }

  /** How far those of them are that are known. */
  NodeMessages.Progress progress(NodeMessages.Running asked) {
    List<NodeMessages.Step> steps = new ArrayList<>();
    for (long id : asked.ids()) {
      Query query = queries.get(id);
      if (query != null) {
        steps.add(query.step());
      }
    }
    return new NodeMessages.Progress(steps);
  }
}
