package io.alrai.cn.system;

import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.SystemTables;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** Queries that stand in place of system tables. Stateless. */
final class SystemTableText {
  /** Words after a table's name that are no alias. */
  private static final Set<String> NO_ALIAS =
      Set.of(
          "WHERE",
          "GROUP",
          "ORDER",
          "HAVING",
          "LIMIT",
          "UNION",
          "EXCEPT",
          "INTERSECT",
          "JOIN",
          "INNER",
          "LEFT",
          "RIGHT",
          "CROSS",
          "NATURAL",
          "STRAIGHT_JOIN",
          "ON",
          "USING",
          "FOR",
          "LOCK",
          "INTO",
          "WINDOW",
          "USE",
          "FORCE",
          "IGNORE",
          "QUALIFY");

  private SystemTableText() {}

  /**
   * The text with queries in place of tables.
   *
   * @param tokens of the text
   * @param sources the query for each schema and table; empty for those that stay
   */
  static String with(
      String text,
      TokenCursor tokens,
      String currentSchema,
      BiFunction<String, String, Optional<String>> sources) {
    List<SystemTables.Use> uses = SystemTables.usesIn(tokens);
    StringBuilder sql = new StringBuilder();
    boolean changed = false;
    int at = 0;
    int nextUse = 0;
    while (at < tokens.size()) {
      while (nextUse < uses.size() && uses.get(nextUse).from() < at) {
        nextUse++;
      }
      Optional<SystemTables.Use> use =
          nextUse < uses.size() && uses.get(nextUse).from() == at
              ? Optional.of(uses.get(nextUse))
              : Optional.empty();
      Optional<String> rows =
          use.flatMap(found ->
              sources.apply(found.name().schema().orElse(currentSchema), found.name().table()));
      if (rows.isPresent()) {
        changed = true;
        at = put(sql, tokens, use.get(), rows.get());
      } else if (qualifies(tokens, at)) {
        sql.append(' ');
        at += 2;
      } else {
        sql.append(tokens.touches(at) ? "" : " ").append(tokens.slice(at, at + 1));
        at++;
      }
    }
    return changed ? sql.toString() : text;
  }

  /** A query in a table's place, under the name that the statement knows it by. */
  private static int put(StringBuilder sql, TokenCursor tokens, SystemTables.Use use, String rows) {
    if (use.from() > 0 && tokens.seesAt(use.from() - 1, "TABLE")) {
      sql.setLength(sql.length() - "TABLE".length());
      sql.append("SELECT * FROM");
    }
    sql.append(" (").append(rows).append(')');
    if (!hasAlias(tokens, use.to())) {
      sql.append(" AS ").append(Identifier.quote(use.name().table()));
    }
    return use.to();
  }

  private static boolean hasAlias(TokenCursor tokens, int at) {
    if (tokens.kindAt(at) == TokenKind.QUOTED) {
      return true;
    }
    return tokens.kindAt(at) == TokenKind.WORD
        && !NO_ALIAS.contains(tokens.token(at).text().toUpperCase(Locale.ROOT));
  }

  /** {@code information_schema.t.c}: a subquery's columns have no schema. */
  private static boolean qualifies(TokenCursor tokens, int at) {
    return tokens.token(at).isName()
        && SystemTables.isSystemSchema(tokens.token(at).name())
        && tokens.kindAt(at + 1) == TokenKind.DOT
        && tokens.kindAt(at + 3) == TokenKind.DOT;
  }
}
