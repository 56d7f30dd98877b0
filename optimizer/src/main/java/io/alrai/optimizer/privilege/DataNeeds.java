package io.alrai.optimizer.privilege;

import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.token.FunctionCalls;
import io.alrai.optimizer.api.token.SystemTables;
import io.alrai.optimizer.bind.ColumnUses;
import io.alrai.optimizer.bind.TableUses;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What statements over rows need. One thread. */
final class DataNeeds {
  private static final long SELECT = Privilege.SELECT.bit();
  private static final long UPDATE = Privilege.UPDATE.bit();

  private final NeedList needs;
  private final List<View> path = new ArrayList<>();

  DataNeeds(NeedList needs) {
    this.needs = needs;
  }

  void of(Statement statement) {
    switch (statement) {
      case Statement.Select select -> {
        reads(TableUses.of(select), Set.of());
        ColumnUses columns = needs.columnUses();
        columns.query(select.query());
        needs.columns(columns, List.of(), false);
      }
      case Statement.Update update -> update(update);
      case Statement.Delete delete -> delete(delete);
      case Statement.InsertQuery insert -> insert(insert);
      case Statement.InsertValues _ ->
          throw new IllegalStateException("its tokens tell: InsertNeeds");
    }
  }

  /** SELECT on all that is read, but for these uses. */
  private void reads(TableUses uses, Set<TableRef.Named> others) {
    for (TableUses.Use use : uses.tables()) {
      TableRef.Named table = use.table();
      if (!others.contains(table)) {
        String schema = needs.schema(table.schema());
        read(schema, table.name().name());
        if (use.locks().stream().anyMatch(lock -> !lock.shared()) && !schema.isEmpty()) {
          needs.add(new Need.LockingRead(schema, table.name().name()));
        }
      }
    }
  }

  private void read(String schema, String table) {
    if (SystemTables.isSystemSchema(schema)) {
      SystemNeeds.read(needs, schema, table);
      return;
    }
    write(schema, table, SELECT);
  }

  /** What is done with a table or view by name, and with what a view of the invoker's reads. */
  void write(String schema, String table, long privileges) {
    needs.byColumn(schema, table, privileges);
    below(schema, table, privileges);
  }

  private void below(String schema, String table, long privileges) {
    needs
        .context()
        .catalog()
        .view(schema, table)
        .filter(view -> view.definer().isEmpty())
        .ifPresent(view -> invoked(view, view, privileges));
  }

  /** MySQL's error names the view that the statement names. */
  private void invoked(View named, View view, long privileges) {
    if (path.contains(view)) {
      return;
    }
    path.add(view);
    TableUses uses = uses(view);
    for (Expr expression : uses.expressions()) {
      expression.walk(inner -> calls(named, inner));
    }
    for (TableUses.Use use : uses.tables()) {
      String schema = use.table().schema().map(Identifier::name).orElse("");
      String table = use.table().name().name();
      needs.add(
          new Need.InView(named.schema(), named.name(), schema, table, privileges, List.of()));
      needs
          .context()
          .catalog()
          .view(schema, table)
          .filter(inner -> inner.definer().isEmpty())
          .ifPresent(inner -> invoked(named, inner, privileges));
    }
    path.removeLast();
  }

  private void calls(View named, Expr expression) {
    if (expression instanceof Expr.Call call) {
      FunctionCalls.named(needs.context().catalog(), "", call.name())
          .ifPresent(function ->
              needs.add(
                  new Need.CalledInView(
                      named.schema(), named.name(), function.schema(), function.name())));
    }
  }

  private static TableUses uses(View view) {
    return TableUses.of(StatementParser.parse(view.query(), false, false));
  }

  /** What EXPLAIN of the statement needs besides. */
  void explained(TableUses uses) {
    for (TableUses.Use use : uses.tables()) {
      String schema = needs.schema(use.table().schema());
      needs
          .context()
          .catalog()
          .view(schema, use.table().name().name())
          .ifPresent(view -> {
            for (TableUses.Use below : uses(view).tables()) {
              String inner = below.table().schema().map(Identifier::name).orElse("");
              needs.add(new Need.Explained(inner, below.table().name().name(), SELECT));
            }
            needs.add(new Need.Explained(view.schema(), view.name(), Privilege.SHOW_VIEW.bit()));
          });
    }
  }

  private void update(Statement.Update update) {
    List<TableRef.Named> targets = TableRef.named(update.tables());
    boolean several = targets.size() > 1 || !(update.tables().getFirst() instanceof TableRef.Named);
    for (TableRef.Named target : targets) {
      String schema = needs.schema(target.schema());
      String name = target.name().name();
      if (!several) {
        write(schema, name, UPDATE);
      } else if (!schema.isEmpty()) {
        needs.add(new Need.AnyOnTable(schema, name, SELECT | UPDATE, "SELECT", false, false));
      }
    }
    reads(TableUses.of(update), new HashSet<>(targets));
    ColumnUses columns = needs.columnUses();
    columns.update(update);
    needs.columns(columns, targets, several);
  }

  private void delete(Statement.Delete delete) {
    List<TableRef.Named> tables = TableRef.named(delete.from());
    ColumnUses columns = needs.columnUses();
    columns.delete(delete);
    if (!delete.targets().isEmpty()) {
      reads(TableUses.of(delete), Set.of());
      delete.targets().forEach(target -> target(target, tables));
      needs.columns(columns, List.of(), false);
      return;
    }
    for (TableRef.Named table : tables) {
      write(needs.schema(table.schema()), table.name().name(), Privilege.DELETE.bit());
    }
    reads(TableUses.of(delete), new HashSet<>(tables));
    needs.columns(columns, tables, false);
  }

  private void target(Statement.TargetTable target, List<TableRef.Named> tables) {
    Optional<TableRef.Named> named =
        tables.stream()
            .filter(table -> table.visibleName().equals(target.name().name()))
            .findFirst();
    String schema = needs.schema(named.map(TableRef.Named::schema).orElse(target.schema()));
    String name = named.map(table -> table.name().name()).orElse(target.name().name());
    write(schema, name, Privilege.DELETE.bit());
  }

  private void insert(Statement.InsertQuery insert) {
    TableRef.Named target = insert.target();
    write(
        needs.schema(target.schema()),
        target.name().name(),
        inserting(insert.replace(), !insert.onDuplicate().isEmpty()));
    TableUses uses = TableUses.of(insert);
    reads(uses, Set.of());
    ColumnUses columns = needs.columnUses();
    columns.inserted(target, insert.columns().stream().map(Identifier::name).toList());
    columns.query(insert.query());
    columns.assigned(
        target, insert.onDuplicate().stream().map(each -> each.column().column()).toList());
    columns.values(
        insert.onDuplicate().stream().map(Statement.Assignment::value).toList(),
        List.of(target),
        Optional.of(insert.query()));
    needs.columns(columns, List.of(target), false);
  }

  static long inserting(boolean replaces, boolean updates) {
    return Privilege.INSERT.bit()
        | (replaces ? Privilege.DELETE.bit() : 0)
        | (updates ? UPDATE : 0);
  }

  /** SELECT on what the subqueries of a value read. */
  void value(Expr expression) {
    expression
        .allQueries()
        .forEach(query -> reads(TableUses.of(new Statement.Select(query)), Set.of()));
  }
}
