package io.alrai.optimizer.api.planner;

import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.api.token.VariableNames;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.view.ReshapedStatement;
import java.util.List;

/** The clause INTO @a, @b of a query. */
final class IntoVariables {
  private IntoVariables() {}

  /**
   * The variables' names, in lower case and without {@code @}.
   *
   * @throws AlraiException 1235 for INTO OUTFILE and DUMPFILE, 1327 for what is no user variable
   */
  static List<String> names(Planning planning, Span into) {
    String text = into.of(planning.text().text());
    if (text.matches("(?is)INTO\\s+(OUTFILE|DUMPFILE).*")) {
      throw Planning.unsupported(
          "SELECT ... INTO OUTFILE; read the result with the client and write the file there");
    }
    TokenCursor tokens =
        new TokenCursor(
            text, planning.context().ansiQuotes(), planning.context().noBackslashEscapes());
    List<String> names = VariableNames.ofInto(tokens);
    tokens.expectEnd();
    return names;
  }

  /**
   * The statement with blanks in the clause's place, so that all else stays where it is; never
   * forwarded as the client sent it.
   */
  static Planning without(Planning planning, Span into) {
    String shape = planning.text().text();
    String blanked =
        shape.substring(0, into.start())
            + " ".repeat(into.end() - into.start())
            + shape.substring(into.end());
    Planning query =
        Planning.of(
            new ReshapedStatement(
                planning.statement(), blanked, ReshapedStatement.insertedIn(planning.statement())),
            planning.context(),
            planning.collations());
    query.edits().remove(into);
    return query;
  }
}
