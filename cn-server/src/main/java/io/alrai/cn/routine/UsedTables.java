package io.alrai.cn.routine;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.inspect.ViewTables;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.StatementKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The tables of the statements whose functions are at work: a function may not change them. One
 * virtual thread at a time.
 */
final class UsedTables {
  private static final int IN_USE = 1442;
  private static final Set<StatementKind> WRITES =
      EnumSet.of(
          StatementKind.INSERT, StatementKind.REPLACE, StatementKind.UPDATE, StatementKind.DELETE);
  private static final long CHANGES =
      Privilege.INSERT.bit() | Privilege.UPDATE.bit() | Privilege.DELETE.bit();
  private static final long ANY = -1;

  private final SessionPath path;
  private final Deque<Set<Name>> used = new ArrayDeque<>();

  private record Name(String schema, String table) {}

  UsedTables(SessionPath path) {
    this.path = path;
  }

  /** A statement's functions begin. */
  void enter(ShapedText statement) {
    used.push(tables(path.needs(statement), ANY));
  }

  /** They end. */
  void leave() {
    used.pop();
  }

  /**
   * Called before each statement of a function.
   *
   * @throws AlraiException 1442 where it changes a table that is in use
   */
  void requireFree(ShapedText statement) {
    if (used.isEmpty() || !WRITES.contains(statement.kind())) {
      return;
    }
    for (Name written : tables(path.needs(statement), CHANGES)) {
      if (used.stream().anyMatch(tables -> tables.contains(written))) {
        throw AlraiException.fromServer(
            IN_USE,
            "HY000",
            "Can't update table '"
                + written.table()
                + "' in stored function/trigger because it is already used by statement which"
                + " invoked this stored function/trigger.");
      }
    }
  }

  /** Those for which one of these privileges is asked; of views, the tables that they read. */
  private Set<Name> tables(Needs needs, long privileges) {
    Set<Name> tables = new HashSet<>();
    for (Need need : needs.all()) {
      switch (need) {
        case Need.OnTable on when (on.privileges() & privileges) != 0 ->
            add(tables, on.schema(), on.table());
        case Need.OnColumn on when (on.anyOf() & privileges) != 0 ->
            add(tables, on.schema(), on.table());
        case Need.AnyOnTable on when privileges == ANY -> add(tables, on.schema(), on.table());
        case Need.NamedTable _,
            Need.ParentTable _,
            Need.OnSchema _,
            Need.UsesSchema _,
            Need.Global _,
            Need.InView _,
            Need.CalledInView _,
            Need.Explained _,
            Need.OnRoutine _,
            Need.ShownRoutine _,
            Need.ShownTrigger _,
            Need.OfDefiner _,
            Need.Unasked _,
            Need.AsDefiner _ -> {
          // of no table, or of one that is named besides
        }
      }
    }
    return tables;
  }

  private void add(Set<Name> tables, String schema, String name) {
    Catalog catalog = path.catalog();
    Optional<View> view = catalog.view(schema, name);
    if (view.isEmpty()) {
      tables.add(new Name(schema, name));
      return;
    }
    for (ViewTables.Read read : ViewTables.of(catalog, view.get())) {
      tables.add(new Name(read.table().schema(), read.table().name()));
    }
  }
}
