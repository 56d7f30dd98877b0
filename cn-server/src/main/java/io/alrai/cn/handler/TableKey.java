package io.alrai.cn.handler;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An index of a table, and the order of the rows in it.
 *
 * @param name empty for the natural order of a table
 * @param parts its own
 * @param order the parts, then what rows with equal values are ordered by: no two rows are equal
 * @param hint how a SELECT is made to use it; may be empty
 * @param sorted whether it has an order: of others, no rows are read
 */
record TableKey(
    String name, List<KeyPart> parts, List<KeyPart> order, String hint, boolean sorted) {
  TableKey {
    parts = List.copyOf(parts);
    order = List.copyOf(order);
  }

  /** ORDER BY, from the first row on or from the last one. */
  String orderBy(boolean forward) {
    return order.stream()
        .map(part -> part.sql() + (part.descending() == forward ? " DESC" : ""))
        .collect(Collectors.joining(", "));
  }

  /** The condition of the rows whose first parts have these values. */
  String equal(List<String> values) {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      all.add(equal(order.get(i), values.get(i)));
    }
    return String.join(" AND ", all);
  }

  /**
   * The condition of the rows after those whose first parts have these values.
   *
   * @param forward whether after means later in the order
   * @param inclusive whether the rows with the values belong to them
   */
  String behind(List<String> values, boolean forward, boolean inclusive) {
    String condition = inclusive ? equal(order.get(values.size() - 1), values.getLast()) : "";
    for (int i = values.size() - 1; i >= 0; i--) {
      KeyPart part = order.get(i);
      String later = later(part, values.get(i), forward != part.descending());
      if (i == values.size() - 1) {
        condition = condition.isEmpty() ? later : "(" + later + " OR " + condition + ")";
      } else {
        condition = "(" + later + " OR " + equal(part, values.get(i)) + " AND " + condition + ")";
      }
    }
    return condition;
  }

  private static String equal(KeyPart part, String value) {
    return value.equals(KeyPart.NULL) ? part.sql() + " IS NULL" : part.sql() + " = " + value;
  }

  /** NULL is less than anything else. */
  private static String later(KeyPart part, String value, boolean larger) {
    if (value.equals(KeyPart.NULL)) {
      return larger ? part.sql() + " IS NOT NULL" : "FALSE";
    }
    if (larger) {
      return part.sql() + " > " + value;
    }
    String less = part.sql() + " < " + value;
    return part.nullable() ? "(" + less + " OR " + part.sql() + " IS NULL)" : less;
  }
}
