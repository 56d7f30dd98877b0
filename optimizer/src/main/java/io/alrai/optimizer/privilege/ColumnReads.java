package io.alrai.optimizer.privilege;

import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.bind.TableUses;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The columns of written tables that a statement reads: of each table the first one, as privileges
 * are the same for all columns of a table. One thread.
 */
final class ColumnReads {
  private final NeedList needs;
  private final List<TableRef.Named> written;
  private final Optional<TableUses> beside;
  private final Set<TableRef.Named> told = new HashSet<>();
  private final List<Need> found = new ArrayList<>();

  ColumnReads(NeedList needs, List<TableRef.Named> written) {
    this.needs = needs;
    this.written = List.copyOf(written);
    this.beside = Optional.empty();
  }

  /** The same where the tables of a query stand beside the written one. */
  ColumnReads(NeedList needs, List<TableRef.Named> written, TableUses beside) {
    this.needs = needs;
    this.written = List.copyOf(written);
    this.beside = Optional.of(beside);
  }

  /** Every column in an expression, in its subqueries those of the tables around them. */
  void read(Expr expression) {
    expression.walk(inner -> {
      if (inner instanceof Expr.Name name && beside.filter(uses -> isOf(name, uses)).isEmpty()) {
        add(name, Privilege.SELECT.bit());
      }
    });
    expression.allQueries().forEach(this::outer);
  }

  private void outer(Query query) {
    TableUses uses = TableUses.of(new Statement.Select(query));
    for (Expr expression : uses.expressions()) {
      expression.walk(inner -> {
        if (inner instanceof Expr.Name name && !isOf(name, uses)) {
          add(name, Privilege.SELECT.bit());
        }
      });
    }
  }

  /** Whether a name is a column of what a query reads itself. */
  private boolean isOf(Expr.Name name, TableUses uses) {
    return uses.tables().stream()
        .map(TableUses.Use::table)
        .anyMatch(table ->
            name.table().isPresent()
                ? name.table().get().equals(table.visibleName())
                : has(table, name.column()));
  }

  /** A column by which tables are joined. */
  void readEverywhere(String column) {
    written.stream()
        .filter(table -> has(table, column))
        .forEach(table -> add(table, column, Privilege.SELECT.bit()));
  }

  /** One use of a column; the first table that has it is meant. */
  void add(Expr.Name name, long privilege) {
    written.stream()
        .filter(table ->
            name.table().isPresent()
                ? name.table().get().equals(table.visibleName())
                : has(table, name.column()))
        .findFirst()
        .ifPresent(table -> add(table, name.column(), privilege));
  }

  private void add(TableRef.Named table, String column, long privilege) {
    String schema = needs.schema(table.schema());
    boolean first = privilege != Privilege.SELECT.bit() || told.add(table);
    if (!schema.isEmpty() && first) {
      found.add(new Need.OnColumn(schema, table.name().name(), column, privilege));
    }
  }

  private boolean has(TableRef.Named table, String column) {
    Catalog catalog = needs.context().catalog();
    String schema = needs.schema(table.schema());
    Optional<Table> known = catalog.table(schema, table.name().name());
    return known.isPresent()
        ? known.get().column(column).isPresent()
        : catalog
            .view(schema, table.name().name())
            .filter(view -> view.columns().stream().anyMatch(column::equalsIgnoreCase))
            .isPresent();
  }

  /** Behind the needs of tables. */
  void done() {
    found.forEach(needs::add);
  }
}
