package io.alrai.optimizer.route.insert;

import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.Span;
import io.alrai.optimizer.syntax.Expr;
import io.alrai.optimizer.syntax.Query;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.TableRef;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The row that is there already, of an INSERT ... VALUES whose ON DUPLICATE KEY UPDATE has
 * subqueries that read it. It is joined to the new rows by the one unique key that they give.
 */
final class ReadRow {
  private final Table table;
  private final TableRef.Derived rows;
  private final Map<String, String> labels;
  private final List<String> key;
  private final List<Query.Block> blocks;
  private final Set<String> read = new LinkedHashSet<>();

  private ReadRow(
      Table table,
      TableRef.Derived rows,
      Map<String, String> labels,
      List<String> key,
      List<Query.Block> blocks) {
    this.table = table;
    this.rows = rows;
    this.labels = labels;
    this.key = key;
    this.blocks = blocks;
  }

  /** Empty where the rows come from other queries, or more than one key may find it. */
  static Optional<ReadRow> of(Statement.InsertQuery insert, Table table) {
    List<Query.Block> blocks = new ArrayList<>();
    boolean plain =
        insert.query().body() instanceof Query.Block block
            && block.from().size() == 1
            && block.from().getFirst() instanceof TableRef.Derived derived
            && derived.columns().isEmpty()
            && isOf(block, derived)
            && blocks(derived.query().body(), blocks);
    if (!plain
        || table.implicitPrimaryKey()
        || !(insert.query().body() instanceof Query.Block block)
        || !(block.from().getFirst() instanceof TableRef.Derived rows)) {
      return Optional.empty();
    }
    List<String> columns =
        insert.columns().isEmpty()
            ? table.columns().stream().filter(one -> !one.invisible()).map(Column::name).toList()
            : insert.columns().stream().map(Identifier::name).toList();
    Map<String, String> labels = new LinkedHashMap<>();
    List<Query.SelectItem> given = block.selection().items();
    List<Query.SelectItem> items = blocks.getFirst().selection().items();
    for (int i = 0; i < Math.min(columns.size(), items.size()); i++) {
      Optional<Query.Alias> alias = items.get(i).alias();
      Optional<Column> column = table.column(columns.get(i));
      boolean same =
          given.size() == items.size()
              && alias.isPresent()
              && given.get(i).expr() instanceof Expr.Name name
              && name.column().equals(alias.get().name());
      if (!same || column.isEmpty()) {
        return Optional.empty();
      }
      labels.put(column.get().name(), alias.get().name());
    }
    return key(table, labels.keySet())
        .map(key -> new ReadRow(table, rows, labels, key, List.copyOf(blocks)));
  }

  /** Whether it has columns of the derived table and nothing else. */
  private static boolean isOf(Query.Block block, TableRef.Derived rows) {
    return block.where().isEmpty()
        && block.grouping().isEmpty()
        && block.selection().items().stream()
            .allMatch(item ->
                item.expr() instanceof Expr.Name name
                    && name.table().equals(Optional.of(rows.alias())));
  }

  private static boolean blocks(Query.Body body, List<Query.Block> found) {
    return switch (body) {
      case Query.Block block -> block.from().isEmpty() && found.add(block);
      case Query.SetOperation set -> blocks(set.left(), found) && blocks(set.right(), found);
      case Query.Nested nested -> false;
      case Query.WholeTable table -> false;
      case Query.Values values -> false;
    };
  }

  /** The one key that the rows can have in common with one that is there. */
  private static Optional<List<String>> key(Table table, Set<String> given) {
    List<List<String>> keys = new ArrayList<>();
    keys.add(table.primaryKey());
    keys.addAll(table.uniqueKeys());
    List<List<String>> possible = new ArrayList<>();
    for (List<String> key : keys) {
      boolean made =
          key.stream()
              .anyMatch(name ->
                  !given.contains(name)
                      && table.column(name).filter(Column::autoIncrement).isPresent());
      if (!made) {
        possible.add(key);
      }
    }
    return possible.size() == 1 && given.containsAll(possible.getFirst())
        ? Optional.of(possible.getFirst())
        : Optional.empty();
  }

