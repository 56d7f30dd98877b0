package io.alrai.optimizer.api.planner;

import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.SyntaxError;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.view.ReshapedStatement;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** DO: its expressions as the list of a SELECT whose row nobody gets. */
final class DoExpressions {
  private static final Pattern DO = Pattern.compile("(?i)^\\s*DO\\b");
  private static final String SELECT = "SELECT";

  private DoExpressions() {}

  /** The SELECT; empty for another statement. */
  static Optional<ShapedStatement> asQuery(ShapedStatement statement) {
    Matcher found = DO.matcher(statement.shape());
    return found.find()
        ? Optional.of(new ReshapedStatement(statement, found.replaceFirst(SELECT)))
        : Optional.empty();
  }

  /**
   * Refuses what a SELECT may have beside its list.
   *
   * @param query the SELECT
   * @throws io.alrai.common.error.AlraiException 1064
   */
  static void check(Planning query, ShapedStatement statement, Planner.Context context) {
    if (outside(query.tree(), query.text().text()).isEmpty()) {
      return;
    }
    Matcher found = DO.matcher(statement.text());
    if (!found.find()) { // a comment stands before it
      throw SyntaxError.at(statement.text(), 0);
    }
    String sent = found.replaceFirst(SELECT);
    Statement tree =
        StatementParser.parse(sent, context.ansiQuotes(), context.noBackslashEscapes());
    int added = sent.length() - statement.text().length();
    throw SyntaxError.at(statement.text(), outside(tree, sent).orElse(added) - added);
  }

  /** Where the first word is that is not of the list. */
  private static Optional<Integer> outside(Statement tree, String text) {
    if (!(tree instanceof Statement.Select select)) {
      return Optional.of(0);
    }
    Query query = select.query();
    if (!(query.body() instanceof Query.Block block)) {
      return Optional.of(
              query.body() instanceof Query.SetOperation set ? set.left().span().end() : 0)
          .map(end -> word(text, end));
    }
    Span list = block.selection().span();
    int first = block.selection().items().getFirst().span().start();
    int before = word(text, list.start() + SELECT.length());
    if (before < first) {
      return Optional.of(before);
    }
    boolean more = query.span().end() > list.end() || query.into().isPresent();
    return more ? Optional.of(word(text, list.end())) : Optional.empty();
  }

  private static int word(String text, int from) {
    int at = from;
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at;
  }
}
