package io.alrai.optimizer.api.planner;

import io.alrai.executor.fragment.CheckView;
import io.alrai.executor.fragment.InsertRows;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.route.insert.InsertPlanner;
import java.util.List;

/**
 * Where the rows of LOAD DATA go: to the places of an INSERT ... SELECT with the same columns.
 *
 * @param rows takes them
 * @param checks the views that check them
 */
public record LoadedRows(InsertRows rows, List<CheckView> checks) {
  public LoadedRows {
    checks = List.copyOf(checks);
  }

  /** As an INSERT says. */
  public static LoadedRows of(ShapedStatement insert, Planner.Context context) {
    return new LoadedRows(
        InsertPlanner.rowsOfQuery(insert, context),
        InsertPlanner.checkOf(insert, context).stream().toList());
  }
}
