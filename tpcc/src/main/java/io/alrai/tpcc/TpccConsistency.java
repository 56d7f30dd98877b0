package io.alrai.tpcc;

import io.alrai.common.jdbc.MysqlEndpoint;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The twelve consistency conditions (TPC-C 3.3.2.1 to 3.3.2.12). Each is one to three ordered
 * SELECTs on one table, compared here row by row as they stream in. Nothing else may write
 * meanwhile.
 */
public final class TpccConsistency {
  /**
   * What became of one condition.
   *
   * @param number 1 to 12, as in 3.3.2
   * @param rule the condition in words
   * @param compared keys that were compared
   * @param violations keys that break the condition
   * @param examples the first of them with their figures
   * @param took time from the first SELECT to the last row
   */
  public record Result(
      int number,
      String rule,
      long compared,
      long violations,
      List<String> examples,
      Duration took) {
    public Result {
      examples = List.copyOf(examples);
    }

    /** Whether the condition holds. */
    public boolean holds() {
      return violations == 0;
    }

    /** One line, more if there are violations. */
    public String text() {
      StringBuilder out = new StringBuilder();
      out.append("condition ").append(number).append(holds() ? " holds" : " FAILS");
      out.append(": ").append(rule).append(" (").append(compared).append(" compared, ");
      out.append(took.toMillis()).append(" ms)\n");
      if (!holds()) {
        out.append("  ").append(violations).append(" violations, such as\n");
        examples.forEach(example -> out.append("    ").append(example).append('\n'));
      }
      return out.toString();
    }
  }

  private final MysqlEndpoint endpoint;
  private final List<Condition> conditions;

  private TpccConsistency(MysqlEndpoint endpoint, TpccScale scale) {
    this.endpoint = endpoint;
    this.conditions = Conditions.of(scale);
  }

  /** Checks for the tables at this endpoint, at the scale found there. */
  public static TpccConsistency of(MysqlEndpoint endpoint) throws SQLException {
    try (Connection connection = endpoint.connect()) {
      return new TpccConsistency(endpoint, TpccScale.read(connection));
    }
  }

  /** Checks all twelve, in their order. */
  public List<Result> check() throws SQLException {
    List<Result> results = new ArrayList<>();
    for (int number = 1; number <= conditions.size(); number++) {
      results.add(check(number));
    }
    return results;
  }

  /** Checks one, from 1 to 12. */
  public Result check(int number) throws SQLException {
    return conditions.get(number - 1).check(endpoint);
  }
}
