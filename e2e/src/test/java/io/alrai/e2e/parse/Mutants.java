package io.alrai.e2e.parse;

import io.alrai.testing.SqlToken;
import io.alrai.testing.SqlToken.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/**
 * Small changes of statements: blanks, comments, parentheses, introducers, hints, other forms of
 * literals and names, and words that are lost, doubled or exchanged.
 */
final class Mutants {
  private static final List<String> BLANKS = List.of(" ", "  ", "\t", "\n", "\r\n ");
  private static final List<String> COMMENTS =
      List.of("/* c */", "/**/", "/*! */", "/*!80000 */", "/*!99999 x */", "-- c\n", "# c ' \n");
  private static final List<String> NUMBERS =
      List.of(
          "0x41",
          "X'41'",
          "b'01'",
          "0b11",
          "-1",
          "- 1",
          "+2",
          ".5",
          "5.",
          "1e1",
          "1.5E-1",
          "007",
          "18446744073709551615",
          "_latin1 0x41",
          "_utf8mb4 x'41'",
          "_binary b'01'",
          "@v",
          "@@sql_notes",
          "NULL",
          "TRUE",
          "'1'",
          "\"1\"",
          "DATE '2020-01-01'",
          "(SELECT 1)",
          "((SELECT 1))",
          "((SELECT 1) * 2)",
          "(1)",
          "((1))",
          "1 + 1",
          "(SELECT 1 LIMIT 1)",
          "INTERVAL(1, 2)",
          "CASE WHEN 1 THEN 2 END",
          "DEFAULT");
  private static final List<String> INTRODUCERS =
      List.of("_utf8mb4", "_latin1 ", "_binary", "_ascii ", "_utf8mb3", "N", "n", "x");
  private static final List<String> HINTS =
      List.of(
          "/*+ NO_ICP(t) */",
          "/*+ MAX_EXECUTION_TIME(1000) */",
          "/*+ QB_NAME(q) */",
          "/*+ SET_VAR(sql_mode = '') */",
          "/*+ nonsense */",
          "/*+ */");
  private static final List<String> INDEX_HINTS =
      List.of(
          "USE INDEX (k)",
          "USE INDEX ()",
          "FORCE KEY (PRIMARY)",
          "IGNORE INDEX FOR JOIN (k)",
          "USE INDEX FOR ORDER BY (k) IGNORE KEY FOR GROUP BY (PRIMARY, k)",
          "PARTITION (p0)",
          "AS x",
          "x");
  private static final List<String> WORDS =
      List.of(
          "SELECT",
          "FROM",
          "WHERE",
          "AND",
          "NOT",
          "ALL",
          "DISTINCT",
          "AS",
          "ON",
          "BY",
          "IN",
          "(",
          ")",
          ",",
          ".",
          "*",
          "=",
          "-",
          "NULL",
          "x",
          "1",
          "'x'",
          "LIMIT",
          "FOR",
          "INTO",
          "SET");

  private final SplittableRandom dice;

  Mutants(SplittableRandom dice) {
    this.dice = dice;
  }

  /** The statement with a few changes. */
  String of(String sql) {
    String text = sql;
    int changes = 1 + dice.nextInt(3);
    for (int i = 0; i < changes; i++) {
      text = changed(text);
    }
    return text;
  }

  private String changed(String sql) {
    List<SqlToken> tokens = SqlToken.of(sql);
    List<String> texts = new ArrayList<>(tokens.stream().map(SqlToken::text).toList());
    switch (dice.nextInt(14)) {
      case 0 -> atBlank(tokens, texts, one(BLANKS));
      case 1, 2 -> atBlank(tokens, texts, " " + one(COMMENTS) + " ");
      case 3 -> around(tokens, texts);
      case 4, 5 -> number(tokens, texts);
      case 6 -> introduced(tokens, texts);
      case 7 -> string(tokens, texts);
      case 8 -> afterWord(tokens, texts, List.of("SELECT", "UPDATE", "DELETE"), one(HINTS), 0);
      case 9 -> afterWord(tokens, texts, List.of("FROM", "JOIN", "UPDATE"), one(INDEX_HINTS), 2);
      case 10 -> name(tokens, texts);
      case 11 -> parentheses(tokens, texts);
      case 12 -> whole(texts);
      default -> broken(texts);
    }
    return String.join("", texts);
  }

  private <T> T one(List<T> list) {
    return list.get(dice.nextInt(list.size()));
  }

