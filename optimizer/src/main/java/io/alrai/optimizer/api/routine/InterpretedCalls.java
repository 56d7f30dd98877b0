package io.alrai.optimizer.api.routine;

import io.alrai.gms.api.StoredFunction;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.api.text.SyntaxException;
import io.alrai.optimizer.api.text.TokenKind;
import io.alrai.optimizer.api.token.FunctionCalls;
import io.alrai.optimizer.api.token.TokenCursor;
import io.alrai.optimizer.bind.Functions;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Calls of functions that CNs interpret, in a statement's text: those whose arguments need no rows,
 * so that their values can be had before the statement is planned. Pure.
 */
public final class InterpretedCalls {
  private static final String SELECT = "SELECT ";

  private final TokenCursor tokens;
  private final Planner.Context context;
  private final String sql;
  private final List<Call> calls = new ArrayList<>();

  /** What stands at a parameter marker of the text with holes. */
  public sealed interface Marker {
    /** The value of the call of that index. */
    record OfCall(int call) implements Marker {}

    /** The client's parameter of that index. */
    record OfClient(int parameter) implements Marker {}
  }

  /**
   * A call.
   *
   * @param span where it stands, in characters
   * @param arguments their text; empty for none
   * @param firstParameter the number of the client's parameter that is the first in it
   */
  public record Call(StoredFunction function, Span span, String arguments, int firstParameter) {}

  private InterpretedCalls(String sql, Planner.Context context) {
    this.tokens = new TokenCursor(sql, context.ansiQuotes(), context.noBackslashEscapes());
    this.context = context;
    this.sql = sql;
  }

  /** Those of a statement, in the order of the text; none stands within another one. */
  public static List<Call> of(String sql, Planner.Context context) {
    InterpretedCalls found = new InterpretedCalls(sql, context);
    found.find();
    return found.calls;
  }

  /** Whether a statement takes values from rows: what it calls may be called many times. */
  public static boolean readsRows(String sql, Planner.Context context) {
    TokenCursor words = new TokenCursor(sql, context.ansiQuotes(), context.noBackslashEscapes());
    for (int i = 0; i < words.size(); i++) {
      if (words.seesAt(i, "FROM") && words.kindAt(i - 1) != TokenKind.DOT) {
        return true;
      }
    }
    return words.sees("UPDATE") || words.sees("TABLE");
  }

  /** The text with a hole for each call; items of select lists keep their labels. */
  public static Fragment without(String sql, List<Call> calls, Planner.Context context) {
    return new FragmentReader(context.ansiQuotes(), context.noBackslashEscapes())
        .calls(sql, calls.stream().map(Call::span).toList());
  }

  /** The columns of a query that are a call and nothing else: the call's index by the column's. */
  public static Map<Integer, Integer> columns(
      String sql, List<Call> calls, Planner.Context context) {
    Map<Integer, Integer> columns = new HashMap<>();
    List<Query.SelectItem> items = items(sql, context).orElse(List.of());
    for (int i = 0; i < items.size(); i++) {
      if (items.get(i).expr() instanceof Expr.Star) {
        break; // nobody knows here how many columns it is
      }
      Span span = items.get(i).expr().bare().span();
      for (int call = 0; call < calls.size(); call++) {
        if (calls.get(call).span().equals(span)) {
          columns.put(i, call);
        }
      }
    }
    return columns;
  }

  /** What the parameter markers of that text are. */
  public static List<Marker> markers(String sql, List<Call> calls, Planner.Context context) {
    TokenCursor words = new TokenCursor(sql, context.ansiQuotes(), context.noBackslashEscapes());
    List<Marker> markers = new ArrayList<>();
    int client = 0;
    int next = 0;
    for (int i = 0; i < words.size(); i++) {
      int at = FragmentReader.characters(sql, words.token(i).start());
      if (next < calls.size() && at >= calls.get(next).span().end()) {
        next++;
      }
      boolean within = next < calls.size() && at >= calls.get(next).span().start();
      if (within && at == calls.get(next).span().start()) {
        markers.add(new Marker.OfCall(next));
      }
      if (words.kindAt(i) == TokenKind.PARAMETER) {
        if (!within) {
          markers.add(new Marker.OfClient(client));
        }
        client++;
      }
    }
    return markers;
  }

  private void find() {
    int parameters = 0;
    int behind = 0;
    List<FunctionCalls.Call> all = FunctionCalls.in(tokens, context);
    int next = 0;
    for (int i = 0; i < tokens.size(); i++) {
      if (next < all.size() && all.get(next).first() == i) {
        FunctionCalls.Call call = all.get(next);
        if (i >= behind && call.function().interpreted().isPresent()) {
          int close = tokens.behindParentheses(call.name() + 1);
          if (isFreeOfRows(call.name() + 2, close - 1)) {
            add(call, close, parameters);
            behind = close;
          }
        }
        next++;
      }
      if (tokens.kindAt(i) == TokenKind.PARAMETER) {
        parameters++;
      }
    }
  }

  private void add(FunctionCalls.Call call, int close, int parameters) {
    Span span =
        new Span(
            FragmentReader.characters(sql, tokens.token(call.first()).start()),
            FragmentReader.characters(sql, tokens.token(close - 1).end()));
    calls.add(new Call(call.function(), span, arguments(call.name() + 2, close - 1), parameters));
  }

  private String arguments(int from, int to) {
    return from < to ? tokens.slice(from, to) : "";
  }

  private boolean isFreeOfRows(int from, int to) {
    return from >= to
        || items(SELECT + tokens.slice(from, to), context)
            .map(InterpretedCalls::areFreeOfRows)
            .orElse(false);
  }

  private static Optional<List<Query.SelectItem>> items(String query, Planner.Context context) {
    try {
      Statement tree =
          StatementParser.parse(query, context.ansiQuotes(), context.noBackslashEscapes());
      return tree instanceof Statement.Select select
              && select.query().body() instanceof Query.Block block
          ? Optional.of(block.selection().items())
          : Optional.empty();
    } catch (SyntaxException e) {
      return Optional.empty();
    }
  }

  private static boolean areFreeOfRows(List<Query.SelectItem> items) {
    boolean[] free = {true};
    for (Query.SelectItem item : items) {
      item.expr()
          .walk(inner -> {
            boolean needsRows =
                inner instanceof Expr.Name
                    || !inner.queries().isEmpty()
                    || Functions.isAggregate(inner)
                    || Functions.isUnrepeatable(inner)
                    || (inner instanceof Expr.Call call && call.window().isPresent());
            free[0] &= !needsRows;
          });
    }
    return free[0];
  }
}
