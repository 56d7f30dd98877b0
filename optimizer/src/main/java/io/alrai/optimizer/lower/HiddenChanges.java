package io.alrai.optimizer.lower;

import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Schema;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.bind.TouchedTables;
import io.alrai.optimizer.parse.TokenCursor;
import io.alrai.optimizer.syntax.Identifier;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.syntax.TableRef;
import java.util.List;
import java.util.Optional;

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
    switch (tree) {
      case Statement.Select _ -> {}
      case Statement.Update update -> refuse(TableRef.named(update.tables()), context);
      case Statement.Delete delete -> refuse(TableRef.named(delete.from()), context);
      case Statement.InsertQuery insert -> refuse(List.of(insert.target()), context);
      case Statement.InsertValues _ -> {
        TokenCursor tokens =
            new TokenCursor(statement.shape(), context.ansiQuotes(), context.noBackslashEscapes());
        refuse(new InsertTextParser(tokens).parse().table(), context);
      }
    }
  }

  private static void refuse(List<TableRef.Named> tables, Planner.Context context) {
    for (TableRef.Named table : tables) {
      Optional<String> schema = table.schema().map(Identifier::name);
      refuse(new TableName(schema, table.name().name()), context);
    }
  }

  /** The same for a table that gets rows in another way. */
  public static void refuse(TableName name, Planner.Context context) {
    Catalog catalog = context.catalog();
    String schema = name.schema().orElse(context.currentSchema());
    List<Table> written =
        catalog.view(schema, name.table()).isPresent()
            ? catalog.schema(schema).map(Schema::tables).stream()
                .flatMap(tables -> tables.values().stream())
                .toList()
            : catalog.table(schema, name.table()).stream().toList();
    for (Table table : written) {
      if (TouchedTables.changeRows(catalog, table)) {
        throw Planning.unsupported(
            "with snapshot_isolation_conflicts=ON a write of '"
                + name.table()
                + "', whose triggers change rows of other tables; SET it OFF or COMMIT before it");
      }
    }
  }
}
