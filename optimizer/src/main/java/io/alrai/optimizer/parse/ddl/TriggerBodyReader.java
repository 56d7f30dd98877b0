package io.alrai.optimizer.parse.ddl;

import io.alrai.common.error.AlraiException;
import io.alrai.optimizer.api.TriggerBody;
import io.alrai.optimizer.api.TriggerBody.Called;
import io.alrai.optimizer.api.TriggerBody.Known;
import io.alrai.optimizer.api.TriggerBody.Meaning;
import io.alrai.optimizer.api.TriggerBody.Qualifier;
import io.alrai.optimizer.api.token.NamedLocks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * A trigger's or function's body, which may use its row, variables of its own, functions, and the
 * tables that {@link BodyParts} finds: whatever else it names is refused, as it may be on another
 * server, or is the session's and not the connection's. What MySQL refuses in each of them is left
 * to it.
 */
final class TriggerBodyReader {
  /** What a statement may begin with; of the last line mysqld says what is wrong with them. */
  private static final Set<String> STATEMENTS =
      Set.of(
          "BEGIN",
          "IF",
          "CASE",
          "LOOP",
          "WHILE",
          "REPEAT",
          "ITERATE",
          "LEAVE",
          "DECLARE",
          "SET",
          "SELECT",
          "WITH",
          "INSERT",
          "REPLACE",
          "UPDATE",
          "DELETE",
          "SIGNAL",
          "RESIGNAL",
          "GET",
          "DO",
          "PREPARE",
          "EXECUTE",
          "DEALLOCATE",
          "OPEN",
          "FETCH",
          "CLOSE",
          "RETURN",
          "COMMIT",
          "START",
          "SHOW",
          "USE",
          "LOCK",
          "UNLOCK");

  /** Of Alrai's own columns and tables, which clients do not see. */
  private static final String HIDDEN_PREFIX = "__alrai_";

  private static final Set<String> FROM_AS_ARGUMENT =
      Set.of("EXTRACT", "TRIM", "SUBSTRING", "SUBSTR", "MID");

  /** Functions that tell of the client's session, which the servers of rows do not know. */
  private static final Set<String> OF_SESSION =
      Set.of(
          "USER",
          "SESSION_USER",
          "SYSTEM_USER",
          "CURRENT_ROLE",
          "ROLES_GRAPHML",
          "CONNECTION_ID",
          "LAST_INSERT_ID",
          "FOUND_ROWS",
          "ROW_COUNT",
          "LOAD_FILE",
          "PS_CURRENT_THREAD_ID",
          "PS_THREAD_ID",
          "MASTER_POS_WAIT",
          "SOURCE_POS_WAIT",
          "WAIT_FOR_EXECUTED_GTID_SET");

  /** Functions that give another value on each server, or a little later. */
  private static final Set<String> VARYING =
      Set.of(
          "RAND",
          "UUID",
          "UUID_SHORT",
          "RANDOM_BYTES",
          "NOW",
          "SYSDATE",
          "CURRENT_TIMESTAMP",
          "LOCALTIME",
          "LOCALTIMESTAMP",
          "CURDATE",
          "CURRENT_DATE",
          "CURTIME",
          "CURRENT_TIME",
          "UTC_DATE",
          "UTC_TIME",
          "UTC_TIMESTAMP",
          "UNIX_TIMESTAMP");

  private final DdlCursor cursor;
  private final boolean ofFunction;
  private final int start;
  private final BodyStructure structure;
  private final BodyVariables variables;
  private final BodyParts parts;
  private final Set<Integer> targets = new HashSet<>();
  private final Set<String> reads = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
  private final Set<String> sets = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
  private final List<Known> known = new ArrayList<>();
  private final List<Qualifier> qualifiers = new ArrayList<>();
  private final List<Called> calls = new ArrayList<>();
  private String varying = "";

  private TriggerBodyReader(DdlCursor cursor, boolean ofFunction) {
    this.cursor = cursor;
    this.ofFunction = ofFunction;
    this.start = cursor.position();
    this.structure = BodyStructure.read(cursor);
    this.variables = BodyVariables.of(cursor, structure);
    this.parts = BodyParts.of(cursor, start, structure.statements(), variables);
  }

  /**
   * Reads the body that begins at the cursor.
   *
   * @throws AlraiException 1064 where it does not end with the text, 1235 for what it may not use
   */
  static TriggerBody read(DdlCursor cursor) {
    return read(cursor, false);
  }

