package io.alrai.optimizer.route;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.GatherPlan;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.SqlTemplate.Piece;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.StoredFunction;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.token.FunctionCalls;
import io.alrai.optimizer.bind.Functions;
import io.alrai.optimizer.bind.Names;
import io.alrai.optimizer.bind.TableUses;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Calls of stored functions in a statement's tree. */
public final class StoredCalls {
  private final Map<Expr.Call, StoredFunction> interpreted = new LinkedHashMap<>();

  private StoredCalls() {}

  /**
   * Those that CNs interpret.
   *
   * @throws AlraiException 1235 in an INSERT of values, or where each call may give another value
   */
  public static StoredCalls interpreted(Statement tree, Planner.Context context) {
    StoredCalls found = new StoredCalls();
    if (context.catalog().hasFunctions()) {
      for (Expr expression : TableUses.of(tree).expressions()) {
        expression.walk(inner -> {
          if (inner instanceof Expr.Call call) {
            FunctionCalls.named(context.catalog(), context.currentSchema(), call.name())
                .ifPresent(function -> found.put(call, function, context.catalog()));
          }
        });
      }
    }
    found.check(tree, context.catalog());
    return found;
  }

  private void put(Expr.Call call, StoredFunction function, Catalog catalog) {
    requireNew(function, catalog);
    if (function.interpreted().isPresent()) {
      interpreted.put(call, function);
    }
  }

  private void check(Statement tree, Catalog catalog) {
    boolean rows = tree instanceof Statement.InsertValues;
    interpreted.forEach((call, function) -> {
      if (rows) {
        throw ofRows(function);
      }
      String varying = FunctionCalls.varying(catalog, function);
      boolean[] unrepeatable = {!varying.isEmpty()};
      call.arguments()
          .forEach(each -> each.walk(inner -> unrepeatable[0] |= Functions.isUnrepeatable(inner)));
      if (unrepeatable[0]) {
        throw Planning.unsupported(
            "function "
                + function.name()
                + ", which may give another value or write something each time ("
                + (varying.isEmpty() ? "its arguments" : varying)
                + "), with values of rows; call it in a procedure, with a cursor over the rows");
      }
    });
  }

  private static AlraiException ofRows(StoredFunction function) {
    return Planning.unsupported(
        "function "
            + function.name()
            + ", which uses tables or the session, with values of rows in a statement that is"
            + " neither a query nor a write of one table; use INSERT .. SELECT, or a procedure with"
            + " a cursor");
  }

  /** Error 1235 for what is left of them in a write that no rows are gathered for. */
  public Optional<AlraiException> refusal() {
    return interpreted.values().stream().findFirst().map(StoredCalls::ofRows);
  }

  /** Whether one of them stands in an expression. */
  boolean areIn(Expr expression) {
    boolean[] found = new boolean[1];
    expression.walk(
        inner -> found[0] |= inner instanceof Expr.Call call && interpreted.containsKey(call));
    return found[0];
  }

  /** The first of these that CNs interpret, or that calls one which they do. */
  public static Optional<StoredFunction> interpreted(
      List<FunctionCalls.Call> calls, Catalog catalog) {
    for (FunctionCalls.Call call : calls) {
      requireNew(call.function(), catalog);
    }
    return calls.stream()
        .map(FunctionCalls.Call::function)
        .filter(function -> function.interpreted().isPresent())
        .findFirst();
  }

  /** A mysqld that ran it would run the other one, too, in a schema without rows. */
  static void requireNew(StoredFunction function, Catalog catalog) {
    if (function.interpreted().isPresent()) {
      return;
    }
    FunctionCalls.called(catalog, function).stream()
        .filter(inner -> inner.interpreted().isPresent())
        .findFirst()
        .ifPresent(inner -> {
          throw Planning.unsupported(
              "function "
                  + function.name()
                  + ", which was made before function "
                  + inner.name()
                  + ", which uses tables or the session; make it again");
        });
  }

  /** Refuses what mysqlds would run, or many times with other values. */
  public static void requireQuery(StoredFunction function, Work work) {
    boolean query =
        switch (work) {
          case Work.Data(_, Plan.Write write) -> write.callsFunctions();
          case Work.Data data ->
              data.plan() instanceof Plan.Select || data.plan() instanceof Plan.InsertSelect;
          case Work.Administrative admin ->
              admin.statement() instanceof AdminStatement.SelectInto
                  || admin.statement() instanceof AdminStatement.SetVariables // planned anew
                  || admin.statement() instanceof AdminStatement.ExplainOnShard
                  || admin.statement() instanceof AdminStatement.ExplainSharding;
        };
    if (!query) {
      throw ofRows(function);
    }
  }

  public boolean isEmpty() {
    return interpreted.isEmpty();
  }

  /** Why no place of rows can run the statement. */
  String reason() {
    return "function "
        + interpreted.values().iterator().next().name()
        + " is interpreted by the CN";
  }

  /** Gives them the names that they have in a scratch schema. */
  public List<GatherPlan.Function> edit(TextEdits edits) {
    Map<StoredFunction, GatherPlan.Function> functions = new LinkedHashMap<>();
    interpreted.forEach((call, function) -> {
      GatherPlan.Function scratch =
          functions.computeIfAbsent(
              function,
              fresh ->
                  new GatherPlan.Function(
                      fresh.schema(), fresh.name(), "alrai_function_" + functions.size()));
      edits.replace(
          call.nameSpan(),
          new Piece.PlaceSchema(),
          new Piece.Text("." + Identifier.quote(scratch.scratchName())));
    });
    return List.copyOf(functions.values());
  }

  /** Puts the schema's name before those that have none: no place of rows has a function. */
  public static void edit(Statement tree, TextEdits edits, Planner.Context context) {
    if (!context.catalog().hasFunctions()) {
      return;
    }
    for (Expr expression : TableUses.of(tree).expressions()) {
      expression.walk(inner -> {
        if (inner instanceof Expr.Call call) {
          context
              .catalog()
              .function(context.currentSchema(), call.name())
              .ifPresent(found -> edits.replace(call.nameSpan(), FunctionCalls.qualified(found)));
        }
      });
    }
  }

  /** Whether every evaluation, or each server, may give another value, or only a CN any. */
  public static boolean isUnrepeatable(Expr expression, Names names) {
    if (Functions.isUnrepeatable(expression)) {
      return true;
    }
    return names.catalog().hasFunctions()
        && expression instanceof Expr.Call call
        && FunctionCalls.named(names.catalog(), names.currentSchema(), call.name())
            .filter(found ->
                found.interpreted().isPresent()
                    || !FunctionCalls.varying(names.catalog(), found).isEmpty())
            .isPresent();
  }
}
