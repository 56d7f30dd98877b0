package io.alrai.optimizer.api.inspect;

import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.parse.ExplainText;
import java.util.Optional;

/**
 * EXPLAIN of a statement, cut in two.
 *
 * @param prefix EXPLAIN and its options, less INTO and comments, with a blank at the end
 * @param statement what is explained; its slots have the numbers that they have in the whole
 */
public record ExplainedStatement(String prefix, ShapedText statement) {
  /** Cuts; empty when it is no EXPLAIN of a statement. */
  public static Optional<ExplainedStatement> of(ShapedStatement explain, Planner.Context context) {
    return ExplainText.of(explain, context)
        .map(text -> new ExplainedStatement(text.prefix(), text.statement()));
  }
}
