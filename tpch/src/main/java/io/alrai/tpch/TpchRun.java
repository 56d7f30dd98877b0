package io.alrai.tpch;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Runs the 22 queries one after the other on one connection, in rounds. */
public final class TpchRun {
  /** Hears of every execution. */
  @FunctionalInterface
  public interface Observer {
    /** Query {@code number} was answered in {@code round}, counted from 1. */
    void answered(int round, TpchQuery query, ResultRows rows, Duration took);
  }

  private final TpchOptions options;
  private final Observer observer;

  public TpchRun(TpchOptions options, Observer observer) {
    this.options = options;
    this.observer = observer;
  }

  /**
   * Blocks until all rounds have ended. A query that fails is reported, the others go on; after a
   * lost connection a new one is made.
   *
   * @throws SQLException if there is no connection to be had
   */
  public TpchReport run() throws SQLException {
    List<TpchReport.Query> figures = new ArrayList<>();
    List<TpchQuery> queries = TpchQueries.all();
    queries.forEach(
        query -> figures.add(new TpchReport.Query(query.number(), List.of(), 0, List.of())));
    Connection connection = options.endpoint().connect();
    try {
      for (int round = 1; round <= options.rounds(); round++) {
        for (int i = 0; i < queries.size(); i++) {
          if (!connection.isValid(10)) {
            connection.close();
            connection = options.endpoint().connect();
          }
          figures.set(i, run(connection, round, queries.get(i), figures.get(i)));
        }
      }
    } finally {
      connection.close();
    }
    return new TpchReport(options.rounds(), figures);
  }

  private TpchReport.Query run(
      Connection connection, int round, TpchQuery query, TpchReport.Query before) {
    List<Duration> times = new ArrayList<>(before.times());
    List<String> errors = new ArrayList<>(before.errors());
    long start = System.nanoTime();
    try {
      ResultRows rows = answer(connection, query);
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      times.add(took);
      observer.answered(round, query, rows, took);
      return new TpchReport.Query(query.number(), times, rows.rows().size(), errors);
    } catch (SQLException e) {
      errors.add("round %d: %d %s".formatted(round, e.getErrorCode(), e.getMessage()));
      return new TpchReport.Query(query.number(), times, before.rows(), errors);
    }
  }

  /** Runs one query and reads its whole answer. */
  public static ResultRows answer(Connection connection, TpchQuery query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(query.sql())) {
      return ResultRows.read(result);
    }
  }
}
