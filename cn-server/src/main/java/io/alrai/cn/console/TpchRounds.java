package io.alrai.cn.console;

import io.alrai.tpch.TpchReport;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Rounds of TPC-H as a person reads them: the first one apart, in which plans are made, code is
 * generated and compiled, and nothing is in a cache yet. Pure.
 */
final class TpchRounds {
  private TpchRounds() {}

  /**
   * A line for each query, with one time of the first round and the median of the others.
   *
   * @param rounds in order, each of one round
   */
  static String text(List<TpchReport> rounds) {
    StringBuilder out = new StringBuilder();
    List<TpchReport> warm = rounds.subList(1, rounds.size());
    out.append(
        String.format(
            Locale.ROOT,
            "TPC-H, milliseconds: the first round is cold, the other %d are warm%n",
            warm.size()));
    out.append(String.format(Locale.ROOT, "%-5s %10s %10s %8s%n", "", "cold", "warm", "rows"));
    double coldTotal = 0;
    double warmTotal = 0;
    for (int i = 0; i < rounds.getFirst().queries().size(); i++) {
      int at = i;
      TpchReport.Query first = rounds.getFirst().queries().get(i);
      List<Duration> times =
          warm.stream().flatMap(round -> round.queries().get(at).times().stream()).toList();
      double cold = first.medianMillis();
      double median = new TpchReport.Query(first.number(), times, 0, List.of()).medianMillis();
      coldTotal += cold;
      warmTotal += median;
      out.append(line("q%02d".formatted(first.number()), cold, median))
          .append(String.format(Locale.ROOT, " %8d%n", first.rows()));
      rounds.stream()
          .flatMap(round -> round.queries().get(at).errors().stream())
          .forEach(error -> out.append("    ").append(error).append(System.lineSeparator()));
    }
    out.append(line("all", coldTotal, warmTotal)).append(System.lineSeparator());
    return out.toString();
  }

  private static String line(String name, double cold, double warm) {
    return String.format(Locale.ROOT, "%-5s %10.1f %10.1f", name, cold, warm);
  }
}
