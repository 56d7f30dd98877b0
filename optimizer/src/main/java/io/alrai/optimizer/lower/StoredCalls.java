package io.alrai.optimizer.lower;

import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.bind.Functions;
import io.alrai.optimizer.bind.Names;
import io.alrai.optimizer.bind.TableUses;
import io.alrai.optimizer.parse.FunctionCalls;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Statement;

/** Calls of stored functions in a statement's tree. */
final class StoredCalls {
  private StoredCalls() {}

  /** Puts the schema's name before those that have none: no place of rows has a function. */
  static void edit(Statement tree, TextEdits edits, Planner.Context context) {
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

  /** Whether every evaluation, or each server, may give another value. */
  static boolean isUnrepeatable(Expr expression, Names names) {
    if (Functions.isUnrepeatable(expression)) {
      return true;
    }
    return names.catalog().hasFunctions()
        && expression instanceof Expr.Call call
        && FunctionCalls.named(names.catalog(), names.currentSchema(), call.name())
            .filter(found -> !FunctionCalls.varying(names.catalog(), found).isEmpty())
            .isPresent();
  }
}
