package io.alrai.optimizer.api.routine;

import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.api.token.TokenCursor.Token;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query.SelectItem;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds where a statement names variables of its routine: a name without a qualifier, where a value
 * can stand, is the variable's even where a column has it too (MySQL Reference Manual, "Local
 * Variable Scope and Resolution"). Items of select lists keep the labels that they would have.
 */
final class FragmentReader {
  private static final String SELECT = "SELECT ";
  private static final int LONGEST_LABEL = 256;

  private final boolean ansiQuotes;
  private final boolean noBackslashEscapes;

  FragmentReader(boolean ansiQuotes, boolean noBackslashEscapes) {
    this.ansiQuotes = ansiQuotes;
    this.noBackslashEscapes = noBackslashEscapes;
  }

  /** A hole, or with slot -1 a text that is put in. */
  private record Edit(int start, int end, int slot, boolean rowCount, String text) {}

  TokenCursor cursor(String text) {
    return new TokenCursor(text, ansiQuotes, noBackslashEscapes);
  }

  /**
   * The tree of a statement over data.
   *
   * @throws SyntaxException when it is none
   */
  Statement tree(String text) {
    return StatementParser.parse(text, ansiQuotes, noBackslashEscapes);
  }

  /** An expression. */
  Fragment expression(String text, Scope scope) {
    List<Edit> edits = new ArrayList<>();
    for (Edit edit : editsOf(SELECT + text, scope, false)) {
      int shift = SELECT.length();
      edits.add(
          new Edit(edit.start - shift, edit.end - shift, edit.slot, edit.rowCount, edit.text));
    }
    return cut(text, edits);
  }

  /** A statement over data. */
  Fragment data(String text, Scope scope) {
    return cut(text, editsOf(text, scope, true));
  }

