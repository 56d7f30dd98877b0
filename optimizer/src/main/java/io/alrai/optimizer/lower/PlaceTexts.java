package io.alrai.optimizer.lower;

import io.alrai.executor.fragment.Plan.StatementText;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.ReshapedStatement;
import io.alrai.optimizer.bind.ReshapedStatement.CheckedTarget;
import io.alrai.optimizer.shardsql.NameEdits;
import io.alrai.optimizer.shardsql.TableNaming;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Span;
import java.util.List;

/**
 * A statement, or the query within one, as one place runs it.
 *
 * @param whole the statement's or query's span
 */
record PlaceTexts(Planning planning, Analysis analysis, Span whole) {
  /** The texts of the whole statement. */
  static PlaceTexts of(Planning planning, Analysis analysis) {
    return new PlaceTexts(planning, analysis, new Span(0, planning.text().text().length()));
  }

  /** The client's own text where nothing in it has to change. */
  StatementText pinned(TableNaming naming) {
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
  SqlTemplate named(TableNaming naming) {
    return edits(naming).of(whole);
  }

  /** The edits that put names that way. */
  TextEdits edits(TableNaming naming) {
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
