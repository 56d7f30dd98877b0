package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.gms.api.DdlJob.Target;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.api.token.TokenCursor.Token;
import java.util.HashSet;
import java.util.Set;

/**
 * The tables that a definition's foreign keys refer to. They are targets of its job, so that
 * whether others refer to a table does not change while a job works on it.
 */
public final class ReferredTables {
  private ReferredTables() {}

  /**
   * Those of a text, which may be wrong.
   *
   * @param schema of the table that is defined
   */
  public static Set<Target> in(String text, String schema, DdlSession session) {
    TokenCursor tokens = new TokenCursor(text, session.ansiQuotes(), session.isWithoutEscapes());
    Set<Target> found = new HashSet<>();
    for (int i = 0; i + 1 < tokens.size(); i++) {
      Token first = tokens.token(i + 1);
      if (!tokens.token(i).isWord("REFERENCES") || !first.isName()) {
        continue;
      }
      boolean qualified =
          i + 3 < tokens.size()
              && tokens.kindAt(i + 2) == TokenKind.DOT
              && tokens.token(i + 3).isName();
      found.add(
          qualified
              ? new Target(first.name(), tokens.token(i + 3).name())
              : new Target(schema, first.name()));
    }
    return found;
  }
}
