package io.alrai.optimizer.lower;

import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.optimizer.bind.ValueKind;
import io.alrai.optimizer.shardsql.SqlBuilder;
import java.util.ArrayList;
import java.util.List;

/** The columns of a shard's row: the visible ones, then hidden ones that merging needs. */
final class RowColumns {
  private final int visible;
  private final boolean grouped;
  private final List<SqlTemplate> hidden = new ArrayList<>();

  /**
   * No hidden columns yet.
   *
   * @param grouped whether the rows are groups: what is made of a group key by a function is then
   *     no group key for MySQL, although it is the same for all rows of a group
   */
  RowColumns(int visible, boolean grouped) {
    this.visible = visible;
    this.grouped = grouped;
  }

  /** How values of a type are compared outside a mysqld. */
  enum Comparison {
    /** By value. */
    PLAIN,
    /** By WEIGHT_STRING. */
    WEIGHT,
    /** As a number: ENUM, SET, BIT. */
    NUMBER,
    /** Not at all: JSON, GEOMETRY. */
    NONE
  }

  /** Of a kind of values. */
  static Comparison comparison(ValueKind kind) {
    return switch (kind) {
      case STRING -> Comparison.WEIGHT;
      case NUMBER, TEMPORAL, NULL -> Comparison.PLAIN;
      case NAMES, BIT -> Comparison.NUMBER;
      case OTHER -> Comparison.NONE;
    };
  }

  /** Index of a hidden column with that text; equal texts share one. */
  int hidden(SqlTemplate sql) {
    int known = hidden.indexOf(sql);
    if (known >= 0) {
      return visible + known;
    }
    hidden.add(sql);
    return visible + hidden.size() - 1;
  }

  /**
   * The key by which a value is compared.
   *
   * @param index of the value in the row, or -1 where it is not there yet
   * @param sql its text
   */
  RowKey key(int index, SqlTemplate sql, Comparison comparison) {
    return switch (comparison) {
      case NUMBER -> {
        SqlTemplate number = around("(", sql, ") + 0");
        yield new RowKey(hidden(grouped ? around("ANY_VALUE(", number, ")") : number), -1);
      }
      case WEIGHT -> {
        int value = index >= 0 ? index : hidden(sql);
        SqlTemplate weight = around("WEIGHT_STRING(", sql, ")");
        yield new RowKey(value, hidden(grouped ? around("ANY_VALUE(", weight, ")") : weight));
      }
      case PLAIN, NONE -> new RowKey(index >= 0 ? index : hidden(sql), -1);
    };
  }

  static SqlTemplate around(String before, SqlTemplate sql, String after) {
    return new SqlBuilder().text(before).template(sql).text(after).build();
  }

  /** Appends the hidden columns behind the select list. */
  void append(SqlBuilder builder) {
    hidden.forEach(sql -> builder.text(", ").template(sql));
  }
}