  /** A statement with a hole for each of some calls in it, in the order of the text. */
  Fragment calls(String text, List<Span> calls) {
    TokenCursor tokens = cursor(text);
    int ordering = ordering(text, tokens);
    List<Edit> edits = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      Span call = calls.get(i);
      edits.add(new Edit(call.start(), call.end(), i, false, ""));
    }
    List<Edit> holes = List.copyOf(edits);
    for (Edit hole : holes) {
      if (hole.start > ordering) {
        edits.add(new Edit(hole.start, hole.start, -1, false, "IFNULL("));
        edits.add(new Edit(hole.end, hole.end, -1, false, ", NULL)"));
      }
    }
    try {
      edits.addAll(labels(text, VariableUses.of(tree(text)).items(), holes));
    } catch (SyntaxException e) {
      return cut(text, edits); // SET, DO, CALL and the like
    }
    return cut(text, edits);
  }

  /** Where something is ordered by a list, in which a number alone would be a column's place. */
  private static int ordering(String text, TokenCursor tokens) {
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.seesAt(i, "BY")) {
        return characters(text, tokens.token(i).start());
      }
    }
    return Integer.MAX_VALUE;
  }

  /** The edits of a statement over data, or of an expression after SELECT. */
  private List<Edit> editsOf(String text, Scope scope, boolean labels) {
    TokenCursor tokens = cursor(text);
    List<Edit> edits = rowCounts(text, tokens, scope);
    StringBuilder masked = new StringBuilder(text);
    for (Edit edit : edits) {
      masked.replace(edit.start, edit.end, "?" + " ".repeat(edit.end - edit.start - 1));
    }
    Statement tree;
    try {
      tree = tree(masked.toString());
    } catch (SyntaxException e) {
      return free(text, tokens, 0, scope, -1);
    }
    if (tree instanceof Statement.InsertValues) {
      int values = values(tokens);
      return free(text, tokens, values, scope, values);
    }
    VariableUses uses = VariableUses.of(tree);
    for (Expr.Name name : uses.names()) {
      scope
          .variable(name.column())
          .ifPresent(
              slot -> edits.add(new Edit(name.span().start(), name.span().end(), slot, false, "")));
    }
    List<Edit> holes = List.copyOf(edits);
    edits.addAll(paths(text, tokens, holes));
    edits.addAll(constants(uses, holes));
    if (labels) {
      edits.addAll(labels(text, uses.items(), holes));
    }
    return edits;
  }

  /** A number alone in ORDER BY or GROUP BY would be a column's place. */
  private static List<Edit> constants(VariableUses uses, List<Edit> holes) {
    List<Edit> added = new ArrayList<>();
    for (Expr.Name name : uses.ordering()) {
      int start = name.span().start();
      int end = name.span().end();
      if (holes.stream().anyMatch(hole -> hole.start == start && hole.end == end)) {
        added.add(new Edit(start, start, -1, false, "IFNULL("));
        added.add(new Edit(end, end, -1, false, ", NULL)"));
      }
    }
    return added;
  }

  /** {@code variable -> path}: only a column may stand there, so a call takes its place. */
  private static List<Edit> paths(String text, TokenCursor tokens, List<Edit> holes) {
    List<Edit> added = new ArrayList<>();
    for (int i = 0; i + 2 < tokens.size(); i++) {
      if (tokens.kindAt(i + 1) != TokenKind.ARROW || !tokens.token(i).isName()) {
        continue;
      }
      int start = characters(text, tokens.token(i).start());
      if (holes.stream().noneMatch(hole -> hole.start == start)) {
        continue;
      }
      boolean unquoted = tokens.token(i + 1).text().equals("->>");
      Token arrow = tokens.token(i + 1);
      int from = characters(text, arrow.start());
      int end = characters(text, tokens.token(i + 2).end());
      String call = unquoted ? "JSON_UNQUOTE(JSON_EXTRACT(" : "JSON_EXTRACT(";
      added.add(new Edit(start, start, -1, false, call));
      added.add(new Edit(from, from + arrow.text().length(), -1, false, ","));
      added.add(new Edit(end, end, -1, false, unquoted ? "))" : ")"));
    }
    return added;
  }

  /** Aliases for the items that would get another label with the holes. */
  private static List<Edit> labels(String text, List<SelectItem> items, List<Edit> holes) {
    List<Edit> added = new ArrayList<>();
    for (SelectItem item : items) {
      int start = item.expr().span().start();
      int end = item.expr().span().end();
      boolean changed = holes.stream().anyMatch(hole -> start <= hole.start && hole.end <= end);
      if (item.alias().isPresent() || !changed) {
        continue;
      }
      // a variable, too, is named by its text: with its quotes
      String label = item.expr().span().of(text);
      if (label.length() <= LONGEST_LABEL) {
        added.add(new Edit(end, end, -1, false, " AS " + Identifier.quote(label)));
      }
    }
    return added;
  }

  private List<Edit> rowCounts(String text, TokenCursor tokens, Scope scope) {
    List<Edit> edits = new ArrayList<>();
    for (int i = 0; i < tokens.size(); i++) {
      if (!tokens.seesAt(i, "LIMIT") || tokens.kindAt(i - 1) == TokenKind.DOT) {
        continue;
      }
      addHole(text, tokens, i + 1, scope, true, edits);
      if (tokens.kindAt(i + 2) == TokenKind.COMMA || tokens.seesAt(i + 2, "OFFSET")) {
        addHole(text, tokens, i + 3, scope, true, edits);
      }
    }
    return edits;
  }

  /** The index of VALUES, VALUE or SET of an INSERT. */
  private static int values(TokenCursor tokens) {
    int depth = 0;
    for (int i = 1; i < tokens.size(); i++) {
      switch (tokens.kindAt(i)) {
        case OPEN -> depth++;
        case CLOSE -> depth--;
        default -> {}
      }
      boolean named = tokens.seesAt(i - 1, "INTO") || tokens.kindAt(i - 1) == TokenKind.DOT;
      boolean begins =
          tokens.seesAt(i, "VALUES") || tokens.seesAt(i, "VALUE") || tokens.seesAt(i, "SET");
      if (depth == 0 && begins && !named) {
        return i;
      }
    }
    return 0;
  }

  /**
   * Names that are values, as their neighbours tell.
   *
   * @param values the index of an INSERT's VALUES or SET; -1 for none
   */
  private List<Edit> free(String text, TokenCursor tokens, int from, Scope scope, int values) {
    List<Edit> edits = new ArrayList<>();
    int depth = 0;
    for (int i = from; i < tokens.size(); i++) {
      switch (tokens.kindAt(i)) {
        case OPEN -> depth++;
        case CLOSE -> depth--;
        case WORD, QUOTED -> {
          if (!isOther(tokens, i, depth, values)) {
            boolean limit = i > 0 && (tokens.seesAt(i - 1, "LIMIT"));
            addHole(text, tokens, i, scope, limit, edits);
          }
        }
        default -> {}
      }
    }
    return edits;
  }

  /** Whether a name is a column's, a function's, a target's or an alias. */
  private static boolean isOther(TokenCursor tokens, int at, int depth, int values) {
    TokenKind before = tokens.kindAt(at - 1);
    TokenKind behind = tokens.kindAt(at + 1);
    if (before == TokenKind.DOT || behind == TokenKind.DOT || behind == TokenKind.OPEN) {
      return true;
    }
    boolean ofColumn =
        before == TokenKind.OPEN
            && behind == TokenKind.CLOSE
            && at > 1
            && at - 2 != values
            && (tokens.seesAt(at - 2, "VALUES") || tokens.seesAt(at - 2, "DEFAULT"));
    if (ofColumn || (at > 0 && tokens.seesAt(at - 1, "AS"))) {
      return true;
    }
    boolean assigned =
        behind == TokenKind.OPERATOR && tokens.token(at + 1).text().equals("=") && depth == 0;
    boolean first =
        before == TokenKind.COMMA
            || (at > 0 && (tokens.seesAt(at - 1, "SET") || tokens.seesAt(at - 1, "UPDATE")));
    return values >= 0 && assigned && first;
  }

  private static void addHole(
      String text, TokenCursor tokens, int at, Scope scope, boolean rowCount, List<Edit> edits) {
    if (at >= tokens.size() || !tokens.token(at).isName()) {
      return;
    }
    Token token = tokens.token(at);
    Optional<Integer> slot = scope.variable(token.name());
    slot.ifPresent(found -> {
      int start = characters(text, token.start());
      edits.add(new Edit(start, start + token.text().length(), found, rowCount, ""));
    });
  }

  /** The index of the character that begins at a byte of the text's UTF-8 form. */
  static int characters(String text, int position) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return bytes.length == text.length()
        ? position
        : new String(bytes, 0, position, StandardCharsets.UTF_8).length();
  }

  private static Fragment cut(String text, List<Edit> edits) {
    List<Edit> ordered = new ArrayList<>(edits);
    ordered.sort(Comparator.comparingInt(Edit::start).thenComparingInt(Edit::end));
    List<String> texts = new ArrayList<>();
    List<Integer> slots = new ArrayList<>();
    List<Boolean> rowCounts = new ArrayList<>();
    StringBuilder piece = new StringBuilder();
    int from = 0;
    for (Edit edit : ordered) {
      piece.append(text, from, edit.start);
      from = edit.end;
      if (edit.slot < 0) {
        piece.append(edit.text);
        continue;
      }
      texts.add(piece.toString());
      piece.setLength(0);
      slots.add(edit.slot);
      rowCounts.add(edit.rowCount);
    }
    texts.add(piece.append(text, from, text.length()).toString());
    return new Fragment(texts, slots, rowCounts);
  }
}
