package io.alrai.optimizer.lower;

import io.alrai.executor.fragment.Plan.StatementText;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.shardsql.NameEdits;
import io.alrai.optimizer.shardsql.TableNaming;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Span;

/** The whole statement as one place runs it. */
record PlaceTexts(Planning planning, Analysis analysis) {
  /** The client's own text where nothing in it has to change. */
  StatementText pinned(TableNaming naming) {
    TextEdits edits = edits(naming);
    return edits.changes(whole())
        ? new StatementText.Rewritten(edits.of(whole()))
        : new StatementText.Verbatim();
  }

  /** The text with its names put that way. */
  SqlTemplate named(TableNaming naming) {
    return edits(naming).of(whole());
  }

  /** The edits that put names that way. */
  TextEdits edits(TableNaming naming) {
    TextEdits edits = planning.edits().copy();
    NameEdits.apply(analysis, planning.literals(), edits, naming);
    return edits;
  }

  private Span whole() {
    return new Span(0, planning.text().text().length());
  }
}
