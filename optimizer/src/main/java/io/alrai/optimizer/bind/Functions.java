package io.alrai.optimizer.bind;

import io.alrai.optimizer.api.token.NamedLocks;
import io.alrai.optimizer.syntax.Expr;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What the planner knows of MySQL's functions. */
public final class Functions {
  private static final Set<String> AGGREGATES =
      Set.of(
          "COUNT",
          "SUM",
          "AVG",
          "MIN",
          "MAX",
          "GROUP_CONCAT",
          "STD",
          "STDDEV",
          "STDDEV_POP",
          "STDDEV_SAMP",
          "VARIANCE",
          "VAR_POP",
          "VAR_SAMP",
          "BIT_AND",
          "BIT_OR",
          "BIT_XOR",
          "JSON_ARRAYAGG",
          "JSON_OBJECTAGG",
          "ST_COLLECT",
          "GROUPING");

  private static final Set<String> UNREPEATABLE =
      Set.of("RAND", "UUID", "UUID_SHORT", "RANDOM_BYTES", "SLEEP", "BENCHMARK");

  private Functions() {}

  /** Whether a call is an aggregate (not a window function). */
  public static boolean isAggregate(Expr expr) {
    return expr instanceof Expr.Call call
        && call.window().isEmpty()
        && AGGREGATES.contains(call.name());
  }

  /** Whether every evaluation may give another value. */
  public static boolean isUnrepeatable(Expr expr) {
    return expr instanceof Expr.Call call && isUnrepeatable(call.name());
  }

  /** Whether a function, named in upper case, gives another value each time. */
  public static boolean isUnrepeatable(String name) {
    return UNREPEATABLE.contains(name);
  }

  /** Whether it is about named locks, which belong to a session. */
  public static boolean isNamedLock(Expr expr) {
    return expr instanceof Expr.Call call && NamedLocks.isFunction(call.name());
  }

  /** The aggregates within an expression, not those of subqueries. */
  public static List<Expr.Call> aggregates(Expr expr) {
    List<Expr.Call> found = new ArrayList<>();
    expr.walk(inner -> {
      if (isAggregate(inner)) {
        found.add((Expr.Call) inner);
      }
    });
    return found;
  }

  /** The window function calls within an expression, not those of subqueries. */
  public static List<Expr.Call> windowCalls(Expr expr) {
    List<Expr.Call> found = new ArrayList<>();
    expr.walk(inner -> {
      if (inner instanceof Expr.Call call && call.window().isPresent()) {
        found.add(call);
      }
    });
    return found;
  }
}
