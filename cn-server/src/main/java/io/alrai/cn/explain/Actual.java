package io.alrai.cn.explain;

import io.alrai.cn.trace.TraceStep;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;

/**
 * What running a step took, as a mysqld says it in EXPLAIN ANALYZE: times and rows are means over
 * the loops.
 *
 * @param firstMillis until the first row or the answer's begin
 * @param lastMillis until the last one
 */
record Actual(double firstMillis, double lastMillis, double rows, long loops) {
  private static final MathContext DIGITS = new MathContext(3);

  /** Of commands that did the same. */
  static Actual of(List<TraceStep> commands) {
    double first = 0;
    double last = 0;
    double rows = 0;
    for (TraceStep command : commands) {
      Long whole = command.micros();
      Long begin = command.firstMicros();
      last += whole == null ? 0 : whole / 1e3;
      first += begin == null ? 0 : begin / 1e3;
      rows += command.rows();
    }
    int loops = commands.size();
    return new Actual(first / loops, last / loops, rows / loops, loops);
  }

  /** In the words of a mysqld. */
  String text() {
    return "(actual time="
        + digits(firstMillis)
        + ".."
        + digits(lastMillis)
        + " rows="
        + digits(rows)
        + " loops="
        + loops
        + ")";
  }

  /** As members of an object. */
  String json() {
    return "\"actual_first_row_ms\": "
        + digits(firstMillis)
        + ", \"actual_last_row_ms\": "
        + digits(lastMillis)
        + ", \"actual_rows\": "
        + digits(rows)
        + ", \"actual_loops\": "
        + loops;
  }

  /** Whole numbers as they are, others with three digits. */
  private static String digits(double number) {
    return number == Math.rint(number)
        ? Long.toString((long) number)
        : new BigDecimal(number).round(DIGITS).stripTrailingZeros().toPlainString();
  }
}
