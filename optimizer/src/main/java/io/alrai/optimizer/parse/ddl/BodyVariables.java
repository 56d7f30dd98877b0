package io.alrai.optimizer.parse.ddl;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The variables that a body declares, each of which counts in its own block. One thread. */
final class BodyVariables {
  private final DdlCursor cursor;
  private final List<Declared> declared = new ArrayList<>();

  /** A variable, by its name in lower case, and the tokens between which it counts. */
  private record Declared(String name, int from, int to) {
    boolean countsAt(int token) {
      return from < token && token < to;
    }
  }

  private BodyVariables(DdlCursor cursor) {
    this.cursor = cursor;
  }

  static BodyVariables of(DdlCursor cursor, BodyStructure structure) {
    BodyVariables variables = new BodyVariables(cursor);
    structure.statements().forEach(at -> variables.declaration(at, structure));
    return variables;
  }

  /** The variables of DECLARE; cursors and conditions cannot be set. */
  private void declaration(int at, BodyStructure structure) {
    if (!cursor.seesAt(at, "DECLARE")) {
      return;
    }
    List<String> names = new ArrayList<>();
    int name = at + 1;
    while (cursor.isNameAt(name)) {
      names.add(lower(name));
      name++;
      if (!cursor.seesSymbolAt(name, ",")) {
        break;
      }
      name++;
    }
    if (!cursor.seesAt(name, "CURSOR") && !cursor.seesAt(name, "CONDITION")) {
      names.forEach(each -> declared.add(new Declared(each, at, structure.scopeEnd(at))));
    }
  }

  private String lower(int token) {
    return cursor.token(token).value().toLowerCase(Locale.ROOT);
  }

  /** Whether the token is the name of one that counts there. */
  boolean isOne(int token) {
    return cursor.isNameAt(token) && at(token).contains(lower(token));
  }

  /** Those that count at a token, in lower case. */
  Set<String> at(int token) {
    return declared.stream()
        .filter(each -> each.countsAt(token))
        .map(Declared::name)
        .collect(Collectors.toSet());
  }
}
