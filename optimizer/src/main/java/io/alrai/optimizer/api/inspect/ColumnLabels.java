package io.alrai.optimizer.api.inspect;

import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query.SelectItem;
import io.alrai.optimizer.syntax.SelectItems;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import java.util.ArrayList;
import java.util.List;

/** The names that MySQL gives to result columns: of an expression without alias its text. */
public final class ColumnLabels {
  /** Stands for an item that gives any number of columns: {@code *} or {@code t.*}. */
  public static final String STAR = "*";

  private ColumnLabels() {}

  /**
   * Names of the items of a SELECT's list.
   *
   * @param names in order; empty for an item that is named otherwise, {@link #STAR} for one that is
   *     no single column; none when the statement is no SELECT
   * @param end where the last item ends in the text
   */
  public record Labels(List<String> names, int end) {
    private static final Labels NONE = new Labels(List.of(), 0);

    public Labels {
      names = List.copyOf(names);
    }
  }

  /**
   * The names by the text of expressions.
   *
   * @param sql as the client sent it
   */
  public static Labels of(String sql, boolean ansiQuotes, boolean noBackslashEscapes) {
    try {
      Statement statement = StatementParser.parse(sql, ansiQuotes, noBackslashEscapes);
      if (!(statement instanceof Statement.Select select)) {
        return Labels.NONE;
      }
      List<SelectItem> items = SelectItems.naming(select.query());
      return new Labels(
          items.stream().map(item -> of(item, sql)).toList(),
          items.stream().mapToInt(item -> item.expr().span().end()).max().orElse(0));
    } catch (SyntaxException e) {
      return Labels.NONE;
    }
  }

  private static String of(SelectItem item, String sql) {
    if (item.expr() instanceof Expr.Star) {
      return STAR;
    }
    return SelectItems.isNamedByText(item) ? item.expr().span().of(sql) : "";
  }

  /** The labels of all items of all lists of a statement, in text order. */
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
