package io.alrai.optimizer.route;

import io.alrai.executor.fragment.Plan.StatementText;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.shardsql.NameEdits;
import io.alrai.optimizer.shardsql.TableNaming;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.view.ReshapedStatement;
import io.alrai.optimizer.view.ReshapedStatement.CheckedTarget;
import java.util.List;

/**
 * A statement, or the query within one, as one place runs it.
 *
 * @param whole the statement's or query's span
 */
public record PlaceTexts(Planning planning, Analysis analysis, Span whole) {
  /** The texts of the whole statement. */
  public static PlaceTexts of(Planning planning, Analysis analysis) {
    return new PlaceTexts(planning, analysis, new Span(0, planning.text().text().length()));
  }

  /** The client's own text where nothing in it has to change. */
  public StatementText pinned(TableNaming naming) {
    boolean isPart = whole.end() - whole.start() < planning.text().text().length();
    TextEdits edits = isPart ? edits(naming) : unlabelled(naming);
    if (!isPart) {
      LabelEdits.ofWholeText(planning, edits);
    }
    return isPart || edits.changes(whole)
        ? new StatementText.Rewritten(edits.of(whole))
        : new StatementText.Verbatim();
  }

  /** The text with its names put that way. */
  public SqlTemplate named(TableNaming naming) {
    return edits(naming).of(whole);
  }

  /** The edits that put names that way. */
  public TextEdits edits(TableNaming naming) {
    TextEdits edits = unlabelled(naming);
    LabelEdits.ofInnerQueries(planning, edits);
    return edits;
  }

  private TextEdits unlabelled(TableNaming naming) {
    TextEdits edits = planning.edits().copy();
    List<CheckedTarget> checked = ReshapedStatement.checkedIn(planning.statement());
    NameEdits.apply(
        analysis, edits, checked.isEmpty() ? naming : new CheckedNaming(naming, checked));
    return edits;
  }
}
