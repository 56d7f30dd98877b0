package io.alrai.cn.ddl.rule;

import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.cn.ddl.job.PlacementRules;
import io.alrai.cn.ddl.job.TableGroups;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.TableGroup;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Where a table without a clause most likely comes, as its text looks: the definition that the
 * mysqld makes of it decides, see {@link PlacementRules}.
 */
public enum LikelyPlacement {
  /** It has another unique key than the primary one. */
  SINGLE,

  /** Its primary key is an integer, and it has no other unique key. */
  INTEGER_KEY,

  /** Anything else. */
  UNKNOWN;

  private static final Set<String> INTEGERS =
      Set.of("TINYINT", "SMALLINT", "MEDIUMINT", "INT", "INTEGER", "BIGINT");

  /** By the text after the table's name. */
  static LikelyPlacement of(String body, DdlSession session) {
    TokenCursor tokens = new TokenCursor(body, session.ansiQuotes(), session.isWithoutEscapes());
    if (tokens.atEnd()
        || tokens.kind() != TokenKind.OPEN
        || tokens.kindAt(tokens.size() - 1) == TokenKind.BROKEN) {
      return UNKNOWN;
    }
    Set<String> integers = new HashSet<>();
    Optional<String> key = Optional.empty();
    boolean unique = false;
    int end;
    for (int from = 1; from < tokens.size(); from = end + 1) {
      end = tokens.endOfItem(from);
      if (from + 1 < end && isInteger(tokens, from)) {
        integers.add(folded(tokens, from));
      }
      for (int i = from; i < end; i++) {
        unique |= tokens.token(i).isWord("UNIQUE");
        if (tokens.seesAt(i, "PRIMARY", "KEY")) {
          key = Optional.of(keyColumn(tokens, from, i + 2, end));
        }
      }
      if (end < tokens.size() && tokens.kindAt(end) == TokenKind.CLOSE) {
        break;
      }
    }
    if (key.isEmpty()) {
      return UNKNOWN;
    }
    return unique ? SINGLE : integers.contains(key.get()) ? INTEGER_KEY : UNKNOWN;
  }

  private static boolean isInteger(TokenCursor tokens, int from) {
    return tokens.token(from).isName()
        && tokens.kindAt(from + 1) == TokenKind.WORD
        && INTEGERS.contains(tokens.token(from + 1).text().toUpperCase(Locale.ROOT));
  }

  /** The only column of a key, or that of the item; empty for several. */
  private static String keyColumn(TokenCursor tokens, int item, int after, int end) {
    if (after == end || tokens.kindAt(after) != TokenKind.OPEN) {
      boolean column = tokens.token(item).kind() == TokenKind.QUOTED || !isOfKeys(tokens, item);
      return column && tokens.token(item).isName() ? folded(tokens, item) : "";
    }
    boolean alone = after + 2 < end && tokens.kindAt(after + 2) == TokenKind.CLOSE;
    return alone && tokens.token(after + 1).isName() ? folded(tokens, after + 1) : "";
  }

  private static boolean isOfKeys(TokenCursor tokens, int item) {
    return tokens.seesAt(item, "PRIMARY") || tokens.seesAt(item, "CONSTRAINT");
  }

  private static String folded(TokenCursor tokens, int index) {
    return tokens.token(index).name().toLowerCase(Locale.ROOT);
  }

  /** The group of such tables in a schema, if there is one. */
  public Optional<TableGroup> group(Schema schema) {
    int count = schema.defaultPartitions();
    String signature =
        switch (this) {
          case UNKNOWN -> "";
          case SINGLE -> PlacementRules.SINGLE;
          case INTEGER_KEY ->
              count == 1
                  ? PlacementRules.SINGLE
                  : PlacementRules.ofIntegers(new Partitioning.Key(List.of(""), count));
        };
    return signature.isEmpty()
        ? Optional.empty()
        : TableGroups.find(schema, Optional.empty(), signature);
  }
}
