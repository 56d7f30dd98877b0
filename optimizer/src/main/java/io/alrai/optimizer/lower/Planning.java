package io.alrai.optimizer.lower;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.Literals;
import io.alrai.optimizer.bind.Names;
import io.alrai.optimizer.shardsql.SessionMentions;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.SourceText;

/**
 * What the planning of one statement works with. One thread.
 *
 * @param text the shape, cut into tokens
 * @param edits the session's values put in, nothing else
 * @param mentionsSession whether there are any of those
 */
record Planning(
    ShapedStatement statement,
    Planner.Context context,
    SourceText text,
    Literals literals,
    TextEdits edits,
    boolean mentionsSession) {
  static Planning of(ShapedStatement statement, Planner.Context context, SourceText text) {
    TextEdits edits = new TextEdits(text);
    boolean mentions = SessionMentions.edit(text, edits);
    Literals literals = new Literals(statement, text.slots());
    return new Planning(statement, context, text, literals, edits, mentions);
  }

  Catalog catalog() {
    return context.catalog();
  }

  Analysis newAnalysis() {
    return new Analysis(new Names(context.catalog(), context.currentSchema()), literals);
  }

  /** Error 1235 with a sentence. */
  static AlraiException unsupported(String sentence) {
    return new AlraiException(
        ErrorCode.ER_NOT_SUPPORTED_YET, "This version of Alrai doesn't yet support " + sentence);
  }
}
