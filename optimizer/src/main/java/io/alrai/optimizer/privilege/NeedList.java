package io.alrai.optimizer.privilege;

import io.alrai.gms.api.DynamicPrivilege;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.Procedure;
import io.alrai.gms.api.RoutineKind;
import io.alrai.gms.api.StoredFunction;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.token.SystemTables;
import io.alrai.optimizer.bind.ColumnUses;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Needs as they are found. A table without a schema where none is chosen needs nothing: 1046. */
final class NeedList {
  private final Planner.Context context;
  private final List<Need> needs = new ArrayList<>();
  private final List<Need> columns = new ArrayList<>();

  NeedList(Planner.Context context) {
    this.context = context;
  }

  Planner.Context context() {
    return context;
  }

  Needs done() {
    return needs.isEmpty() ? Needs.NONE : new Needs(needs, columns);
  }

  void add(Need need) {
    needs.add(need);
  }

  void addAll(Needs others) {
    needs.addAll(others.all());
    columns.addAll(others.columns());
  }

  /** An empty list of columns, of a statement in this context. */
  ColumnUses columnUses() {
    return new ColumnUses(context.catalog(), context.currentSchema());
  }

  /**
   * Columns that a statement uses. Accounts that have no privileges for columns are asked for those
   * of tables alone, but for these.
   *
   * @param written tables that are not asked for SELECT as a whole: of each the first column that
   *     is read
   * @param assigned whether each column that is assigned is asked for
   */
  void columns(ColumnUses uses, Collection<TableRef.Named> written, boolean assigned) {
    Set<TableRef.Named> told = new HashSet<>();
    List<Need> first = new ArrayList<>();
    for (ColumnUses.Use use : uses.found()) {
      if (SystemTables.isSystemSchema(use.schema())) {
        continue;
      }
      columns.add(need(use));
      boolean reads = use.anyOf() == Privilege.SELECT.bit();
      boolean alone =
          written.contains(use.reference())
              && (reads ? told.add(use.reference()) : assigned)
              && use.view().isEmpty();
      if (alone) {
        first.add(
            new Need.OnColumn(use.schema(), use.table(), use.columns().getFirst(), use.anyOf()));
      }
    }
    needs.addAll(first);
  }

  private static Need need(ColumnUses.Use use) {
    if (use.view().isPresent()) {
      View view = use.view().get();
      return new Need.InView(
          view.schema(), view.name(), use.schema(), use.table(), use.anyOf(), use.columns());
    }
    return use.star()
        ? new Need.OnColumns(use.schema(), use.table(), use.columns(), use.anyOf())
        : new Need.OnColumn(use.schema(), use.table(), use.columns().getFirst(), use.anyOf());
  }

  String schema(TableName name) {
    return name.schema().orElse(context.currentSchema());
  }

  String schema(Optional<Identifier> given) {
    return given.map(Identifier::name).orElse(context.currentSchema());
  }

  void onTable(TableName name, Privilege... privileges) {
    onTable(schema(name), name.table(), Privilege.bits(privileges));
  }

  void onTable(String schema, String table, long privileges) {
    if (!schema.isEmpty()) {
      needs.add(new Need.OnTable(schema, table, privileges));
    }
  }

  /** Adds privileges on a table where {@link #columns} asks for the columns. */
  void byColumn(String schema, String table, long privileges) {
    if (!schema.isEmpty()) {
      needs.add(new Need.OnTable(schema, table, privileges, true));
    }
  }

  /** One of several on a table; nothing for one that is not there. */
  void anyOnTable(TableName name, long anyOf, String command) {
    String schema = schema(name);
    boolean there =
        context.catalog().table(schema, name.table()).isPresent()
            || context.catalog().view(schema, name.table()).isPresent();
    if (there) {
      needs.add(new Need.AnyOnTable(schema, name.table(), anyOf, command, false, false));
    }
  }

  void onSchema(String schema, Privilege privilege) {
    if (!schema.isEmpty()) {
      needs.add(new Need.OnSchema(schema, privilege.bit()));
    }
  }

  /** Nothing of the system's schemas, whose procedures are not called here. */
  void onRoutine(RoutineKind kind, TableName name, Privilege privilege) {
    String schema = schema(name);
    if (!schema.isEmpty()) {
      needs.add(new Need.OnRoutine(kind, schema, name.table(), privilege));
    }
  }

  /** Whose name a procedure or function runs in; empty where there is none. */
  Optional<String> definer(RoutineKind kind, TableName name) {
    String schema = schema(name);
    return switch (kind) {
      case PROCEDURE -> context.catalog().procedure(schema, name.table()).map(Procedure::definer);
      case FUNCTION ->
          context.catalog().function(schema, name.table()).map(StoredFunction::definer);
    };
  }

  void onFunction(StoredFunction function, Privilege privilege) {
    needs.add(
        new Need.OnRoutine(RoutineKind.FUNCTION, function.schema(), function.name(), privilege));
  }

  void global(String names, long anyOf, DynamicPrivilege... orAnyOf) {
    needs.add(new Need.Global(anyOf, List.of(orAnyOf), names));
  }
}
