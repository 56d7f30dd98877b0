package io.alrai.optimizer.route.gather;

import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.bind.Analysis;
import io.alrai.optimizer.bind.BlockFacts;
import io.alrai.optimizer.bind.Relation;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Which columns of a table a statement may read: those whose names occur in it, and those of its
 * unique keys and those without any default, without which its copy could not be filled. All, where
 * {@code *} or the like occurs.
 */
final class UsedColumns {
  private final Analysis analysis;
  private final Set<String> names = new HashSet<>();
  private boolean everything;

  UsedColumns(Analysis analysis) {
    this.analysis = analysis;
    int blockTables = 0;
    for (BlockFacts facts : analysis.blocks()) {
      facts.expressions().forEach(this::expression);
      facts.block().selection().items().forEach(this::item);
      facts.block().from().forEach(this::tableReference);
      blockTables += baseTables(facts);
    }
    everything |= blockTables < distinctTables(); // TABLE t stands in no block
  }

  private static int baseTables(BlockFacts facts) {
    return (int)
        facts.scope().relations().stream()
            .filter(relation -> relation instanceof Relation.Base)
            .count();
  }

  private int distinctTables() {
    Set<TableRef> references = new HashSet<>();
    analysis.tables().forEach(base -> references.add(base.reference()));
    return references.size();
  }

  private void expression(Expr expr) {
    expr.walk(inner -> {
      if (inner instanceof Expr.Name name) {
        names.add(name.column().toLowerCase(Locale.ROOT));
      }
    });
  }

  /** A column that is needed for another reason. */
  void add(String column) {
    names.add(column.toLowerCase(Locale.ROOT));
  }

  private void item(Query.SelectItem item) {
    everything |= item.expr() instanceof Expr.Star;
  }

  private void tableReference(TableRef item) {
    switch (item) {
      case TableRef.Join join -> {
        everything |= join.kind().natural();
        join.using().forEach(column -> names.add(column.toLowerCase(Locale.ROOT)));
        tableReference(join.left());
        tableReference(join.right());
      }
      case TableRef.Group group -> group.items().forEach(this::tableReference);
      case TableRef.Named named -> {}
      case TableRef.Derived derived -> {}
      case TableRef.Function function -> {}
    }
  }

  /**
   * Those of a table whose copy has its generated columns.
   *
   * @param computed whether the copy computes them itself; else its rows have their values
   */
  List<String> of(Table table, boolean computed) {
    Set<String> keys = new HashSet<>();
    table.primaryKey().forEach(column -> keys.add(column.toLowerCase(Locale.ROOT)));
    table
        .uniqueKeys()
        .forEach(key -> key.forEach(column -> keys.add(column.toLowerCase(Locale.ROOT))));
    boolean all = everything || usesGenerated(table);
    List<String> columns = new ArrayList<>();
    for (Column column : table.columns()) {
      String name = column.name().toLowerCase(Locale.ROOT);
      boolean hidden = column.name().equals(Table.IMPLICIT_KEY);
      boolean used =
          names.contains(name) || (!hidden && (all || keys.contains(name) || isNeeded(column)));
      if (used && !(computed && column.generated())) {
        columns.add(column.name());
      }
    }
    if (columns.isEmpty()) {
      table.columns().stream()
          .filter(column -> !column.generated())
          .findFirst()
          .ifPresent(column -> columns.add(column.name()));
    }
    return columns;
  }

  /** Other columns have a default of their type, which an INSERT that is not strict takes. */
  private static boolean isNeeded(Column column) {
    return column.type() == MysqlType.GEOMETRY && !column.nullable();
  }

  /** Whether the hidden key of a table without a primary key is among them. */
  boolean hasHiddenKey(Table table) {
    return table.implicitPrimaryKey() && names.contains(Table.IMPLICIT_KEY);
  }

  private boolean usesGenerated(Table table) {
    return table.columns().stream()
        .anyMatch(
            column -> column.generated() && names.contains(column.name().toLowerCase(Locale.ROOT)));
  }
}
