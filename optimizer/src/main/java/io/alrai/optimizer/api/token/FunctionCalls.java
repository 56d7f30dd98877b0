package io.alrai.optimizer.api.token;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Procedure;
import io.alrai.gms.api.RoutineKind;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.StoredFunction;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.syntax.Expr;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Calls of stored functions in texts. A function is in the shadow schemas, which have the logical
 * name at every DN: so a call with its schema's name means the same wherever a statement runs. No
 * function has the name of one of MySQL's own, see CREATE FUNCTION. Pure.
 */
public final class FunctionCalls {
  /** Words in front of a name and a parenthesis that are no call. */
  private static final Set<String> NAMES_BEHIND =
      Set.of(
          "AS",
          "CALL",
          "DELAYED",
          "HIGH_PRIORITY",
          "IGNORE",
          "INSERT",
          "INTO",
          "LOW_PRIORITY",
          "REPLACE",
          "TABLE");

  /**
   * A call.
   *
   * @param name index of the token that is the function's name
   * @param qualified whether its schema's name stands before
   */
  public record Call(int name, boolean qualified, StoredFunction function) {
    /** Index of its first token. */
    public int first() {
      return qualified ? name - 2 : name;
    }
  }

  private FunctionCalls() {}

  /** Those of a statement. */
  public static List<Call> in(TokenCursor tokens, Planner.Context context) {
    if (!context.catalog().hasFunctions()) {
      return List.of();
    }
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (tokens.kindAt(i + 1) == TokenKind.OPEN && tokens.token(i).isName()) {
        call(tokens, i, context).ifPresent(calls::add);
      }
    }
    return calls;
  }

  /** The functions of MySQL's own schemas that a statement calls, by their schema and name. */
  public static List<TableName> ofServer(TokenCursor tokens) {
    List<TableName> called = new ArrayList<>();
    for (int i = 2; i + 1 < tokens.size(); i++) {
      boolean call =
          tokens.kindAt(i + 1) == TokenKind.OPEN
              && tokens.token(i).isName()
              && isQualified(tokens, i)
              && SystemTables.isSystemSchema(tokens.token(i - 2).name())
              && !isNoCall(tokens, i - 2, i);
      if (call) {
        String schema = tokens.token(i - 2).name().toLowerCase(Locale.ROOT);
        called.add(new TableName(Optional.of(schema), tokens.token(i).name()));
      }
    }
    return called;
  }

  /**
   * Refuses calls without a schema where none of a database is the current one. A name that is a
   * function's in some schema is none of MySQL's own.
   *
   * @throws AlraiException 1046, or 1305 where one of the server's own schemas is the current one
   */
  public static void requireSchema(TokenCursor tokens, Planner.Context context) {
    if (context.catalog().schema(context.currentSchema()).isPresent()) {
      return;
    }
    for (int i = 0; i + 1 < tokens.size(); i++) {
      boolean called =
          tokens.kindAt(i + 1) == TokenKind.OPEN
              && tokens.token(i).isName()
              && !isQualified(tokens, i)
              && !isNoCall(tokens, i, i);
      if (called && isAnywhere(context.catalog(), tokens.token(i).name())) {
        throw context.currentSchema().isEmpty()
            ? new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected")
            : new AlraiException(
                ErrorCode.ER_SP_DOES_NOT_EXIST,
                RoutineKind.FUNCTION.gone(context.currentSchema(), tokens.token(i).name()));
      }
    }
  }

  private static boolean isAnywhere(Catalog catalog, String name) {
    return catalog.schemas().values().stream()
        .anyMatch(schema -> schema.function(name).isPresent());
  }

  private static boolean isQualified(TokenCursor tokens, int at) {
    return at > 1 && tokens.kindAt(at - 1) == TokenKind.DOT && tokens.token(at - 2).isName();
  }

  /** A table with its columns, where it gets rows, or where it gets its name. */
  private static boolean isNoCall(TokenCursor tokens, int first, int name) {
    boolean behind =
        first > 0 && NAMES_BEHIND.contains(tokens.token(first - 1).text().toUpperCase(Locale.ROOT));
    return behind || isCommonTable(tokens, name);
  }

  /** {@code name (columns) AS (query)}. */
  private static boolean isCommonTable(TokenCursor tokens, int name) {
    int at = name + 2;
    while (at < tokens.size()
        && (tokens.token(at).isName() || tokens.kindAt(at) == TokenKind.COMMA)) {
      at++;
    }
    return tokens.kindAt(at) == TokenKind.CLOSE
        && tokens.seesAt(at + 1, "AS")
        && tokens.kindAt(at + 2) == TokenKind.OPEN;
  }

  private static Optional<Call> call(TokenCursor tokens, int at, Planner.Context context) {
    boolean qualified = isQualified(tokens, at);
    int first = qualified ? at - 2 : at;
    if (isNoCall(tokens, first, at)) {
      return Optional.empty();
    }
    String schema = qualified ? tokens.token(first).name() : context.currentSchema();
    return context
        .catalog()
        .function(schema, tokens.token(at).name())
        .map(function -> new Call(at, qualified, function));
  }

  /**
   * The function that a call in a tree means.
   *
   * @param name as the tree has it, in upper case: a schema of another case does
   */
  public static Optional<StoredFunction> named(Catalog catalog, String currentSchema, String name) {
    Optional<String> said = Expr.Call.schema(name);
    return said.isEmpty()
        ? catalog.function(currentSchema, name)
        : schema(catalog, said.get()).flatMap(schema -> schema.function(Expr.Call.function(name)));
  }

  /** A schema that has such a name but for its case. */
  public static Optional<Schema> schema(Catalog catalog, String name) {
    return catalog.schemas().values().stream()
        .filter(schema -> schema.name().equalsIgnoreCase(name))
        .findFirst();
  }

  /** What stands for the names of calls that have no schema, by the indexes of their tokens. */
  public static Map<Integer, String> names(TokenCursor tokens, Planner.Context context) {
    Map<Integer, String> names = new HashMap<>();
    for (Call call : in(tokens, context)) {
      if (!call.qualified()) {
        names.put(call.name(), qualified(call.function()));
      }
    }
    return names;
  }

  /** A statement in which every call of a stored function has its schema's name. */
  public static String qualified(String sql, Planner.Context context) {
    TokenCursor tokens = new TokenCursor(sql, context.ansiQuotes(), context.noBackslashEscapes());
    Map<Integer, String> names = names(tokens, context);
    return names.isEmpty() ? sql : named(tokens, 0, tokens.size(), names);
  }

  /** The text from one token up to another one, exclusive, with other names for some tokens. */
  public static String named(TokenCursor tokens, int from, int to, Map<Integer, String> names) {
    StringBuilder text = new StringBuilder();
    int copied = from < to ? tokens.token(from).start() : 0;
    for (int i = from; i < to; i++) {
      if (names.containsKey(i)) {
        text.append(tokens.bytes(copied, tokens.token(i).start())).append(names.get(i));
        copied = tokens.token(i).end();
      }
    }
    return from < to
        ? text.append(tokens.bytes(copied, tokens.token(to - 1).end())).toString()
        : "";
  }

  /** A function's name as it is called at any place. */
  public static String qualified(StoredFunction function) {
    return Identifier.quote(function.schema()) + "." + Identifier.quote(function.name());
  }

  /**
   * What gives another value on each server, in a function or in one that it calls; empty for
   * nothing.
   */
  public static String varying(Catalog catalog, StoredFunction function) {
    return called(catalog, function).stream()
        .map(StoredFunction::varying)
        .filter(varying -> !varying.isEmpty())
        .findFirst()
        .orElse("");
  }

  /** The function, those that it calls, and those that they call. */
  public static List<StoredFunction> called(Catalog catalog, StoredFunction function) {
    List<StoredFunction> all = new ArrayList<>(List.of(function));
    for (int i = 0; i < all.size(); i++) {
      for (StoredFunction inner : callees(catalog, all.get(i))) {
        if (!all.contains(inner)) {
          all.add(inner);
        }
      }
    }
    return all;
  }

  /** The functions that a function's body calls. */
  public static List<StoredFunction> callees(Catalog catalog, StoredFunction function) {
    return function.calls().stream()
        .flatMap(name -> catalog.function(function.schema(), Procedure.key(name)).stream())
        .toList();
  }
}
