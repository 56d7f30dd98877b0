package io.alrai.optimizer.api.token;

import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.text.TokenKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Finds out whether a query reads the server's own schemas and nothing else. */
public final class SystemTables {
  private static final Set<String> SCHEMAS =
      Set.of("information_schema", "performance_schema", "mysql", "sys");

  /** Words that end a list of tables. */
  private static final Set<String> ENDS =
      Set.of(
          "WHERE",
          "GROUP",
          "HAVING",
          "ORDER",
          "LIMIT",
          "UNION",
          "EXCEPT",
          "INTERSECT",
          "WINDOW",
          "FOR",
          "INTO",
          "PROCEDURE",
          "LOCK",
          "SELECT");

  private static final Set<String> JOINS = Set.of("JOIN", "STRAIGHT_JOIN");

  private final TokenCursor tokens;
  private final List<Use> uses = new ArrayList<>();

  /** By name in small letters. */
  private final Map<String, List<CommonTable>> commonTables = new HashMap<>();

  private final Deque<Level> levels = new ArrayDeque<>();

  /** Whose query begins with the next parenthesis; empty for none. */
  private String common = "";

  /**
   * A table's name where a query reads it.
   *
   * @param from index of its first token
   * @param to index after its last token
   */
  public record Use(TableName name, int from, int to) {}

  /**
   * A common table expression, which is known within the level that its WITH stands in.
   *
   * @param as index of AS
   * @param body its own query, in which it is known only after RECURSIVE
   */
  private record CommonTable(int as, Level body, boolean isRecursive, Level level) {
    boolean isKnownAt(int at) {
      return at < level.to && at >= (isRecursive ? as : body.to);
    }
  }

  /** What is known inside one pair of parentheses. */
  private static final class Level {
    private int to = Integer.MAX_VALUE;
    private boolean isWith;
    private boolean isRecursive;
    private boolean isQuery;
    private boolean inTables;
    private boolean tableNext;
  }

  private SystemTables(TokenCursor tokens) {
    this.tokens = tokens;
  }

  /** Whether it is the name of a schema that MySQL itself owns. */
  public static boolean isSystemSchema(String name) {
    return SCHEMAS.contains(name.toLowerCase(Locale.ROOT));
  }

  /** Whether the query has tables and all are the server's own. */
  public static boolean areAllOf(TokenCursor query, String currentSchema) {
    if (!isSystemSchema(currentSchema) && !mentionsSystemSchema(query)) {
      return false;
    }
    List<Use> uses = usesIn(query);
    return !uses.isEmpty()
        && uses.stream().allMatch(use -> isSystemSchema(use.name().schema().orElse(currentSchema)));
  }

  /** The tables that a query reads, in text order, but for its common table expressions. */
  public static List<Use> usesIn(TokenCursor query) {
    SystemTables found = new SystemTables(query);
    found.collect();
    return found.uses.stream().filter(use -> !found.isCommon(use)).toList();
  }

  private boolean isCommon(Use use) {
    return use.name().schema().isEmpty()
        && commonTables.getOrDefault(folded(use.name().table()), List.of()).stream()
            .anyMatch(known -> known.isKnownAt(use.from()));
  }

  private static String folded(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private static boolean mentionsSystemSchema(TokenCursor query) {
    for (int i = 0; i < query.size(); i++) {
      if (query.token(i).isName()
          && query.kindAt(i + 1) == TokenKind.DOT
          && isSystemSchema(query.token(i).name())) {
        return true;
      }
    }
    return false;
  }

  private void collect() {
    levels.push(new Level());
    int at = 0;
    while (at < tokens.size()) {
      at = step(at, levels.getFirst());
    }
  }

  private int step(int at, Level level) {
    switch (tokens.kindAt(at)) {
      case OPEN -> {
        Level inner = new Level();
        inner.inTables = level.tableNext;
        inner.tableNext = level.tableNext;
        level.tableNext = false;
        levels.push(inner);
        if (!common.isEmpty()) {
          commonTables
              .computeIfAbsent(folded(common), name -> new ArrayList<>(1))
              .add(new CommonTable(at - 1, inner, level.isRecursive, level));
          common = "";
        }
      }
      case CLOSE -> {
        if (levels.size() > 1) {
          levels.pop().to = at;
        }
      }
      case COMMA -> level.tableNext = level.inTables;
      case WORD, QUOTED -> {
        return name(at, level);
      }
      default -> {}
    }
    return at + 1;
  }

  private int name(int at, Level level) {
    String word =
        tokens.kindAt(at) == TokenKind.WORD && tokens.kindAt(at - 1) != TokenKind.DOT
            ? tokens.token(at).text().toUpperCase(Locale.ROOT)
            : "";
    if (word.equals("AS") && level.isWith && tokens.kindAt(at + 1) == TokenKind.OPEN) {
      commonTable(at);
    } else if (word.equals("FOR") && isOfHint(at)) {
      return behindHint(at);
    } else if (word.equals("WITH") && !level.isQuery) {
      level.isWith = true;
      level.inTables = false;
      level.tableNext = false;
      level.isRecursive = tokens.seesAt(at + 1, "RECURSIVE");
    } else if (ENDS.contains(word)) {
      level.isQuery |= word.equals("SELECT");
      level.isWith &= !level.isQuery;
      level.inTables = false;
      level.tableNext = false;
    } else if (word.equals("FROM") && level.isQuery) {
      level.inTables = true;
      level.tableNext = true;
    } else if (word.equals("TABLE") && (at == 0 || !level.inTables || level.tableNext)) {
      level.tableNext = true;
    } else if (JOINS.contains(word) && level.inTables) {
      level.tableNext = true;
    } else if (level.tableNext && !word.equals("LATERAL")) {
      level.tableNext = false;
      return table(at);
    }
    return at + 1;
  }

  /** The name in front of {@code AS (} or {@code (columns) AS (}. */
  private void commonTable(int as) {
    int at = as - 1;
    if (tokens.kindAt(at) == TokenKind.CLOSE) {
      while (at >= 0 && tokens.kindAt(at) != TokenKind.OPEN) {
        at--;
      }
      at--;
    }
    if (at >= 0 && tokens.token(at).isName()) {
      common = tokens.token(at).name();
    }
  }

  /** {@code USE INDEX FOR ORDER BY (..)} stands within a list of tables. */
  private boolean isOfHint(int at) {
    return tokens.seesAt(at - 1, "INDEX") || tokens.seesAt(at - 1, "KEY");
  }

  private int behindHint(int at) {
    int next = at + 1;
    while (next < tokens.size() && tokens.kindAt(next) == TokenKind.WORD) {
      next++;
    }
    return next;
  }

  private int table(int at) {
    tokens.moveTo(at);
    TableName table = tokens.tableName();
    boolean function = tokens.kind() == TokenKind.OPEN && table.schema().isEmpty();
    if (!function && !table.table().equalsIgnoreCase("DUAL")) {
      uses.add(new Use(table, at, tokens.position()));
    }
    return tokens.position();
  }
}
