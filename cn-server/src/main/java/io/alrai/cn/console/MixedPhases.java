package io.alrai.cn.console;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A TPC-C run cut into phases: alone, then beside analytical work in each of its modes, and alone
 * again after each. Not thread-safe.
 */
final class MixedPhases {
  private static final int WINDOW_SECONDS = 5;

  /** Seconds of a phase alone in which the last query may still be at work. */
  private static final int SETTLE_SECONDS = 2;

  private static final double MINUTE = 60;

  /**
   * How analytical work runs.
   *
   * @param settings global variables that are set before
   */
  record Mode(String name, List<String> settings) {
    /** Isolation off, on, and on with half a processor. */
    static final List<Mode> ALL =
        List.of(
            new Mode("off", List.of("ap_isolation = OFF", "ap_cpu_quota = 0")),
            new Mode("on", List.of("ap_isolation = ON", "ap_cpu_quota = 0")),
            new Mode("quota-50", List.of("ap_isolation = ON", "ap_cpu_quota = 50")));
  }

  private final int warmUpSeconds;
  private final int phaseSeconds;
  private final List<Long> newOrders = new ArrayList<>();

  MixedPhases(int warmUpSeconds, int phaseSeconds) {
    if (phaseSeconds < WINDOW_SECONDS + SETTLE_SECONDS) {
      throw new IllegalArgumentException(
          "a phase is at least " + (WINDOW_SECONDS + SETTLE_SECONDS) + " s");
    }
    this.warmUpSeconds = warmUpSeconds;
    this.phaseSeconds = phaseSeconds;
  }

  /**
   * Seconds after the warm-up: each mode has a phase alone before it, and the last one also after
   * it.
   */
  int measuredSeconds() {
    return phaseSeconds * (2 * Mode.ALL.size() + 1);
  }

  /** A second has passed, with so many new orders. */
  void second(long orders) {
    newOrders.add(orders);
  }

  /** The number of the phase that begins now; -1 within one. Even phases are alone. */
  int begins() {
    int second = newOrders.size() - warmUpSeconds;
    boolean begins = second >= 0 && second < measuredSeconds() && second % phaseSeconds == 0;
    return begins ? second / phaseSeconds : -1;
  }

  /** The mode of an odd phase. */
  static Mode mode(int phase) {
    return Mode.ALL.get(phase / 2);
  }

  /** One line for each figure: name, value, unit, baseline, ratio. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < Mode.ALL.size(); i++) {
      int phase = 2 * i + 1;
      double alone = (mean(phase - 1) + mean(phase + 1)) / 2;
      double worstAlone = Math.min(worst(phase - 1), worst(phase + 1));
      String name = "mixed-" + Mode.ALL.get(i).name();
      lines.add(line(name, mean(phase), alone));
      lines.add(line(name + "-worst-5s", worst(phase), alone));
      lines.add(line(name + "-alone-worst-5s", worstAlone, alone));
    }
    return lines;
  }

  /** One line for each phase, for people. */
  List<String> phases() {
    List<String> lines = new ArrayList<>();
    for (int phase = 0; phase <= 2 * Mode.ALL.size(); phase++) {
      String name = phase % 2 == 0 ? "alone" : mode(phase).name();
      lines.add(
          String.format(
              Locale.ROOT, "%-9s %.0f tpmC, worst 5 s %.0f", name, mean(phase), worst(phase)));
    }
    return lines;
  }

  private static String line(String name, double tpmC, double alone) {
    return String.format(Locale.ROOT, "%s %.0f tpmC %.0f %.3f", name, tpmC, alone, tpmC / alone);
  }

  /** What is counted of a phase: all of those beside analytical work. */
  private List<Long> seconds(int phase) {
    int from = warmUpSeconds + phase * phaseSeconds;
    return newOrders.subList(
        from + (phase % 2 == 0 ? SETTLE_SECONDS : 0),
        Math.min(newOrders.size(), from + phaseSeconds));
  }

  private double mean(int phase) {
    return seconds(phase).stream().mapToLong(Long::longValue).average().orElse(0) * MINUTE;
  }

  private double worst(int phase) {
    List<Long> seconds = seconds(phase);
    double worst = Double.MAX_VALUE;
    for (int from = 0; from + WINDOW_SECONDS <= seconds.size(); from++) {
      List<Long> window = seconds.subList(from, from + WINDOW_SECONDS);
      worst = Math.min(worst, window.stream().mapToLong(Long::longValue).average().orElse(0));
    }
    return worst * MINUTE;
  }
}
