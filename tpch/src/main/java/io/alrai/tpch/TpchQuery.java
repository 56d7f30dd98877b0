package io.alrai.tpch;

import java.util.List;

/**
 * One of the 22 queries.
 *
 * @param number 1 to 22
 * @param sql its text, with the validation parameters
 * @param order what its ORDER BY says about the order of the rows
 */
public record TpchQuery(int number, String sql, Order order) {
  /** What a correct answer's order is. */
  public sealed interface Order {
    /** No two rows are equal in the ORDER BY columns: there is one correct order. */
    record Total() implements Order {}

    /**
     * Rows may be equal in the ORDER BY columns; these may then come in any order and, if they are
     * the last of as many rows as LIMIT allows, even others in their place.
     *
     * @param columns indexes of the ORDER BY columns in the row, from 0
     * @param limit rows that the query asks for at most
     */
    record Partial(List<Integer> columns, int limit) implements Order {
      public Partial {
        columns = List.copyOf(columns);
      }
    }
  }

  /** The name of its file and in reports, e.g. {@code q07}. */
  public String name() {
    return "q%02d".formatted(number);
  }
}
