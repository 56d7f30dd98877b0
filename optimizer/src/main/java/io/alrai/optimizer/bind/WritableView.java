package io.alrai.optimizer.bind;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.Table;
import io.alrai.gms.api.View;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Identifier;
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
 * A view that is written through: plain columns of one table, or of another such view, and perhaps
 * a condition.
 *
 * @param checked whether it, or a view below, has a CHECK OPTION
 * @param base names of the table's columns, in the order of the view's
 * @param conditions of the views below, then its own
 */
public record WritableView(
    View view, Table table, boolean checked, List<String> base, List<Condition> conditions) {
  /** Copies the lists. */
  public WritableView {
    base = List.copyOf(base);
    conditions = List.copyOf(conditions);
  }

  /**
   * A view's condition.
   *
   * @param query the text that it is a part of
   * @param below what its columns are those of; empty for the table
   */
  public record Condition(String query, Expr where, Optional<WritableView> below) {
    /** The condition over the table under another name. */
    private String text(String alias) {
      StringBuilder text = new StringBuilder();
      int[] position = {where.span().start()};
      where.walk(inner -> {
        if (inner instanceof Expr.Name name) {
          String column = below.flatMap(view -> view.base(name.column())).orElse(name.column());
          text.append(query, position[0], name.span().start())
              .append(Identifier.quote(alias))
              .append('.')
              .append(Identifier.quote(column));
          position[0] = name.span().end();
        }
      });
      return text.append(query, position[0], where.span().end()).toString();
    }
  }

  /** The view as one to write through, if it is valid; empty for those that are not this plain. */
  static Optional<WritableView> of(Catalog catalog, View view) {
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
        catalog.view(schema, named.name().name()).flatMap(inner -> of(catalog, inner));
    Optional<Table> table =
        below.map(WritableView::table).or(() -> catalog.table(schema, named.name().name()));
    List<String> base = new ArrayList<>();
    for (SelectItem item : block.selection().items()) {
      if (!(item.expr() instanceof Expr.Name name)) {
        return Optional.empty();
      }
      base.add(below.flatMap(inner -> inner.base(name.column())).orElse(name.column()));
    }
    List<Condition> conditions = new ArrayList<>();
    below.ifPresent(inner -> conditions.addAll(inner.conditions()));
    block.where().ifPresent(where -> conditions.add(new Condition(view.query(), where, below)));
    boolean checked = view.checked() || below.map(WritableView::checked).orElse(false);
    return table.map(found -> new WritableView(view, found, checked, base, conditions));
  }

  private static boolean isPlain(Query query) {
    return query.with().isEmpty() && query.orderBy().isEmpty() && query.limit().isEmpty();
  }

  /** The table's column that a column of the view is; empty for none. */
  public Optional<String> base(String column) {
    for (int i = 0; i < base.size(); i++) {
      if (view.columns().get(i).equalsIgnoreCase(column)) {
        return Optional.of(base.get(i));
      }
    }
    return Optional.empty();
  }

  /** Whether the view's columns are called otherwise than the table's. */
  boolean renames() {
    for (int i = 0; i < base.size(); i++) {
      if (!view.columns().get(i).equalsIgnoreCase(base.get(i))) {
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

  /**
   * This, where rows that are written through it need no check.
   *
   * @throws AlraiException 1235 where a row might break a CHECK OPTION
   */
  WritableView unchecked() {
    if (checked) {
      throw new AlraiException(
          ErrorCode.ER_NOT_SUPPORTED_YET,
          "This version of Alrai doesn't yet support INSERT and UPDATE through a view WITH CHECK"
              + " OPTION; write to the view's table");
    }
    return this;
  }
}
