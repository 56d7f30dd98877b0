package io.alrai.optimizer.parse.ddl;

import io.alrai.optimizer.api.TriggerBody.Filled;
import io.alrai.optimizer.api.TriggerBody.Part;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Finds what in a body may name tables: whole statements over rows, queries of cursors, and queries
 * in parentheses. By tokens, and once. One thread.
 */
final class BodyParts {
  private static final List<String> MODIFIERS =
      List.of("LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "IGNORE");

  private final DdlCursor cursor;
  private final int start;
  private final BodyVariables variables;
  private final List<Part> parts = new ArrayList<>();
  private final List<Filled> filled = new ArrayList<>();
  private final BitSet inParts = new BitSet();
  private final BitSet names = new BitSet();

  private BodyParts(DdlCursor cursor, int start, BodyVariables variables) {
    this.cursor = cursor;
    this.start = start;
    this.variables = variables;
  }

  /**
   * Those of a body.
   *
   * @param start index of its first token
   * @param statements indexes of the tokens that its statements begin with
   */
  static BodyParts of(
      DdlCursor cursor, int start, List<Integer> statements, BodyVariables variables) {
    BodyParts found = new BodyParts(cursor, start, variables);
    statements.forEach(found::statement);
    found.queries();
    return found;
  }

  List<Part> parts() {
    return parts;
  }

  List<Filled> filled() {
    return filled;
  }

  /** Whether a token belongs to one of them. */
  boolean contains(int token) {
    return inParts.get(token);
  }

  /** Whether a token is part of the name after INSERT INTO, not of a call. */
  boolean isTarget(int token) {
    return names.get(token);
  }

  private void statement(int at) {
    switch (cursor.word(at)) {
      case "WITH", "UPDATE", "DELETE" -> part(at, end(at));
      case "SELECT" -> {
        if (hasTable(at, end(at))) {
          part(at, end(at));
        }
      }
      case "INSERT", "REPLACE" -> insert(at);
      case "DECLARE" -> {
        int query = at + 4;
        if (cursor.seesAt(at + 2, "CURSOR", "FOR")) {
          part(query, end(query));
        }
      }
      default -> {}
    }
  }

  /** Where a simple statement ends. */
  private int end(int from) {
    int at = from;
    while (at < cursor.size() && !cursor.seesSymbolAt(at, ";")) {
      at++;
    }
    return at;
  }

  private void part(int from, int to) {
    inParts.set(from, to);
    if (from < to) {
      parts.add(new Part(offset(cursor.token(from).start()), text(from, to), variables.at(from)));
    }
  }

  private int offset(int index) {
    return index - cursor.token(start).start();
  }

  /** LIMIT takes variables in a stored program only: a digit for each of their characters. */
  private String text(int from, int to) {
    StringBuilder text = new StringBuilder(cursor.slice(from, to));
    int first = cursor.token(from).start();
    boolean behind = false;
    for (int i = from; i < to; i++) {
      String word = cursor.word(i);
      if (word.equals("LIMIT") || word.equals("OFFSET")) {
        behind = true;
      } else if (behind && variables.isOne(i)) {
        int at = cursor.token(i).start() - first;
        int end = cursor.token(i).end() - first;
        text.replace(at, end, "1".repeat(end - at));
      } else if (!cursor.seesSymbolAt(i, ",")) {
        behind = false;
      }
    }
    return text.toString();
  }

  private void insert(int verb) {
    int at = verb + 1;
    while (at < cursor.size() && MODIFIERS.contains(cursor.word(at))) {
      at++;
    }
    at += cursor.seesAt(at, "INTO") ? 1 : 0;
    int name = at;
    boolean qualified = cursor.seesSymbolAt(at + 1, ".");
    at += qualified ? 3 : 1;
    int end = end(verb);
    names.set(name, Math.min(at, end));
    if (at > end || !cursor.isNameAt(name) || !cursor.isNameAt(at - 1)) {
      cursor.moveTo(Math.min(name, end));
      throw cursor.syntaxError();
    }
    int rows = behindColumns(at);
    boolean values = cursor.seesAt(rows, "VALUES") || cursor.seesAt(rows, "VALUE");
    if (!values && !cursor.seesAt(rows, "SET")) {
      part(verb, end);
      return;
    }
    inParts.set(verb, rows);
    filled.add(
        new Filled(
            offset(cursor.token(name).start()),
            offset(cursor.token(at - 1).end()),
            qualified ? Optional.of(cursor.token(name).value()) : Optional.empty(),
            cursor.token(at - 1).value(),
            cursor.seesAt(verb, "REPLACE"),
            updates(rows, end)));
  }

  private int behindColumns(int at) {
    if (!cursor.seesSymbolAt(at, "(") || startsQuery(at)) {
      return at;
    }
    return closing(at) + 1;
  }

  /** ON DUPLICATE KEY UPDATE, whose words are no names of tables. */
  private boolean updates(int from, int to) {
    for (int i = from; i < to; i++) {
      if (cursor.seesAt(i, "ON", "DUPLICATE", "KEY", "UPDATE")) {
        inParts.set(i, i + 4);
        return true;
      }
    }
    return false;
  }

  private void queries() {
    for (int i = start; i < cursor.size(); i++) {
      if (!inParts.get(i) && cursor.seesSymbolAt(i, "(") && isQuery(i + 1)) {
        int close = closing(i);
        if (hasTable(i, close)) {
          part(i + 1, close);
        }
        i = close;
      }
    }
  }

  /** A query without one is an expression, whatever it is made of. */
  private boolean hasTable(int from, int to) {
    for (int i = from; i < to; i++) {
      if (cursor.seesAt(i, "FROM") || cursor.seesAt(i, "TABLE")) {
        return true;
      }
    }
    return false;
  }

  private boolean startsQuery(int open) {
    int at = open;
    while (cursor.seesSymbolAt(at, "(")) {
      at++;
    }
    return isQuery(at);
  }

  private boolean isQuery(int at) {
    return cursor.seesAt(at, "SELECT") || cursor.seesAt(at, "WITH") || cursor.seesAt(at, "TABLE");
  }

  private int closing(int open) {
    int depth = 0;
    for (int i = open; i < cursor.size(); i++) {
      depth += cursor.seesSymbolAt(i, "(") ? 1 : cursor.seesSymbolAt(i, ")") ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    cursor.moveTo(cursor.size());
    throw cursor.syntaxError();
  }
}
