package io.alrai.optimizer.view;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.CheckView;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Privilege;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.TableRef;
import io.alrai.optimizer.view.ViewTexts.Edit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Turns UPDATE, DELETE and INSERT ... SELECT of plain views into those of their tables, and refuses
 * other writes through views. INSERT ... VALUES is not parsed to a tree: its planner asks {@link
 * #target}. One thread.
 */
public final class ViewWrites {
  private final Planner.Context context;
  private final List<Edit> edits = new ArrayList<>();
  private final Set<TableRef.Named> targets = new HashSet<>();

  ViewWrites(Planner.Context context) {
    this.context = context;
  }

  /** What makes the statement one of the view's table; none where it writes to no view. */
  List<Edit> edits(Statement tree) {
    switch (tree) {
      case Statement.Update update -> {
        WrittenViews written = new WrittenViews(context, update.tables(), edits);
        for (TableRef.Named table : TableRef.named(update.tables())) {
          view(table)
              .filter(view -> isAssigned(update, table, view))
              .ifPresent(view -> update(update, table, view, written));
        }
        if (!written.none()) {
          update(update, written);
        }
      }
      case Statement.Delete delete -> {
        WrittenViews written = new WrittenViews(context, delete.from(), edits);
        for (TableRef.Named table : TableRef.named(delete.from())) {
          view(table)
              .filter(view -> isTarget(delete, table))
              .ifPresent(view -> delete(delete, table, view, written));
        }
        if (!written.none()) {
          int behind = delete.from().getLast().span().end();
          tail(delete.tail(), written, behind);
        }
      }
      case Statement.InsertQuery insert ->
          view(insert.target()).ifPresent(view -> insert(insert, view));
      case Statement.InsertValues _, Statement.Select _ -> {}
    }
    return edits;
  }

  /** The uses of views that the edits replace. */
  Set<TableRef.Named> targets() {
    return targets;
  }

  /**
   * The view that an INSERT names as one to write through.
   *
   * @param replaces whether it is a REPLACE
   * @throws AlraiException 1356 for one whose tables are gone, 1471 for one that takes no rows
   */
  public static WritableView target(Catalog catalog, View view, boolean replaces) {
    ViewTexts.requireWritable(
        catalog, view, Privilege.INSERT.bit() | (replaces ? Privilege.DELETE.bit() : 0));
    return WritableView.of(catalog, view).orElseThrow(() -> notInsertable(view, reason(view)));
  }

  /** Error 1471. */
  static AlraiException notInsertable(View view, String reason) {
    return new AlraiException(
        ErrorCode.ER_NON_INSERTABLE_TABLE,
        "The target table " + view.name() + " of the INSERT is not insertable-into" + reason);
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

  private void update(
      Statement.Update update, TableRef.Named table, View view, WrittenViews written) {
    ViewTexts.requireWritable(context.catalog(), view, Privilege.UPDATE.bit());
    WritableView writable = writable(update.tables(), table, view, "UPDATE");
    written.add(table, writable);
    replace(table, writable, CheckViews.of(writable));
  }

  private void update(Statement.Update update, WrittenViews written) {
    for (Statement.Assignment assignment : update.assignments()) {
      written.assigned(assignment.column());
      written.names(assignment.value(), "field list");
    }
    tail(update.tail(), written, update.assignments().getLast().span().end());
  }

  private void delete(
      Statement.Delete delete, TableRef.Named table, View view, WrittenViews written) {
    ViewTexts.requireWritable(context.catalog(), view, Privilege.DELETE.bit());
    WritableView writable = writable(delete.from(), table, view, "DELETE");
    written.add(table, writable);
    delete.targets().stream()
        .filter(target -> target.schema().isPresent() && table.alias().isEmpty())
        .filter(target -> target.name().name().equals(table.visibleName()))
        .map(target -> new Edit(target.span(), Identifier.quote(table.visibleName()), false))
        .forEach(edits::add);
    // nothing to check, but under LOCK TABLES an UPDATE and a DELETE must name the same
    replace(table, writable, CheckViews.ofRows(writable));
  }

  private WritableView writable(
      List<TableRef> tables, TableRef.Named table, View view, String verb) {
    WritableView writable =
        WritableView.of(context.catalog(), view).orElseThrow(() -> notUpdatable(view, verb, table));
    if (!JoinedView.isPlain(tables, table, writable)) {
      throw AlraiException.unsupported(
          verb
              + " through a view behind an outer, a natural or a USING join; name the view's table");
    }
    return writable;
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
        ? ": this version of Alrai writes through views of one table without subqueries only"
        : "";
  }

  private void replace(TableRef.Named table, WritableView writable, Optional<CheckView> check) {
    targets.add(table);
    String text = writable.tableText() + " AS " + Identifier.quote(table.visibleName());
    edits.add(new Edit(ViewTexts.place(table), text, true, check));
  }

  /** WHERE with the views' conditions; it comes after {@code behind} where the client has none. */
  private void tail(Statement.Tail tail, WrittenViews written, int behind) {
    Optional<String> condition =
        written
            .condition()
            .map(text -> context.noBackslashEscapes() ? ViewTexts.withoutEscapes(text) : text);
    if (condition.isPresent() && tail.where().isPresent()) {
      Span where = tail.where().get().span();
      insert(where.start(), condition.get() + " AND (");
      insert(where.end(), ")");
    } else {
      condition.ifPresent(text -> insert(behind, " WHERE " + text));
    }
    tail.where().ifPresent(where -> written.names(where, "where clause"));
    tail.orderBy().forEach(item -> written.names(item.expr(), "order clause"));
    written.joinConditions();
  }

  private void insert(int at, String text) {
    edits.add(new Edit(new Span(at, at), text, false));
  }

  private void insert(Statement.InsertQuery insert, View view) {
    WritableView writable = target(context.catalog(), view, insert.replace());
    writable.requireInsertable(insert.columns().stream().map(Identifier::name).toList());
    if (insert.tail().isPresent()) {
      requireOwnNames(writable);
      for (Statement.Assignment assignment : insert.onDuplicate()) {
        named(assignment.column(), view, writable);
        assignment.value().walk(inner -> named(inner, view, writable));
      }
    }
    targets.add(insert.target());
    Optional<CheckView> check = CheckViews.of(writable);
    edits.add(new Edit(insert.target().nameSpan(), writable.tableText(), true, check));
    if (insert.columns().isEmpty()) {
      String all =
          writable.base().stream()
              .map(Identifier::quote)
              .collect(Collectors.joining(",", " (", ")"));
      insert(insert.target().nameSpan().end(), all);
    }
    for (Identifier column : insert.columns()) {
      String base = writable.base(column.name()).orElseThrow(() -> unknown(column.name()));
      edits.add(new Edit(column.span(), Identifier.quote(base), false));
    }
  }

  private static AlraiException unknown(String column) {
    return new AlraiException(
        ErrorCode.ER_BAD_FIELD_ERROR, "Unknown column '" + column + "' in 'field list'");
  }

  /** The view's name in front of a column becomes its table's. */
  private void named(Expr expression, View view, WritableView writable) {
    if (!(expression instanceof Expr.Name name)
        || !name.table().map(view.name()::equals).orElse(true)
        || !name.schema().map(view.schema()::equals).orElse(true)) {
      return;
    }
    if (writable.hides(name.column())) {
      throw unknown(name.column());
    }
    if (name.table().isPresent()) {
      Span qualifier =
          name.parts().getFirst().span().to(name.parts().get(name.parts().size() - 2).span());
      edits.add(new Edit(qualifier, Identifier.quote(writable.table().name()), false));
    }
  }

  /**
   * Refuses ON DUPLICATE KEY UPDATE and row aliases where they would have other names below.
   *
   * @throws AlraiException 1235 for a view that renames or computes columns
   */
  public static void requireOwnNames(WritableView view) {
    if (view.renames()) {
      throw AlraiException.unsupported(
          "a row alias and ON DUPLICATE KEY UPDATE in an"
              + " INSERT through a view that renames or computes columns; insert into the view's"
              + " table");
    }
  }
}