  /** Reads the body of a function; whether its tables may be there is for others to say. */
  static TriggerBody readFunction(DdlCursor cursor) {
    return read(cursor, true);
  }

  private static TriggerBody read(DdlCursor cursor, boolean ofFunction) {
    if (cursor.atEnd()) {
      throw cursor.syntaxError();
    }
    TriggerBodyReader reader = new TriggerBodyReader(cursor, ofFunction);
    reader.structure.statements().forEach(reader::statement);
    reader.tokens();
    cursor.moveTo(cursor.size());
    return new TriggerBody(
        cursor.slice(reader.start, cursor.size()),
        cursor.quotes().ansi(),
        cursor.quotes().withoutEscapes(),
        List.copyOf(reader.reads),
        List.copyOf(reader.sets),
        reader.varying,
        reader.known,
        reader.qualifiers,
        reader.parts.parts(),
        reader.parts.filled(),
        reader.calls);
  }

  private AlraiException refused(String what) {
    return DdlParser.notSupported(
        what,
        ofFunction
            ? " in a function: its body may use its parameters, variables that it declares, and"
                + " functions, but no tables"
            : " in a trigger: its body may use its row, variables that it declares, functions, and"
                + " tables beside its own");
  }

  private AlraiException ofSession(String what) {
    String program = ofFunction ? "function" : "trigger";
    return DdlParser.notSupported(
        what, " in a " + program + ": it runs on servers that do not know the client's session");
  }

