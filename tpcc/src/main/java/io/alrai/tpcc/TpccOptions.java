package io.alrai.tpcc;

import io.alrai.common.jdbc.MysqlEndpoint;
import java.time.Duration;
import java.util.Optional;

/**
 * All options of a load and a run.
 *
 * @param endpoint where
 * @param scale what to load; a run takes the scale that it finds loaded
 * @param load how to load
 * @param run how to run
 */
public record TpccOptions(MysqlEndpoint endpoint, TpccScale scale, Load load, Run run) {
  /**
   * How to load.
   *
   * @param threads connections that insert side by side
   * @param partitions partitions of each table, on Alrai
   * @param statementBytes text after which an INSERT ends
   * @param dialect empty: ask the server
   */
  public record Load(
      int threads, int partitions, int statementBytes, Optional<TpccDialect> dialect) {
    public Load {
      if (threads < 1 || partitions < 1 || statementBytes < 1) {
        throw new IllegalArgumentException("threads, partitions and statementBytes are positive");
      }
    }
  }

  /**
   * How to run.
   *
   * @param terminals connections, one transaction after the other on each
   * @param warmUp time before figures count
   * @param measure time in which they count
   * @param pace 0: no keying and thinking; 1: the specification's times; between: a fraction
   * @param seed of all random choices
   */
  public record Run(int terminals, Duration warmUp, Duration measure, double pace, long seed) {
    public Run {
      if (terminals < 1 || warmUp.isNegative() || !measure.isPositive() || pace < 0) {
        throw new IllegalArgumentException(
            "needs a terminal, time to measure, and no negative warm-up or pace");
      }
    }
  }

  /** One warehouse, eight terminals, 60 s after 5 s of warm-up, without thinking. */
  public static TpccOptions of(MysqlEndpoint endpoint) {
    return new TpccOptions(
        endpoint,
        TpccScale.specification(1),
        new Load(4, 4, 1 << 20, Optional.empty()),
        new Run(8, Duration.ofSeconds(5), Duration.ofSeconds(60), 0, 1));
  }

  /** A copy with another scale. */
  public TpccOptions withScale(TpccScale value) {
    return new TpccOptions(endpoint, value, load, run);
  }

  /** A copy with the specification's scale for this many warehouses. */
  public TpccOptions withWarehouses(int warehouses) {
    return withScale(TpccScale.specification(warehouses));
  }

  /** A copy with another way to load. */
  public TpccOptions withLoad(Load value) {
    return new TpccOptions(endpoint, scale, value, run);
  }

  /** A copy with this many partitions per table, on Alrai. */
  public TpccOptions withPartitions(int partitions) {
    return withLoad(new Load(load.threads, partitions, load.statementBytes, load.dialect));
  }

  /** A copy with another way to run. */
  public TpccOptions withRun(Run value) {
    return new TpccOptions(endpoint, scale, load, value);
  }

  /** A copy with this many terminals. */
  public TpccOptions withTerminals(int terminals) {
    return withRun(new Run(terminals, run.warmUp, run.measure, run.pace, run.seed));
  }

  /** A copy with other phases, in seconds. */
  public TpccOptions withSeconds(int warmUpSeconds, int measureSeconds) {
    return withRun(
        new Run(
            run.terminals,
            Duration.ofSeconds(warmUpSeconds),
            Duration.ofSeconds(measureSeconds),
            run.pace,
            run.seed));
  }

  /** A copy with another pace; see {@link Run}. */
  public TpccOptions withPace(double pace) {
    return withRun(new Run(run.terminals, run.warmUp, run.measure, pace, run.seed));
  }
}
