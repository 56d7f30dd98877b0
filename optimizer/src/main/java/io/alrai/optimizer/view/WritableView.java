package io.alrai.optimizer.view;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.View;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Query.SelectItem;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A view that is written through: columns of one table, or of another such view, and values of
 * them, and perhaps a condition.
 *
 * @param columns what the view's columns are
 * @param conditions of the views below, then its own
 * @param checked those of the conditions that rows must meet which are written, as it or a view
 *     below has a CHECK OPTION
 */
public record WritableView(
    View view, Table table, List<Part> columns, List<Part> conditions, List<Part> checked) {
  public WritableView {
    checked = List.copyOf(checked);
    columns = List.copyOf(columns);
    conditions = List.copyOf(conditions);
  }

  /**
   * A view's column, or its condition.
   *
   * @param query the text that it is a part of
   * @param below what its columns are those of; empty for the table
   */
  public record Part(String query, Expr value, Optional<WritableView> below) {
    /** The table's column that it is; empty for a value of others. */
    private Optional<String> base() {
      if (!(value instanceof Expr.Name name)) {
        return Optional.empty();
      }
      return below.isPresent() ? below.get().base(name.column()) : Optional.of(name.column());
    }

    /** It over the table under another name, read with backslash escapes. */
    String text(String alias) {
      StringBuilder text = new StringBuilder();
      int[] position = {value.span().start()};
      value.walk(inner -> {
        if (inner instanceof Expr.Name name) {
          text.append(query, position[0], name.span().start()).append(column(name, alias));
          position[0] = name.span().end();
        }
      });
      return text.append(query, position[0], value.span().end()).toString();
    }

    private String column(Expr.Name name, String alias) {
      return below
          .map(view -> view.text(name.column(), alias))
          .orElseGet(() -> reference(alias, name.column()));
    }
  }

  /** The view as one to write through, if it is valid; empty for those that are not this plain. */
  public static Optional<WritableView> of(Catalog catalog, View view) {
    return of(catalog, view, false);
  }

  /** {@code cascaded} says that a view above it checks its condition, too. */
  private static Optional<WritableView> of(Catalog catalog, View view, boolean cascaded) {
    boolean cascades = cascaded || view.checksCascaded();
    if (!view.updatable()
        || !(StatementParser.parse(view.query(), false, false) instanceof Statement.Select select)
        || !isPlain(select.query())
        || !(select.query().body() instanceof Query.Block block)
        || block.from().size() != 1
        || !(block.from().getFirst() instanceof TableRef.Named named)
        || !block.where().stream().allMatch(where -> where.allQueries().isEmpty())) {
      return Optional.empty();
    }
    String schema = named.schema().map(Identifier::name).orElse("");
    Optional<WritableView> below =
        catalog.view(schema, named.name().name()).flatMap(inner -> of(catalog, inner, cascades));
    Optional<Table> table =
        below.map(WritableView::table).or(() -> catalog.table(schema, named.name().name()));
    List<Part> columns = new ArrayList<>();
    for (SelectItem item : block.selection().items()) {
      if (!item.expr().allQueries().isEmpty()) {
        return Optional.empty();
      }
      columns.add(new Part(view.query(), item.expr(), below));
    }
    List<Part> conditions = new ArrayList<>();
    List<Part> checked = new ArrayList<>();
    below.ifPresent(inner -> conditions.addAll(inner.conditions()));
    below.ifPresent(inner -> checked.addAll(inner.checked()));
    Optional<Part> own = block.where().map(where -> new Part(view.query(), where, below));
    own.ifPresent(conditions::add);
    own.filter(_ -> cascaded || view.checked()).ifPresent(checked::add);
    return table.map(found -> new WritableView(view, found, columns, conditions, checked));
  }

  private static boolean isPlain(Query query) {
    return query.with().isEmpty() && query.orderBy().isEmpty() && query.limit().isEmpty();
  }

  private Optional<Part> part(String column) {
    for (int i = 0; i < columns.size(); i++) {
      if (view.columns().get(i).equalsIgnoreCase(column)) {
        return Optional.of(columns.get(i));
      }
    }
    return Optional.empty();
  }

  /** Whether the view has a column of that name. */
  boolean has(String column) {
    return part(column).isPresent();
  }

  /** Whether only the table has a column of that name. */
  public boolean hides(String column) {
    return !has(column) && table.column(column).isPresent();
  }

  /** The table's column that a column of the view is; empty for none and for a value of others. */
  public Optional<String> base(String column) {
    return part(column).flatMap(Part::base);
  }

  /** The table's columns that those of the view are, in their order. */
  public List<String> base() {
    return columns.stream().flatMap(part -> part.base().stream()).toList();
  }

  /**
   * A column of the view over the table under another name, read with backslash escapes.
   *
   * @throws java.util.NoSuchElementException for one that the view has not
   */
  String text(String column, String alias) {
    Part part = part(column).orElseThrow();
    return part.base()
        .map(base -> reference(alias, base))
        .orElseGet(() -> "(" + part.text(alias) + ")");
  }

  private static String reference(String table, String column) {
    return Identifier.quote(table) + "." + Identifier.quote(column);
  }

  /**
   * Refuses a column that is no column of the table.
   *
   * @throws AlraiException 1348
   */
  void requireColumn(String column) {
    if (has(column) && base(column).isEmpty()) {
      throw new AlraiException(
          ErrorCode.ER_NONUPDATEABLE_COLUMN, "Column '" + column + "' is not updatable");
    }
  }

  /**
   * Refuses rows for some columns of the view, or for all.
   *
   * @param named empty for all
   * @throws AlraiException 1348 where one of them is no column of the table, 1471 where another one
   *     of the view is none and all that are named are there
   */
  public void requireInsertable(List<String> named) {
    (named.isEmpty() ? view.columns() : named).forEach(this::requireColumn);
    if (base().size() < columns.size() && named.stream().allMatch(this::has)) {
      throw ViewWrites.notInsertable(view, "");
    }
  }

  /** Whether the view's columns are called otherwise than the table's, or are values of them. */
  boolean renames() {
    for (int i = 0; i < columns.size(); i++) {
      String name = view.columns().get(i);
      if (!columns.get(i).base().map(name::equalsIgnoreCase).orElse(false)) {
        return true;
      }
    }
    return false;
  }

  /** The conditions over the table under another name, read with backslash escapes. */
  Optional<String> condition(String alias) {
    return conditions.isEmpty()
        ? Optional.empty()
        : Optional.of(
            conditions.stream()
                .map(condition -> condition.text(alias))
                .collect(Collectors.joining(" AND ")));
  }

  /** Table with schema. */
  String tableText() {
    return Identifier.quote(table.schema()) + "." + Identifier.quote(table.name());
  }
}