  /**
   * A value that a subquery reads, as SQL.
   *
   * @param text stands for it in the subquery
   * @param stored tells in the statement that inserts what the row has by then
   * @param read tells in the query what it had
   */
  record Value(String text, String stored, String read) {}

  /** The new row's value of a column; empty where the statement gives none. */
  Optional<Value> newValue(String column) {
    return table
        .column(column)
        .filter(found -> labels.containsKey(found.name()))
        .map(found -> {
          String text = given(found);
          String stored = "VALUES(" + Identifier.quote(found.name()) + ")";
          return new Value(text, exact(found, stored), exact(found, text));
        });
  }

  /** What the client gives for a column; a string has the column's collation, as it is compared. */
  private String given(Column column) {
    String label = Objects.requireNonNull(labels.get(column.name()));
    String text = Identifier.quote(rows.alias()) + "." + Identifier.quote(label);
    return InsertTarget.isString(column) && !column.charset().equals("binary")
        ? "CONVERT(" + text + " USING " + column.charset() + ") COLLATE " + column.collation()
        : text;
  }

  /**
   * What finds the row of one new row, and of no other: strings are compared with numbers
   * inexactly.
   */
  private String compared(Column column) {
    boolean whole =
        switch (column.type()) {
          case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT -> true;
          default -> false;
        };
    return whole && blocks.size() > 1
        ? "CAST(" + given(column) + " AS DECIMAL(65,30))"
        : given(column);
  }

  /** A column of the row; empty where its value is not compared exactly. */
  Optional<Value> oldValue(String column) {
    return table
        .column(column)
        .filter(found -> isComparable(found.type()))
        .map(found -> {
          read.add(found.name());
          String name = Identifier.quote(table.name()) + "." + Identifier.quote(found.name());
          boolean single = found.type() == MysqlType.FLOAT;
          String whole = single ? "CAST(" + name + " AS DOUBLE)" : exact(found, name);
          return new Value(name, exact(found, name), whole);
        });
  }

  /** Only equal values have equal ones: collations take different strings for equal. */
  private static String exact(Column column, String value) {
    return InsertTarget.isString(column) ? "SHA2(" + value + ",256)" : value;
  }

  private static boolean isComparable(MysqlType type) {
    return switch (type) {
      case JSON, GEOMETRY, VECTOR, BIT -> false;
      default -> true;
    };
  }

  /** What tells whether there is one. */
  String isThere() {
    return Identifier.quote(table.name()) + "." + Identifier.quote(key.getFirst()) + " IS NOT NULL";
  }

  /**
   * What joins it, after the new rows.
   *
   * @param literals the text of a value, which may stand elsewhere
   * @param lock the clause that locks it, or nothing
   */
  String join(Function<Span, String> literals, String lock) {
    String name = Identifier.quote(table.name());
    Set<String> columns = new LinkedHashSet<>(key);
    columns.addAll(read);
    List<String> confined = new ArrayList<>();
    List<String> equal = new ArrayList<>();
    for (String column : key) {
      String quoted = Identifier.quote(column);
      int at = new ArrayList<>(labels.keySet()).indexOf(column);
      String values =
          blocks.stream()
              .map(block -> literals.apply(block.selection().items().get(at).expr().span()))
              .collect(Collectors.joining(","));
      confined.add(quoted + " IN (" + values + ")");
      equal.add(name + "." + quoted + " = " + compared(table.column(column).orElseThrow()));
    }
    return " LEFT JOIN (SELECT "
        + columns.stream().map(Identifier::quote).collect(Collectors.joining(", "))
        + " FROM "
        + Identifier.quote(table.schema())
        + "."
        + name
        + " WHERE "
        + String.join(" AND ", confined)
        + lock
        + ") AS "
        + name
        + " ON "
        + String.join(" AND ", equal);
  }

  /** Where {@link #join} stands. */
  int end() {
    return rows.span().end();
  }
}
