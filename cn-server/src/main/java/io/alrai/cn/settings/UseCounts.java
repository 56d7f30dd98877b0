package io.alrai.cn.settings;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** What a CN counts of its clients since its start. Thread-safe. */
public final class UseCounts {
  private final LongAdder[] statements;
  private final LongSupplier wallMillis;
  private final long startedMillis;
  private final LongAdder connections = new LongAdder();
  private volatile Most most;

  /**
   * The most sessions at one time.
   *
   * @param sinceMillis when there were so many, in milliseconds since 1970
   */
  public record Most(int sessions, long sinceMillis) {}

  /** Counts of a CN that starts now. */
  public UseCounts(LongSupplier wallMillis) {
    this.wallMillis = wallMillis;
    this.startedMillis = wallMillis.getAsLong();
    this.most = new Most(0, startedMillis);
    this.statements =
        Stream.generate(LongAdder::new)
            .limit(CountedStatement.values().length)
            .toArray(LongAdder[]::new);
  }

  void began(CountedStatement kind) {
    statements[kind.ordinal()].increment();
  }

  /** A client comes. */
  public void connected() {
    connections.increment();
  }

  /** A session has begun. */
  public synchronized void sessions(int now) {
    if (now > most.sessions()) {
      most = new Most(now, wallMillis.getAsLong());
    }
  }

  /** How many of a kind. */
  public long count(CountedStatement kind) {
    return statements[kind.ordinal()].sum();
  }

  /** How many clients have come, whether they were let in or not. */
  public long connections() {
    return connections.sum();
  }

  /** The most sessions at one time. */
  public Most most() {
    return most;
  }

  /** For how long the CN has served. */
  public long seconds() {
    return Math.max(1, (wallMillis.getAsLong() - startedMillis) / 1000);
  }
}
