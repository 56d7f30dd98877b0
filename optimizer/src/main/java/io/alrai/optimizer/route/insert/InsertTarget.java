package io.alrai.optimizer.route.insert;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.InsertRows.Placement;
import io.alrai.executor.fragment.ShardPlace;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.token.SystemTables;
import io.alrai.optimizer.route.Placements;
import io.alrai.optimizer.route.insert.InsertText.ColumnName;
import io.alrai.optimizer.view.ViewWrites;
import io.alrai.optimizer.view.WritableView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The table that gets rows, and where its rows go.
 *
 * @param view by which the statement names it, and its columns
 */
record InsertTarget(Catalog catalog, Table table, Optional<WritableView> view) {
  /**
   * The table of that name.
   *
   * @param replaces whether the statement is a REPLACE
   * @throws AlraiException 1046 without a schema, 1049 for an unknown one, 1146 for an unknown
   *     table, 1044 for the server's own, 1471 and 1235 for a view that is not written through
   */
  static InsertTarget of(TableName name, Planner.Context context, boolean replaces) {
    Catalog catalog = context.catalog();
    String schema = name.schema().orElse(context.currentSchema());
    if (schema.isEmpty()) {
      throw new AlraiException(ErrorCode.ER_NO_DB_ERROR, "No database selected");
    }
    if (SystemTables.isSystemSchema(schema)) {
      throw new AlraiException(
          ErrorCode.ER_DBACCESS_DENIED_ERROR, "Access denied to database '" + schema + "'");
    }
    if (catalog.schema(schema).isEmpty()) {
      throw new AlraiException(ErrorCode.ER_BAD_DB_ERROR, "Unknown database '" + schema + "'");
    }
    Optional<WritableView> view =
        catalog
            .view(schema, name.table())
            .map(found -> ViewWrites.target(catalog, found, replaces));
    if (view.isPresent()) {
      return new InsertTarget(catalog, view.get().table(), view);
    }
    Optional<Table> table = catalog.table(schema, name.table());
    if (table.isEmpty()) {
      throw new AlraiException(
          ErrorCode.ER_NO_SUCH_TABLE, "Table '" + schema + "." + name.table() + "' doesn't exist");
    }
    return new InsertTarget(catalog, table.get(), Optional.empty());
  }

  /**
   * The columns of a statement without a list: all but invisible ones, or those of the view.
   *
   * @throws AlraiException 1348 for a view of values of others
   */
  List<Column> visibleColumns() {
    if (view.isPresent()) {
      view.get().requireInsertable(List.of());
      return view.get().base().stream().flatMap(name -> table.column(name).stream()).toList();
    }
    return table.columns().stream().filter(column -> !column.invisible()).toList();
  }

  /**
   * The columns of a list.
   *
   * @throws AlraiException 1054 for an unknown one, 1110 for one that comes twice, 1348 and 1471
   *     for those of a view that are values of others
   */
  List<Column> columns(List<ColumnName> names) {
    view.ifPresent(named -> named.requireInsertable(names.stream().map(ColumnName::name).toList()));
    List<Column> columns = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (ColumnName name : names) {
      Column column = column(name);
      if (!seen.add(column.name().toLowerCase(Locale.ROOT))) {
        throw InsertErrors.twice(name.name());
      }
      columns.add(column);
    }
    return columns;
  }

  private Column column(ColumnName name) {
    Optional<Column> found =
        view.map(named -> named.base(name.name()))
            .orElse(Optional.of(name.name()))
            .flatMap(table::column);
    List<String> qualifiers = name.qualifiers();
    boolean ofTable =
        switch (qualifiers.size()) {
          case 0 -> true;
          case 1 -> qualifiers.get(0).equals(name());
          default -> qualifiers.get(0).equals(schema()) && qualifiers.get(1).equals(name());
        };
    if (!ofTable || found.isEmpty() || found.get().name().equals(Table.IMPLICIT_KEY)) {
      throw InsertErrors.unknownColumn(name.shown());
    }
    return found.get();
  }

  /** The schema of the table, or of the view by which the statement names it. */
  String schema() {
    return view.map(named -> named.view().schema()).orElse(table.schema());
  }

  /** What the statement calls it. */
  String name() {
    return view.map(named -> named.view().name()).orElse(table.name());
  }

  /** Whether the table has a column of that name and the view by which it is named has none. */
  boolean hides(String column) {
    return view.filter(named -> named.hides(column)).isPresent();
  }

  /** The AUTO_INCREMENT column that clients see. */
  Optional<Column> autoIncrement() {
    return table.autoIncrementColumn().filter(column -> !column.name().equals(Table.IMPLICIT_KEY));
  }

  /** Names of the columns whose values decide the place; empty where none do. */
  List<String> keyColumns() {
    return Placements.keyColumns(table);
  }

  /**
   * Where rows go.
   *
   * @param columns of the cells; all key columns are among them
   */
  Placement placement(List<Column> columns) {
    return switch (table.partitioning()) {
      case Partitioning.Key key -> byKey(columns);
      case Partitioning.Hash hash -> byKey(columns);
      case Partitioning.Spread spread -> new Placement.AnyOf(places());
      case Partitioning.Single single -> new Placement.AnyOf(places());
      case Partitioning.Broadcast broadcast ->
          new Placement.EveryDn(catalog.broadcastSchema(table));
    };
  }

  private Placement byKey(List<Column> columns) {
    List<Integer> cells = new ArrayList<>();
    for (String name : keyColumns()) {
      int cell = indexOf(columns, name);
      if (cell < 0) {
        throw new IllegalStateException("no cell for key column " + name);
      }
      cells.add(cell);
    }
    return new Placement.ByKey(Placements.function(table), places(), cells);
  }

  /** Whether a column takes the text of a number as it is written. */
  static boolean isString(Column column) {
    return switch (column.type()) {
      case CHAR, VARCHAR, VARCHAR_OLD, TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB -> true;
      default -> false;
    };
  }

  /** The index of the column of that name, or -1. */
  static int indexOf(List<Column> columns, String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equalsIgnoreCase(name)) {
        return i;
      }
    }
    return -1;
  }

  private List<ShardPlace> places() {
    return new Placements(catalog).places(table);
  }
}