  private void statement(int at) {
    String word = cursor.word(at);
    if (!STATEMENTS.contains(word)) {
      throw refused(word);
    }
    switch (word) {
      case "SET" -> assignments(at);
      case "GET" -> withoutVariables(at, end(at));
      case "SELECT", "WITH", "FETCH" -> {
        for (int i = at; i < end(at); i++) {
          if (cursor.word(i).equals("INTO")) {
            withoutVariables(i, end(at));
          }
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

  private void withoutVariables(int from, int to) {
    for (int i = from; i < to; i++) {
      if (cursor.seesSymbolAt(i, "@")) {
        throw refused("a change of a user variable");
      }
    }
  }

  private void assignments(int set) {
    int end = end(set);
    int depth = 0;
    target(set + 1);
    for (int i = set + 1; i < end; i++) {
      if (cursor.seesSymbolAt(i, "(")) {
        depth++;
      } else if (cursor.seesSymbolAt(i, ")")) {
        depth--;
      } else if (depth == 0 && cursor.seesSymbolAt(i, ",")) {
        target(i + 1);
      }
    }
  }

  private void target(int at) {
    if (isOfRow(at)) {
      if (isNamed(at, "NEW")) {
        targets.add(at);
        sets.add(cursor.token(at + 2).value());
      }
      return; // mysqld says that OLD cannot be set
    }
    if (cursor.seesSymbolAt(at, "@")) {
      throw cursor.seesSymbolAt(at + 1, "@")
          ? ofSession("SET of a system variable")
          : refused("a change of a user variable");
    }
    boolean assigned = cursor.seesSymbolAt(at + 1, "=") || cursor.seesSymbolAt(at + 1, ":");
    if (!variables.isOne(at) || !assigned) {
      String name = at < cursor.size() ? cursor.token(at).value() : "";
      throw refused("SET " + name);
    }
  }

  /** {@code NEW.c} or {@code OLD.c}. */
  private boolean isOfRow(int at) {
    return (isNamed(at, "NEW") || isNamed(at, "OLD"))
        && cursor.seesSymbolAt(at + 1, ".")
        && cursor.isNameAt(at + 2);
  }

  /** Also in quotes. */
  private boolean isNamed(int at, String name) {
    return cursor.isNameAt(at) && cursor.token(at).value().equalsIgnoreCase(name);
  }

  private void tokens() {
    List<Integer> parentheses = new ArrayList<>();
    for (int i = start; i < cursor.size(); i++) {
      if (cursor.seesSymbolAt(i, "(")) {
        parentheses.add(i);
      } else if (cursor.seesSymbolAt(i, ")") && !parentheses.isEmpty()) {
        parentheses.removeLast();
      } else if (cursor.seesSymbolAt(i, "@")) {
        variable(i);
        i += cursor.seesSymbolAt(i + 1, "@") ? 1 : 0;
      } else if (isOfRow(i) && !cursor.seesSymbolAt(i - 1, ".")) {
        if (!targets.contains(i)) {
          reads.add(cursor.token(i + 2).value());
        }
      } else if (cursor.isNameAt(i)) {
        name(i, parentheses.isEmpty() ? -1 : parentheses.getLast());
      }
    }
  }

  /** A user variable may be read: each connection has those of its session. */
  private void variable(int at) {
    if (cursor.seesSymbolAt(at + 1, "@")) {
      throw ofSession("a system variable");
    }
    int behind = at + 2;
    while (cursor.seesSymbolAt(behind, ".")) {
      behind += 2;
    }
    if (cursor.seesSymbolAt(behind, ":") && cursor.seesSymbolAt(behind + 1, "=")) {
      throw refused("a change of a user variable");
    }
  }

  private void name(int at, int parenthesis) {
    if (cursor.token(at).value().regionMatches(true, 0, HIDDEN_PREFIX, 0, HIDDEN_PREFIX.length())) {
      throw refused(cursor.token(at).value());
    }
    if (parts.isTarget(at)) {
      return;
    }
    boolean called = cursor.seesSymbolAt(at + 1, "(");
    boolean schema = cursor.seesSymbolAt(at + 1, ".") && cursor.seesSymbolAt(at + 3, ".");
    if (schema && !cursor.seesSymbolAt(at - 1, ".")) {
      qualifier(at);
      return;
    }
    if (cursor.seesSymbolAt(at - 1, ".")) {
      if (called) {
        throw refused("a function with the name of its database");
      }
      return;
    }
    if (cursor.seesSymbolAt(at - 1, "@")) {
      return;
    }
    if (called && !isCommonTable(at)) {
      call(at);
    }
    String word = cursor.word(at);
    switch (word) {
      case "FROM" -> {
        boolean prepares = cursor.word(at - 2).equals("PREPARE"); // 1336 by the mysqld
        if (!parts.contains(at) && !prepares) {
          from(at, parenthesis);
        }
      }
      case "CALL", "JSON_TABLE", "OUTFILE", "DUMPFILE" -> throw refused(word);
      case "TABLE", "UPDATE", "DELETE", "INSERT", "REPLACE", "TRUNCATE" -> {
        if (!called && !parts.contains(at)) {
          throw refused(word);
        }
      }
      case "CURRENT_USER" -> known(Meaning.DEFINER, at);
      case "DATABASE", "SCHEMA" -> {
        if (called) {
          known(Meaning.SCHEMA, at);
        }
      }
      default -> {
        if (called && (OF_SESSION.contains(word) || NamedLocks.isFunction(word))) {
          throw ofSession(word + "()");
        }
        boolean bare = word.startsWith("CURRENT_") || word.startsWith("UTC_");
        boolean varies = VARYING.contains(word) && (called || bare || word.startsWith("LOCALTIME"));
        varying = varying.isEmpty() && varies ? word : varying;
      }
    }
  }

  /** {@code name (columns) AS (query)}. */
  private boolean isCommonTable(int at) {
    int behind = at + 2;
    while (cursor.isNameAt(behind) || cursor.seesSymbolAt(behind, ",")) {
      behind++;
    }
    return cursor.seesAt(behind + 1, "AS") && cursor.seesSymbolAt(behind + 2, "(");
  }

  private void call(int at) {
    int offset = cursor.token(start).start();
    calls.add(
        new Called(
            cursor.token(at).value().toLowerCase(Locale.ROOT),
            cursor.token(at).start() - offset,
            cursor.token(at).end() - offset));
  }

  private void from(int at, int parenthesis) {
    boolean argument =
        parenthesis > 0
            && FROM_AS_ARGUMENT.contains(cursor.word(parenthesis - 1))
            && !cursor.seesAt(parenthesis + 1, "SELECT")
            && !cursor.seesAt(parenthesis + 1, "WITH");
    if (!argument && !cursor.seesAt(at + 1, "DUAL")) {
      String table =
          cursor.isNameAt(at + 1) ? " table " + cursor.token(at + 1).value() : " a table";
      throw refused("reading" + table);
    }
  }

  private void known(Meaning meaning, int at) {
    boolean empty = cursor.seesSymbolAt(at + 1, "(") && cursor.seesSymbolAt(at + 2, ")");
    int offset = cursor.token(start).start();
    int last = empty ? at + 2 : at;
    known.add(
        new Known(meaning, cursor.token(at).start() - offset, cursor.token(last).end() - offset));
  }

  /** The schema before a table and its column, with the point. */
  private void qualifier(int at) {
    int offset = cursor.token(start).start();
    qualifiers.add(
        new Qualifier(
            cursor.token(at).value(),
            cursor.token(at).start() - offset,
            cursor.token(at + 2).start() - offset));
  }
}