  /** Index of a token of that kind, or -1. */
  private int any(List<SqlToken> tokens, Kind kind) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.get(i).kind() == kind) {
        found.add(i);
      }
    }
    return found.isEmpty() ? -1 : one(found);
  }

  private void atBlank(List<SqlToken> tokens, List<String> texts, String instead) {
    int at = any(tokens, Kind.BLANK);
    if (at >= 0) {
      texts.set(at, instead);
    }
  }

  /** Blanks around a sign, or none where there were some. */
  private void around(List<SqlToken> tokens, List<String> texts) {
    int at = any(tokens, Kind.OTHER);
    if (at < 0) {
      return;
    }
    boolean blanks = dice.nextBoolean();
    if (blanks) {
      texts.set(at, " " + texts.get(at) + " ");
      return;
    }
    for (int i : new int[] {at - 1, at + 1}) {
      if (i >= 0 && i < texts.size() && tokens.get(i).kind() == Kind.BLANK) {
        texts.set(i, "");
      }
    }
  }

  private void number(List<SqlToken> tokens, List<String> texts) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      if (Character.isDigit(texts.get(i).charAt(0))) {
        found.add(i);
      }
    }
    if (!found.isEmpty()) {
      texts.set(one(found), one(NUMBERS));
    }
  }

  private void introduced(List<SqlToken> tokens, List<String> texts) {
    int at = any(tokens, Kind.STRING);
    if (at >= 0) {
      texts.set(at, one(INTRODUCERS) + texts.get(at));
    }
  }

  private void string(List<SqlToken> tokens, List<String> texts) {
    int at = any(tokens, Kind.STRING);
    if (at < 0) {
      return;
    }
    String text = texts.get(at);
    texts.set(
        at,
        switch (dice.nextInt(5)) {
          case 0 -> text + " 'y'";
          case 1 -> text + "\n\"y\"";
          case 2 -> "(" + text + ")";
          case 3 -> text + " COLLATE utf8mb4_bin";
          default -> "'it''s \\' \"'";
        });
  }

  /** Inserts something after one of the words and so many tokens more, blanks not counted. */
  private void afterWord(
      List<SqlToken> tokens, List<String> texts, List<String> words, String text, int more) {
    List<Integer> found = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      if (words.contains(texts.get(i).toUpperCase(Locale.ROOT))) {
        found.add(i);
      }
    }
    if (found.isEmpty()) {
      return;
    }
    int at = Math.min(one(found) + more, texts.size() - 1);
    texts.set(at, texts.get(at) + " " + text + " ");
  }

  /** A word in other letters or in quotes. */
  private void name(List<SqlToken> tokens, List<String> texts) {
    int at = any(tokens, Kind.WORD);
    if (at >= 0) {
      String word = texts.get(at);
      texts.set(
          at,
          switch (dice.nextInt(3)) {
            case 0 -> word.toLowerCase(Locale.ROOT);
            case 1 -> word.toUpperCase(Locale.ROOT);
            default -> "`" + word + "`";
          });
    }
  }

  /** Doubles parentheses, or puts a word into some. */
  private void parentheses(List<SqlToken> tokens, List<String> texts) {
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      if (texts.get(i).equals("(")) {
        open.add(i);
      }
    }
    if (open.isEmpty() || dice.nextInt(3) == 0) {
      int at = any(tokens, Kind.WORD);
      if (at >= 0) {
        texts.set(at, "(" + texts.get(at) + ")");
      }
      return;
    }
    int at = one(open);
    int depth = 0;
    for (int i = at; i < texts.size(); i++) {
      depth += texts.get(i).equals("(") ? 1 : texts.get(i).equals(")") ? -1 : 0;
      if (depth == 0) {
        texts.set(at, "((");
        texts.set(i, "))");
        return;
      }
    }
  }

  private void whole(List<String> texts) {
    String sql = texts.stream().collect(Collectors.joining());
    texts.clear();
    texts.add(
        switch (dice.nextInt(7)) {
          case 0 -> "(" + sql + ")";
          case 1 -> "((" + sql + "))";
          case 2 -> "EXPLAIN " + sql;
          case 3 -> "WITH w1 AS (SELECT 1) " + sql;
          case 4 -> "(" + sql + ") UNION (SELECT 1)";
          case 5 -> "/* c */" + sql + "-- c";
          default -> "SELECT (" + sql + ") + 1";
        });
  }

  private void broken(List<String> texts) {
    if (texts.isEmpty()) {
      return; // its only word is gone already
    }
    int at = dice.nextInt(texts.size());
    switch (dice.nextInt(5)) {
      case 0 -> texts.remove(at);
      case 1 -> texts.add(at, " " + texts.get(at) + " ");
      case 2 -> texts.set(at, " " + one(WORDS) + " ");
      case 3 -> texts.add(at, " " + one(WORDS) + " ");
      default -> {
        String other = texts.set(dice.nextInt(texts.size()), texts.get(at));
        texts.set(at, other);
      }
    }
  }
}
