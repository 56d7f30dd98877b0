package io.alrai.optimizer.bind;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.bind.ViewTexts.Edit;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Identifier;
import io.alrai.optimizer.syntax.Span;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Turns UPDATE, DELETE and INSERT ... SELECT of a plain view into those of its table, and refuses
 * other writes through views. INSERT ... VALUES is not parsed to a tree: its planner asks {@link
 * #target}. One thread.
 */
public final class ViewWrites {
  private final Planner.Context context;
  private final List<Edit> edits = new ArrayList<>();
  private Optional<TableRef.Named> target = Optional.empty();

  ViewWrites(Planner.Context context) {
    this.context = context;
  }

  /** What makes the statement one of the view's table; none where it writes to no view. */
  List<Edit> edits(Statement tree) {
    switch (tree) {
      case Statement.Update update -> {
        for (TableRef.Named table : TableRef.named(update.tables())) {
          view(table)
              .filter(view -> isAssigned(update, table, view))
              .ifPresent(view -> update(update, table, view));
        }
      }
      case Statement.Delete delete -> {
        for (TableRef.Named table : TableRef.named(delete.from())) {
          view(table)
              .filter(view -> isTarget(delete, table))
              .ifPresent(view -> delete(delete, table, view));
        }
      }
      case Statement.InsertQuery insert ->
          view(insert.target()).ifPresent(view -> insert(insert, view));
      case Statement.InsertValues _, Statement.Select _ -> {}
    }
    return edits;
  }

  /** The view's use that the edits replace. */
  Optional<TableRef.Named> target() {
    return target;
  }

  /**
   * The view that an INSERT names as one to write through.
   *
   * @param replaces whether it is a REPLACE
   * @throws AlraiException 1356 for one whose tables are gone, 1471 for one that takes no rows,
   *     1235 for one with a CHECK OPTION
   */
  public static WritableView target(Catalog catalog, View view, boolean replaces) {
    ViewTexts.requireWritable(
        catalog, view, Privilege.INSERT.bit() | (replaces ? Privilege.DELETE.bit() : 0));
    WritableView writable =
        WritableView.of(catalog, view)
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ER_NON_INSERTABLE_TABLE,
                    "The target table "
                        + view.name()
                        + " of the INSERT is not insertable-into"
                        + reason(view)));
    return writable.unchecked();
  }

  private Optional<View> view(TableRef.Named table) {
    String schema = table.schema().map(Identifier::name).orElse(context.currentSchema());
    return context.catalog().view(schema, table.name().name());
  }

  private static boolean isAssigned(Statement.Update update, TableRef.Named table, View view) {
    boolean alone = update.tables().size() == 1 && update.tables().getFirst() == table;
    return alone
        || update.assignments().stream()
            .map(Statement.Assignment::column)
            .anyMatch(column ->
                column.table().isPresent()
                    ? column.table().get().equals(table.visibleName())
                    : view.columns().stream().anyMatch(column.column()::equalsIgnoreCase));
  }

  private static boolean isTarget(Statement.Delete delete, TableRef.Named table) {
    return delete.targets().isEmpty()
        || delete.targets().stream()
            .anyMatch(target -> target.name().name().equals(table.visibleName()));
  }

  private void update(Statement.Update update, TableRef.Named table, View view) {
    ViewTexts.requireWritable(context.catalog(), view, Privilege.UPDATE.bit());
    WritableView writable = only(update.tables(), table, view, "UPDATE");
    writable.unchecked();
    replace(table, writable);
    for (Statement.Assignment assignment : update.assignments()) {
      names(assignment.column(), table, writable, "field list");
      names(assignment.value(), table, writable, "field list");
    }
    tail(update.tail(), table, writable, update.assignments().getLast().span().end());
  }

  private void delete(Statement.Delete delete, TableRef.Named table, View view) {
    ViewTexts.requireWritable(context.catalog(), view, Privilege.DELETE.bit());
    if (!delete.targets().isEmpty()) {
      throw severalTables(view, "DELETE", table);
    }
    WritableView writable = only(delete.from(), table, view, "DELETE");
    replace(table, writable);
    tail(delete.tail(), table, writable, table.span().end());
  }

  private WritableView only(List<TableRef> tables, TableRef.Named table, View view, String verb) {
    if (tables.size() != 1 || tables.getFirst() != table) {
      throw severalTables(view, verb, table);
    }
    return WritableView.of(context.catalog(), view)
        .orElseThrow(() -> notUpdatable(view, verb, table));
  }

  private static AlraiException severalTables(View view, String verb, TableRef.Named table) {
    return view.updatable()
        ? new AlraiException(
            ErrorCode.ER_NOT_SUPPORTED_YET,
            "This version of Alrai doesn't yet support "
                + verb
                + " of several tables through a view; name the view's table")
        : notUpdatable(view, verb, table);
  }

  private static AlraiException notUpdatable(View view, String verb, TableRef.Named table) {
    return new AlraiException(
        ErrorCode.ER_NON_UPDATABLE_TABLE,
        "The target table "
            + table.visibleName()
            + " of the "
            + verb
            + " is not updatable"
            + reason(view));
  }

  /** Empty where MySQL refuses it too. */
  private static String reason(View view) {
    return view.updatable()
        ? ": this version of Alrai writes through views of plain columns of one table only"
        : "";
  }

  private void replace(TableRef.Named table, WritableView writable) {
    target = Optional.of(table);
    String text = writable.tableText() + " AS " + Identifier.quote(table.visibleName());
    edits.add(new Edit(ViewTexts.place(table), text, true));
  }

  /** WHERE with the view's condition; it comes behind {@code behind} where the client has none. */
  private void tail(Statement.Tail tail, TableRef.Named table, WritableView writable, int behind) {
    Optional<String> condition =
        writable
            .condition(table.visibleName())
            .map(text -> context.noBackslashEscapes() ? ViewTexts.withoutEscapes(text) : text);
    if (condition.isPresent() && tail.where().isPresent()) {
      Span where = tail.where().get().span();
      insert(where.start(), condition.get() + " AND (");
      insert(where.end(), ")");
    } else {
      condition.ifPresent(text -> insert(behind, " WHERE " + text));
    }
    tail.where().ifPresent(where -> names(where, table, writable, "where clause"));
    tail.orderBy().forEach(item -> names(item.expr(), table, writable, "order clause"));
  }

  private void insert(int at, String text) {
    edits.add(new Edit(new Span(at, at), text, false));
  }

  /** The view's columns by the table's names. */
  private void names(Expr expression, TableRef.Named table, WritableView writable, String where) {
    if (writable.renames() && !expression.allQueries().isEmpty()) {
      throw new AlraiException(
          ErrorCode.ER_NOT_SUPPORTED_YET,
          "This version of Alrai doesn't yet support a subquery in a write through a view that"
              + " renames columns; write to the view's table");
    }
    expression.walk(inner -> {
      if (inner instanceof Expr.Name name
          && name.table().map(table.visibleName()::equals).orElse(true)) {
        name(name, writable, where);
      }
    });
  }

  private void name(Expr.Name name, WritableView writable, String where) {
    String base =
        writable
            .base(name.column())
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ER_BAD_FIELD_ERROR,
                    "Unknown column '"
                        + name.parts().stream()
                            .map(Identifier::name)
                            .collect(Collectors.joining("."))
                        + "' in '"
                        + where
                        + "'"));
    if (!base.equalsIgnoreCase(name.column())) {
      edits.add(new Edit(name.parts().getLast().span(), Identifier.quote(base), false));
    }
  }

  private void insert(Statement.InsertQuery insert, View view) {
    WritableView writable = target(context.catalog(), view, insert.replace());
    if (insert.tail().isPresent()) {
      throw onDuplicate();
    }
    target = Optional.of(insert.target());
    edits.add(new Edit(insert.target().nameSpan(), writable.tableText(), true));
    if (insert.columns().isEmpty()) {
      String all =
          writable.base().stream()
              .map(Identifier::quote)
              .collect(Collectors.joining(",", " (", ")"));
      insert(insert.target().nameSpan().end(), all);
    }
    for (Identifier column : insert.columns()) {
      String base =
          writable
              .base(column.name())
              .orElseThrow(() ->
                  new AlraiException(
                      ErrorCode.ER_BAD_FIELD_ERROR,
                      "Unknown column '" + column.name() + "' in 'field list'"));
      edits.add(new Edit(column.span(), Identifier.quote(base), false));
    }
  }

  /** Error 1235 for ON DUPLICATE KEY UPDATE and row aliases. */
  public static AlraiException onDuplicate() {
    return new AlraiException(
        ErrorCode.ER_NOT_SUPPORTED_YET,
        "This version of Alrai doesn't yet support a row alias and ON DUPLICATE KEY UPDATE in an"
            + " INSERT through a view; insert into the view's table");
  }
}
