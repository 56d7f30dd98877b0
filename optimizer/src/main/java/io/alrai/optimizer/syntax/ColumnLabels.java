package io.alrai.optimizer.syntax;

import io.alrai.optimizer.syntax.Query.SelectItem;
import java.util.ArrayList;
import java.util.List;

/** The names that MySQL gives to result columns: of an expression without alias its text. */
public final class ColumnLabels {
  /** Stands for an item that gives any number of columns: {@code *} or {@code t.*}. */
  public static final String STAR = "*";

  private ColumnLabels() {}

  /**
   * The names by the text of expressions, for the items of a SELECT's list in order; empty for an
   * item that is named otherwise, {@link #STAR} for one that is no single column.
   *
   * @param sql as the client sent it
   * @return empty when it is no SELECT
   */
  public static List<String> of(String sql, boolean ansiQuotes, boolean noBackslashEscapes) {
    try {
      Statement statement = StatementParser.parse(sql, ansiQuotes, noBackslashEscapes);
      return statement instanceof Statement.Select select
          ? SelectItems.naming(select.query()).stream().map(item -> of(item, sql)).toList()
          : List.of();
    } catch (SyntaxException e) {
      return List.of();
    }
  }

  private static String of(SelectItem item, String sql) {
    if (item.expr() instanceof Expr.Star) {
      return STAR;
    }
    return SelectItems.isNamedByText(item) ? item.expr().span().of(sql) : "";
  }

  /** The same for all items of all lists of a statement, in text order. */
  public static List<String> ofAll(String sql, boolean ansiQuotes, boolean noBackslashEscapes) {
    try {
      List<String> labels = new ArrayList<>();
      Statement statement = StatementParser.parse(sql, ansiQuotes, noBackslashEscapes);
      SelectItems.of(statement).forEach(item -> labels.add(of(item, sql)));
      return labels;
    } catch (SyntaxException e) {
      return List.of();
    }
  }
}
