package io.alrai.tpch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Compares answers: decimals exactly, floating-point numbers within a tolerance, the order of rows
 * as far as the query orders them.
 */
public final class TpchAnswers {
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]+)?");

  private TpchAnswers() {}

  /**
   * Compares as bags of rows, without regard to order.
   *
   * @return empty if equal, else what differs first
   */
  public static Optional<String> compare(ResultRows a, ResultRows b) {
    return shape(a, b).or(() -> bags(a.rows(), b.rows()));
  }

  /**
   * Compares two answers to a query.
   *
   * @return empty if both can be right, else what differs first
   */
  public static Optional<String> compare(TpchQuery query, ResultRows a, ResultRows b) {
    return shape(a, b).or(() -> rows(query.order(), a.rows(), b.rows()));
  }

  /**
   * Compares an answer with the reference, whose column names are unknown.
   *
   * @return empty if the answer is right, else what differs first
   */
  public static Optional<String> compareWithReference(
      TpchQuery query, ResultRows answer, ResultRows reference) {
    return count(answer, reference).or(() -> rows(query.order(), answer.rows(), reference.rows()));
  }

  private static Optional<String> shape(ResultRows a, ResultRows b) {
    List<String> left = a.columns().stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    List<String> right = b.columns().stream().map(name -> name.toLowerCase(Locale.ROOT)).toList();
    return left.equals(right)
        ? count(a, b)
        : Optional.of("columns " + a.columns() + " and " + b.columns());
  }

  private static Optional<String> count(ResultRows a, ResultRows b) {
    return a.rows().size() == b.rows().size()
        ? Optional.empty()
        : Optional.of(a.rows().size() + " rows and " + b.rows().size());
  }

  private static Optional<String> rows(
      TpchQuery.Order order, List<List<Cell>> a, List<List<Cell>> b) {
    return switch (order) {
      case TpchQuery.Order.Total() -> inOrder(a, b);
      case TpchQuery.Order.Partial(List<Integer> columns, int limit) ->
          inOrder(keys(a, columns), keys(b, columns))
              .map(difference -> "in the ORDER BY columns, " + difference)
              .or(() -> bags(decided(a, columns, limit), decided(b, columns, limit)));
    };
  }

  private static List<List<Cell>> keys(List<List<Cell>> rows, List<Integer> columns) {
    return rows.stream().map(row -> columns.stream().map(row::get).toList()).toList();
  }

  /** The rows without those at the end that LIMIT may have chosen among equals. */
  private static List<List<Cell>> decided(List<List<Cell>> rows, List<Integer> columns, int limit) {
    if (rows.size() < limit) {
      return rows;
    }
    List<List<Cell>> keys = keys(rows, columns);
    int end = rows.size();
    while (end > 0 && matches(keys.get(end - 1), keys.getLast())) {
      end--;
    }
    return rows.subList(0, end);
  }

  private static Optional<String> inOrder(List<List<Cell>> a, List<List<Cell>> b) {
    for (int i = 0; i < a.size(); i++) {
      if (!matches(a.get(i), b.get(i))) {
        return Optional.of("row %d: %s and %s".formatted(i + 1, text(a.get(i)), text(b.get(i))));
      }
    }
    return Optional.empty();
  }

  /** Sorts both alike; rows could be sorted apart only if they differ within a tolerance. */
  private static Optional<String> bags(List<List<Cell>> a, List<List<Cell>> b) {
    if (a.size() != b.size()) {
      return Optional.of(a.size() + " rows and " + b.size() + " above the last tie");
    }
    return inOrder(sorted(a), sorted(b)).map(difference -> "sorted by all columns, " + difference);
  }

  private static List<List<Cell>> sorted(List<List<Cell>> rows) {
    List<List<Cell>> result = new ArrayList<>(rows);
    result.sort(TpchAnswers::compareRows);
    return result;
  }

  /** By texts and nulls first, which need no tolerance, then by numbers. */
  private static int compareRows(List<Cell> a, List<Cell> b) {
    for (int i = 0; i < a.size(); i++) {
      int order = fixedText(a.get(i)).compareTo(fixedText(b.get(i)));
      if (order != 0) {
        return order;
      }
    }
    for (int i = 0; i < a.size(); i++) {
      int order = Double.compare(number(a.get(i)), number(b.get(i)));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static String fixedText(Cell cell) {
    return isNumber(cell) ? "" : cell.text();
  }

  private static double number(Cell cell) {
    return isNumber(cell) ? Double.parseDouble(cell.text()) : 0;
  }

  private static boolean isNumber(Cell cell) {
    return switch (cell) {
      case Cell.Exact _, Cell.Approximate _ -> true;
      case Cell.Text(String value) -> NUMBER.matcher(value).matches();
      case Cell.Reference(String value) -> NUMBER.matcher(value).matches();
      case Cell.Null _ -> false;
    };
  }

  private static boolean matches(List<Cell> a, List<Cell> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!a.get(i).matches(b.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static String text(List<Cell> row) {
    return row.stream().map(Cell::text).collect(Collectors.joining(", ", "(", ")"));
  }
}
