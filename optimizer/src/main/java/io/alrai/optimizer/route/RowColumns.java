package io.alrai.optimizer.route;

import io.alrai.common.type.AsciiWeights;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.SqlTemplate;
import io.alrai.gms.api.Column;
import io.alrai.optimizer.api.sql.SqlBuilder;
import io.alrai.optimizer.bind.ValueKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The columns of a shard's row: the visible ones, then hidden ones that merging needs. */
public final class RowColumns {
  private final int visible;
  private final boolean grouped;
  private final List<SqlTemplate> hidden = new ArrayList<>();

  /**
   * No hidden columns yet.
   *
   * @param grouped whether the rows are groups: what is made of a group key by a function is then
   *     no group key for MySQL, although it is the same for all rows of a group
   */
  public RowColumns(int visible, boolean grouped) {
    this.visible = visible;
    this.grouped = grouped;
  }

  /** How values of a type are compared outside a mysqld. */
  public enum Comparison {
    /** By value. */
    PLAIN,
    /** By WEIGHT_STRING. */
    WEIGHT,
    /** As a number: ENUM, SET, BIT. */
    NUMBER,
    /** Not at all: JSON, GEOMETRY. */
    NONE
  }

  /** How values of a kind are compared. */
  public static Comparison comparison(ValueKind kind) {
    return switch (kind) {
      case STRING -> Comparison.WEIGHT;
      case NUMBER, TEMPORAL, NULL -> Comparison.PLAIN;
      case NAMES, BIT -> Comparison.NUMBER;
      case OTHER -> Comparison.NONE;
    };
  }

  /** Index of a hidden column with that text; equal texts share one. */
  public int hidden(SqlTemplate sql) {
    int known = hidden.indexOf(sql);
    if (known >= 0) {
      return visible + known;
    }
    hidden.add(sql);
    return visible + hidden.size() - 1;
  }

  /**
   * The key by which MIN and MAX choose: any of equal values will do.
   *
   * @param index of the value in the row, or -1 where it is not there yet
   * @param sql its text
   * @param column of which it is the extreme value, if any
   */
  public RowKey extreme(
      int index, SqlTemplate sql, Comparison comparison, Optional<Column> column) {
    return key(index, sql, comparison, Optional.empty(), weight(sql, column));
  }

  /**
   * The key by which a value is compared; equal values have equal keys.
   *
   * @param index of the value in the row, or -1 where it is not there yet
   * @param sql its text
   * @param column the catalog's column that it is, if any
   */
  public RowKey key(int index, SqlTemplate sql, Comparison comparison, Optional<Column> column) {
    return key(index, sql, comparison, column, Optional.empty());
  }

  /**
   * The key for a value whose weights may be known without a mysqld.
   *
   * @param ascii weights of ASCII characters, if {@code sql} is a column of a UTF-8 character set
   */
  public RowKey key(
      int index,
      SqlTemplate sql,
      Comparison comparison,
      Optional<Column> column,
      Optional<AsciiWeights> ascii) {
    if (column.isPresent() && column.get().type() == MysqlType.TIMESTAMP) {
      // an hour has the same texts twice when clocks are put back
      return number(around("UNIX_TIMESTAMP(", sql, ")"));
    }
    return key(index, sql, comparison, ascii, weight(sql, column));
  }

  private RowKey number(SqlTemplate sql) {
    return new RowKey(hidden(grouped ? around("ANY_VALUE(", sql, ")") : sql), -1);
  }

  /**
   * The weight of a string. Under a PAD SPACE collation the shorter of two is compared as if blanks
   * followed: those at its end are taken off, so that equal strings weigh the same, and four are
   * put there, so that one that goes on with a control character comes before it. MySQL's
   * collations are PAD SPACE unless they are binary or by version 9 of the UCA. What is chosen
   * among strings of several collations may have one that loses against any other, so it is asked
   * for by name, not by a comparison.
   */
  private static SqlTemplate weight(SqlTemplate sql, Optional<Column> column) {
    SqlTemplate whole = around("WEIGHT_STRING(", sql, ")");
    SqlTemplate padded = around("WEIGHT_STRING(CONCAT(TRIM(TRAILING ' ' FROM ", sql, "), '    '))");
    if (column.isPresent()) {
      String collation = column.get().collation();
      boolean pads = !collation.contains("_0900_") && !collation.equals("binary");
      return pads ? padded : whole;
    }
    return new SqlBuilder()
        .text("IF(COLLATION(")
        .template(sql)
        .text(") = 'binary' OR LOCATE('_0900_', COLLATION(")
        .template(sql)
        .text(")), ")
        .template(whole)
        .text(", ")
        .template(padded)
        .text(")")
        .build();
  }

  private RowKey key(
      int index,
      SqlTemplate sql,
      Comparison comparison,
      Optional<AsciiWeights> ascii,
      SqlTemplate weight) {
    return switch (comparison) {
      case NUMBER -> number(around("(", sql, ") + 0"));
      case WEIGHT -> {
        int value = index >= 0 ? index : hidden(sql);
        if (ascii.isPresent() && !grouped) {
          yield new RowKey(value, hidden(unlessAscii(sql, weight)), ascii);
        }
        yield new RowKey(value, hidden(grouped ? around("ANY_VALUE(", weight, ")") : weight));
      }
      case PLAIN, NONE -> new RowKey(index >= 0 ? index : hidden(sql), -1);
    };
  }

  /** In UTF-8, ASCII texts are those with as many bytes as characters. */
  private static SqlTemplate unlessAscii(SqlTemplate sql, SqlTemplate weight) {
    return new SqlBuilder()
        .text("IF(LENGTH(")
        .template(sql)
        .text(") = CHAR_LENGTH(")
        .template(sql)
        .text("), NULL, ")
        .template(weight)
        .text(")")
        .build();
  }

  /** How many columns the shard's row has, hidden ones included. */
  public int count() {
    return visible + hidden.size();
  }

  public boolean hasHidden() {
    return !hidden.isEmpty();
  }

  public static SqlTemplate around(String before, SqlTemplate sql, String after) {
    return new SqlBuilder().text(before).template(sql).text(after).build();
  }

  /** Appends the hidden columns after the select list. */
  public void append(SqlBuilder builder) {
    hidden.forEach(sql -> builder.text(", ").template(sql));
  }
}
