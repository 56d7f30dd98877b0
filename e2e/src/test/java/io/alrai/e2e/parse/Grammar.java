package io.alrai.e2e.parse;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Makes random statements out of rules; {@code grammar/statements.txt} says how they are written.
 */
final class Grammar {
  private static final String START = "statement";

  /** How many rules within one another; what is deeper is the first alternative. */
  private static final int DEEPEST = 12;

  /** How many rules in one statement. */
  private static final int MOST_RULES = 30;

  private final Map<String, List<List<Piece>>> rules = new HashMap<>();

  /** A part of an alternative. */
  private sealed interface Piece {
    /** What stands for itself. */
    record Word(String text) implements Piece {}

    /** What another rule gives. */
    record Rule(String name) implements Piece {}

    /** What may be left out. */
    record Optional(List<Piece> pieces) implements Piece {}
  }

  /** Reads the rules. */
  Grammar(String text) {
    List<List<Piece>> alternatives = List.of();
    for (String line : text.split("\n")) {
      String stripped = line.strip();
      if (stripped.isEmpty() || stripped.startsWith("#")) {
        continue;
      }
      if (line.startsWith(" ")) {
        alternatives.add(pieces(stripped));
      } else {
        alternatives = new ArrayList<>();
        rules.put(stripped, alternatives);
      }
    }
  }

  private static List<Piece> pieces(String text) {
    List<Piece> pieces = new ArrayList<>();
    int at = 0;
    while (at < text.length()) {
      int close = text.indexOf(']', at);
      if (isRule(text, at)) {
        int end = text.indexOf('>', at);
        pieces.add(new Piece.Rule(text.substring(at + 1, end)));
        at = end + 1;
      } else if (isOption(text, at)) {
        pieces.add(new Piece.Optional(pieces(text.substring(at + 1, close))));
        at = close + 1;
      } else {
        int end = at + 1;
        while (end < text.length() && !isRule(text, end) && !isOption(text, end)) {
          end++;
        }
        pieces.add(new Piece.Word(text.substring(at, end)));
        at = end;
      }
    }
    return pieces;
  }

  private static boolean isRule(String text, int at) {
    return text.charAt(at) == '<'
        && at + 1 < text.length()
        && Character.isLowerCase(text.charAt(at + 1));
  }

  /** An option begins with a capital letter, {@code <} or a parenthesis; a JSON text does not. */
  private static boolean isOption(String text, int at) {
    return text.charAt(at) == '['
        && at + 1 < text.length()
        && (Character.isUpperCase(text.charAt(at + 1)) || text.charAt(at + 1) == '<');
  }

  /** One statement. */
  String statement(SplittableRandom dice) {
    return new Run(dice).rule(START, 0).strip();
  }

  /** What one statement takes. */
  private final class Run {
    private final SplittableRandom dice;
    private int left = MOST_RULES;

    Run(SplittableRandom dice) {
      this.dice = dice;
    }

    String rule(String name, int depth) {
      List<List<Piece>> alternatives = rules.get(name);
      if (alternatives == null) {
        throw new IllegalArgumentException("no rule " + name);
      }
      left--;
      boolean shortest = depth >= DEEPEST || left < 0;
      return text(alternatives.get(shortest ? 0 : dice.nextInt(alternatives.size())), depth);
    }

    private String text(List<Piece> pieces, int depth) {
      StringBuilder text = new StringBuilder();
      for (Piece piece : pieces) {
        text.append(
            switch (piece) {
              case Piece.Word word -> word.text();
              case Piece.Rule rule -> rule(rule.name(), depth + 1);
              case Piece.Optional optional ->
                  left > 0 && dice.nextBoolean() ? text(optional.pieces(), depth) : "";
            });
      }
      return text.toString();
    }
  }
}
