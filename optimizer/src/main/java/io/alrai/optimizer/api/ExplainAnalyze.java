package io.alrai.optimizer.api;

import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.api.Planned.Verb;
import java.util.regex.Pattern;

/** EXPLAIN ANALYZE, which runs the SELECT that it is about. Stateless. */
public final class ExplainAnalyze {
  private static final Pattern WORDS =
      Pattern.compile("^\\s*\\w+\\s+ANALYZE\\b", Pattern.CASE_INSENSITIVE);

  private ExplainAnalyze() {}

  /** Whether a statement begins with it. */
  public static boolean begins(String text) {
    return WORDS.matcher(text).find();
  }

  /** Whether it runs a SELECT over rows. */
  public static boolean runs(AdminStatement.ExplainOnShard explain) {
    return explain.explained() instanceof Planned.Work.Data(Verb verb, _)
        && verb == Verb.SELECT
        && explain.sql().pieces().getFirst() instanceof SqlTemplate.Piece.Text(String words)
        && begins(words);
  }
}
