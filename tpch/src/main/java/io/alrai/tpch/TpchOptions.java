package io.alrai.tpch;

import io.alrai.common.jdbc.MysqlEndpoint;
import java.util.Optional;

/**
 * All options of a load and a run.
 *
 * @param endpoint where
 * @param scaleFactor size of the data, 1 for about 1 GB; fractions down to 0.01 are for tests
 * @param load how to load
 * @param rounds how often to run the 22 queries
 */
public record TpchOptions(MysqlEndpoint endpoint, double scaleFactor, Load load, int rounds) {
  /**
   * How to load.
   *
   * @param threads connections that insert side by side
   * @param partitions partitions of each table, on Alrai
   * @param statementBytes text after which an INSERT ends
   * @param foreignKeyIndexes whether columns that point to other tables are indexed
   * @param dialect empty: ask the server
   */
  public record Load(
      int threads,
      int partitions,
      int statementBytes,
      boolean foreignKeyIndexes,
      Optional<TpchDialect> dialect) {
    public Load {
      if (threads < 1 || partitions < 1 || statementBytes < 1) {
        throw new IllegalArgumentException("threads, partitions and statementBytes are positive");
      }
    }
  }

  public TpchOptions {
    if (!(scaleFactor > 0) || rounds < 1) {
      throw new IllegalArgumentException("scale factor and rounds are positive");
    }
  }

  /** Scale factor 0.01, indexes, one round. */
  public static TpchOptions of(MysqlEndpoint endpoint) {
    return new TpchOptions(endpoint, 0.01, new Load(4, 4, 1 << 20, true, Optional.empty()), 1);
  }

  /** A copy with another scale factor. */
  public TpchOptions withScaleFactor(double value) {
    return new TpchOptions(endpoint, value, load, rounds);
  }

  /** A copy with another way to load. */
  public TpchOptions withLoad(Load value) {
    return new TpchOptions(endpoint, scaleFactor, value, rounds);
  }

  /** A copy with this many partitions per table, on Alrai. */
  public TpchOptions withPartitions(int partitions) {
    return withLoad(
        new Load(
            load.threads, partitions, load.statementBytes, load.foreignKeyIndexes, load.dialect));
  }

  /** A copy with this many rounds. */
  public TpchOptions withRounds(int value) {
    return new TpchOptions(endpoint, scaleFactor, load, value);
  }
}
