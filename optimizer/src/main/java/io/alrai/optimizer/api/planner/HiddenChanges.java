package io.alrai.optimizer.api.planner;

import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.inspect.TouchedTables;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;

/**
 * With snapshot_isolation_conflicts=ON: which rows the triggers of a statement change is not known
 * before, so they cannot be compared with the snapshot. Pure.
 */
public final class HiddenChanges {
  private HiddenChanges() {}

  /**
   * Refuses a statement over rows whose triggers change rows of other tables. Of one through a
   * view, all triggers of its database count.
   *
   * @throws io.alrai.common.error.AlraiException 1235
   */
  public static void refuse(ShapedStatement statement, Planner.Context context) {
    Statement tree =
        StatementParser.parse(
            statement.shape(), context.ansiQuotes(), context.noBackslashEscapes());
    WrittenTables.of(tree, statement, context).forEach(name -> refuse(name, context));
  }

  /** Refuses a table that gets rows in another way. */
  public static void refuse(TableName name, Planner.Context context) {
    for (Table table : WrittenTables.named(name, context)) {
      if (TouchedTables.changeRows(context.catalog(), table)) {
        throw Planning.unsupported(
            "with snapshot_isolation_conflicts=ON a write of '"
                + name.table()
                + "', whose triggers change rows of other tables; SET it OFF or COMMIT before it");
      }
    }
  }
}
