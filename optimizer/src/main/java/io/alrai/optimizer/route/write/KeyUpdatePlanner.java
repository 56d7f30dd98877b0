package io.alrai.optimizer.route.write;

import io.alrai.executor.fragment.InsertRows;
import io.alrai.executor.fragment.InsertRows.Placement;
import io.alrai.executor.fragment.MergePlan;
import io.alrai.executor.fragment.Plan;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.route.AssignedValues;
import io.alrai.optimizer.route.Placements;
import io.alrai.optimizer.route.Planning;
import io.alrai.optimizer.shardsql.TextEdits;
import io.alrai.optimizer.syntax.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A single-table UPDATE that assigns partition key columns. */
final class KeyUpdatePlanner {
  private final Planning planning;
  private final Statement.Update update;
  private final WriteTarget target;
  private final TextEdits edits;

  /** {@code edits} are those of the shard's text. */
  KeyUpdatePlanner(
      Planning planning, Statement.Update update, WriteTarget target, TextEdits edits) {
    this.planning = planning;
    this.update = update;
    this.target = target;
    this.edits = edits;
  }

  /** The plan around the write that each place runs. */
  Plan.KeyUpdate plan(Plan.Write write) {
    Relation.Base base = target.base();
    Table table = base.table();
    List<String> keys = Placements.keyColumns(table);
    AssignedValues values = target.values().orElseThrow();
    SqlBuilder sql = new SqlBuilder().text("SELECT DISTINCT ");
    for (int i = 0; i < keys.size(); i++) {
      String column = target.qualified(keys.get(i));
      sql.text(i == 0 ? "" : ", ").template(values.of(keys.get(i), column, edits));
    }
    sql.text(" FROM ").template(edits.of(base.reference().span()));
    update.tail().where().ifPresent(where -> sql.text(" WHERE ").template(edits.of(where.span())));
    SqlTemplate select = sql.text(" FOR UPDATE").build();
    MergePlan newKeys =
        new MergePlan(
            select,
            select,
            keys.size(),
            keys.size(),
            List.of(),
            Optional.empty(),
            List.of(),
            Optional.empty());
    return new Plan.KeyUpdate(
        write,
        newKeys,
        values.areForeseen(),
        movedRows(planning.catalog(), table),
        table.primaryKey());
  }

  /** How a row is stored anew at another place: partition key columns first, then all others. */
  static InsertRows movedRows(Catalog catalog, Table table) {
    List<String> keys = Placements.keyColumns(table);
    List<String> columns = new ArrayList<>();
    keys.forEach(key -> columns.add(table.column(key).orElseThrow().name()));
    for (Column column : table.columns()) {
      if (!column.generated() && !columns.contains(column.name())) {
        columns.add(column.name());
      }
    }
    SqlTemplate head =
        new SqlBuilder()
            .text("INSERT INTO ")
            .piece(new SqlTemplate.Piece.PlaceSchema())
            .text("." + Identifier.quote(table.name()) + " (")
            .text(String.join(",", columns.stream().map(Identifier::quote).toList()))
            .text(") VALUES")
            .build();
    return new InsertRows(
        table.schema(),
        table.name(),
        new Placement.ByKey(
            Placements.function(table),
            new Placements(catalog).places(table),
            IntStream.range(0, keys.size()).boxed().toList()),
        columns,
        columns.size(),
        head,
        List.of(),
        0,
        SqlTemplate.EMPTY,
        Optional.empty(),
        false);
  }
}
