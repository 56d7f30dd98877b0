package io.alrai.optimizer.lower;

import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.gms.api.Column;
import io.alrai.optimizer.shardsql.SqlBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The columns of a shard's row: the visible ones, then hidden ones that merging needs. */
final class RowColumns {
  private final int visible;
  private final List<SqlTemplate> hidden = new ArrayList<>();

  RowColumns(int visible) {
    this.visible = visible;
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

  /** Of a column of the catalog; of unknown expressions by WEIGHT_STRING where they are strings. */
  static Comparison comparison(Optional<Column> column) {
    if (column.isEmpty()) {
      return Comparison.WEIGHT;
    }
    return switch (column.get().type()) {
      case ENUM, SET, BIT -> Comparison.NUMBER;
      case JSON, GEOMETRY, VECTOR -> Comparison.NONE;
      case CHAR, VARCHAR, VARCHAR_OLD, TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB -> Comparison.WEIGHT;
      default -> Comparison.PLAIN;
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
      case NUMBER -> new RowKey(hidden(around("(", sql, ") + 0")), -1);
      case WEIGHT -> {
        int value = index >= 0 ? index : hidden(sql);
        yield new RowKey(value, hidden(around("WEIGHT_STRING(", sql, ")")));
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
