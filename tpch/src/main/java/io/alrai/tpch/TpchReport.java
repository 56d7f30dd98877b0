package io.alrai.tpch;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Times of a run.
 *
 * @param rounds how often each query ran
 * @param queries one entry per query
 */
public record TpchReport(int rounds, List<Query> queries) {
  /**
   * Times of one query.
   *
   * @param number 1 to 22
   * @param times of the rounds in which it succeeded, in order
   * @param rows rows of its last answer
   * @param errors messages of the rounds in which it failed
   */
  public record Query(int number, List<Duration> times, long rows, List<String> errors) {
    public Query {
      times = List.copyOf(times);
      errors = List.copyOf(errors);
    }

    /** The median time in milliseconds; 0 if it never succeeded. */
    public double medianMillis() {
      List<Duration> sorted = times.stream().sorted().toList();
      if (sorted.isEmpty()) {
        return 0;
      }
      int middle = sorted.size() / 2;
      double high = sorted.get(middle).toNanos() / 1e6;
      return sorted.size() % 2 == 1 ? high : (high + sorted.get(middle - 1).toNanos() / 1e6) / 2;
    }
  }

  public TpchReport {
    queries = List.copyOf(queries);
  }

  /** Failed executions of all queries. */
  public long errors() {
    return queries.stream().mapToLong(query -> query.errors().size()).sum();
  }

  /** The geometric mean of the medians of the queries that succeeded, in milliseconds. */
  public double geometricMeanMillis() {
    return Math.exp(
        queries.stream()
            .filter(query -> !query.times().isEmpty())
            .mapToDouble(query -> Math.log(Math.max(0.001, query.medianMillis())))
            .average()
            .orElse(0));
  }

  /** The sum of the medians in milliseconds. */
  public double totalMillis() {
    return queries.stream().mapToDouble(Query::medianMillis).sum();
  }

  /** The report for people; the first line is {@code geometric-mean-ms N}. */
  public String text() {
    StringBuilder out = new StringBuilder();
    out.append(String.format(Locale.ROOT, "geometric-mean-ms %.2f%n", geometricMeanMillis()));
    out.append(String.format(Locale.ROOT, "total-ms %.2f, rounds %d%n", totalMillis(), rounds));
    for (Query query : queries) {
      out.append(
          String.format(
              Locale.ROOT,
              "q%02d %10.2f ms %7d rows%n",
              query.number(),
              query.medianMillis(),
              query.rows()));
      query.errors().forEach(error -> out.append("    ").append(error).append('\n'));
    }
    return out.toString();
  }
}
