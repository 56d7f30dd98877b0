package io.alrai.optimizer.route;

import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Query.SelectItem;
import io.alrai.optimizer.syntax.SelectItems;
import io.alrai.optimizer.syntax.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Aliases for expressions that MySQL names by their text, where the text that a shard sees is not
 * the client's.
 */
public final class LabelEdits {
  private static final int LONGEST_ALIAS = 256;

  private LabelEdits() {}

  /** Whether the result has columns that are named by their text. */
  public static boolean areColumnsNamedByText(Query query) {
    return SelectItems.naming(query).stream().anyMatch(SelectItems::isNamedByText);
  }

  /** For a text whose result goes to the client as it is: all of its columns. */
  public static void ofWholeText(Planning planning, TextEdits edits) {
    if (edits.changes(new Span(0, planning.text().text().length()))) {
      apply(planning, edits, true);
    }
  }

  /** For a text whose result columns get their names later: those of inner queries. */
  public static void ofInnerQueries(Planning planning, TextEdits edits) {
    apply(planning, edits, false);
  }

  private static void apply(Planning planning, TextEdits edits, boolean outermostToo) {
    Set<Span> outermost = new HashSet<>();
    switch (planning.tree()) {
      case Statement.Select select -> spans(select.query(), outermost);
      case Statement.InsertQuery insert -> spans(insert.query(), outermost);
      case Statement.Update update -> {}
      case Statement.Delete delete -> {}
      case Statement.InsertValues values -> {}
    }
    List<SelectItem> items = SelectItems.of(planning.tree());
    for (int i = 0; i < items.size(); i++) {
      SelectItem item = items.get(i);
      boolean wanted = outermost.contains(item.span()) ? outermostToo : edits.changes(item.span());
      if (wanted && SelectItems.isNamedByText(item)) {
        List<Piece> pieces = new ArrayList<>(edits.of(item.span()).pieces());
        pieces.add(new Piece.Text(" AS " + Identifier.quote(label(planning, i, item))));
        edits.replace(item.span(), pieces.toArray(Piece[]::new));
      }
    }
  }

  private static void spans(Query query, Set<Span> spans) {
    SelectItems.naming(query).forEach(item -> spans.add(item.span()));
  }

  private static String label(Planning planning, int index, SelectItem item) {
    List<String> labels = planning.labels().get();
    planning.literals().depend();
    String label =
        index < labels.size() && !labels.get(index).isEmpty()
            ? labels.get(index)
            : planning.literals().source(item.span(), planning.text().text());
    return label.length() <= LONGEST_ALIAS ? label : label.substring(0, LONGEST_ALIAS).strip();
  }
}
