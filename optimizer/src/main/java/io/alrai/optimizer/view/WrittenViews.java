package io.alrai.optimizer.view;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.TableRef;
import io.alrai.optimizer.view.ViewTexts.Edit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The views that one statement writes, whose columns get the names of their tables. One thread. */
final class WrittenViews {
  private final Planner.Context context;
  private final List<TableRef> tables;
  private final List<Edit> edits;
  private final Map<TableRef.Named, WritableView> views = new LinkedHashMap<>();

  /** {@code edits} takes those of the names. */
  WrittenViews(Planner.Context context, List<TableRef> tables, List<Edit> edits) {
    this.context = context;
    this.tables = tables;
    this.edits = edits;
  }

  void add(TableRef.Named table, WritableView view) {
    views.put(table, view);
  }

  boolean none() {
    return views.isEmpty();
  }

  /** Their conditions over their tables, read with backslash escapes. */
  Optional<String> condition() {
    String all =
        views.entrySet().stream()
            .flatMap(one -> one.getValue().condition(one.getKey().visibleName()).stream())
            .collect(Collectors.joining(" AND "));
    return all.isEmpty() ? Optional.empty() : Optional.of(all);
  }

  /** The names in ON. */
  void joinConditions() {
    tables.forEach(this::joinConditions);
  }

  private void joinConditions(TableRef item) {
    switch (item) {
      case TableRef.Join join -> {
        joinConditions(join.left());
        joinConditions(join.right());
        join.on().ifPresent(on -> names(on, "on clause"));
      }
      case TableRef.Group group -> group.items().forEach(this::joinConditions);
      case TableRef.Named _, TableRef.Derived _, TableRef.Function _ -> {}
    }
  }

  /** The column of an assignment by its table's name. */
  void assigned(Expr.Name column) {
    name(column, "field list", true);
  }

  /** The views' columns by their tables' names. */
  void names(Expr expression, String where) {
    boolean renames = views.values().stream().anyMatch(WritableView::renames);
    if (renames && !expression.allQueries().isEmpty()) {
      throw unsupported(
          "a subquery in a write through a view that renames or computes columns; write to the"
              + " view's table");
    }
    expression.walk(inner -> {
      if (inner instanceof Expr.Name name) {
        name(name, where, false);
      }
    });
  }

  private void name(Expr.Name name, String where, boolean assigned) {
    boolean alone = tables.size() == 1 && tables.getFirst() instanceof TableRef.Named;
    if (name.table().isEmpty() && !alone) {
      unqualified(name, assigned);
      return;
    }
    views.forEach((table, view) -> {
      if (name.table().map(table.visibleName()::equals).orElse(true)) {
        if (!view.has(name.column())) {
          throw unknown(name, where);
        }
        requireColumn(name, view, assigned);
        rename(name, table, view);
      }
    });
  }

  private void rename(Expr.Name name, TableRef.Named table, WritableView view) {
    Optional<String> base = view.base(name.column());
    if (base.isEmpty()) {
      // the schema in front of it is taken away by itself
      Span named = name.schema().isPresent() ? name.parts().get(1).span() : name.span();
      edits.add(new Edit(named.to(name.span()), text(name, table, view), false));
    } else if (!base.get().equalsIgnoreCase(name.column())) {
      edits.add(new Edit(name.parts().getLast().span(), Identifier.quote(base.get()), false));
    }
  }

  private String text(Expr.Name name, TableRef.Named table, WritableView view) {
    String text = view.text(name.column(), table.visibleName());
    return context.noBackslashEscapes() ? ViewTexts.withoutEscapes(text) : text;
  }

  private static void requireColumn(Expr.Name name, WritableView view, boolean assigned) {
    if (assigned) {
      view.requireColumn(name.column());
    }
  }

  /** A column that only the table of a view has must not be meant, nor make others ambiguous. */
  private void unqualified(Expr.Name name, boolean assigned) {
    List<String> meant = new ArrayList<>();
    boolean[] hidden = new boolean[1];
    views.forEach((table, view) -> {
      if (view.has(name.column())) {
        requireColumn(name, view, assigned);
        meant.add(text(name, table, view));
      } else {
        hidden[0] |= view.table().column(name.column()).isPresent();
      }
    });
    for (TableRef.Named other : TableRef.named(tables)) {
      if (!views.containsKey(other) && has(other, name.column())) {
        meant.add(reference(other, name.column()));
      }
    }
    if (meant.size() == 1) {
      edits.add(new Edit(name.span(), meant.getFirst(), false));
    } else if (hidden[0]) {
      throw unsupported(
          "the name '"
              + name.column()
              + "' in a write of several tables through a view; qualify it with its table's");
    }
  }

  private boolean has(TableRef.Named table, String column) {
    String schema = table.schema().map(Identifier::name).orElse(context.currentSchema());
    Optional<Table> found = context.catalog().table(schema, table.name().name());
    return found.isPresent()
        ? found.get().column(column).isPresent()
        : context.catalog().view(schema, table.name().name()).stream()
            .flatMap(view -> view.columns().stream())
            .anyMatch(column::equalsIgnoreCase);
  }

  private static String reference(TableRef.Named table, String column) {
    return Identifier.quote(table.visibleName()) + "." + Identifier.quote(column);
  }

  private static AlraiException unknown(Expr.Name name, String where) {
    String written = name.parts().stream().map(Identifier::name).collect(Collectors.joining("."));
    return new AlraiException(
        ErrorCode.ER_BAD_FIELD_ERROR, "Unknown column '" + written + "' in '" + where + "'");
  }

  private static AlraiException unsupported(String what) {
    return AlraiException.unsupported(what);
  }
}
