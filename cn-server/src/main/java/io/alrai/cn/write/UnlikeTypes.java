package io.alrai.cn.write;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Table;
import io.alrai.optimizer.api.sql.WholeJson;
import java.util.List;
import java.util.Set;

/**
 * Which values a column does not take from a literal as it takes them from another column: a DATE
 * is a number to a column of numbers and a string to one of strings, an ENUM is its index or its
 * text, bits and bytes are numbers or text. Pure.
 */
final class UnlikeTypes {
  private UnlikeTypes() {}

  /**
   * Whether there is such a value among a query's columns.
   *
   * @param given those, from {@code first} on as many as there are columns
   * @param texts which of them, counted from {@code first}, a column takes as strings
   */
  static boolean among(
      List<ColumnDefinition> given,
      int first,
      Set<Integer> texts,
      Table table,
      List<String> columns) {
    for (int i = 0; i < columns.size(); i++) {
      ColumnDefinition value = given.get(first + i);
      if (texts.contains(i) && value.type().isTemporal()) {
        continue;
      }
      boolean like = table.column(columns.get(i)).map(column -> isLike(value, column)).orElse(true);
      if (!like) {
        return true;
      }
    }
    return false;
  }

  /** Whether the column takes the literal of a value as it takes the value. */
  static boolean isLike(ColumnDefinition value, Column column) {
    MysqlType to = column.type();
    if (value.name().equals(WholeJson.LABEL)) {
      return to == MysqlType.JSON || to.isString();
    }
    boolean members = (value.flags() & (ColumnDefinition.ENUM | ColumnDefinition.SET)) != 0;
    return switch (value.type()) {
      case NULL -> true;
      case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT, DECIMAL, DECIMAL_OLD, DOUBLE ->
          to != MysqlType.JSON
              && !(to.isString() && (value.flags() & ColumnDefinition.ZEROFILL) != 0);
      case YEAR, FLOAT -> to != MysqlType.JSON && !(to.isString() && isOfTable(value));
      case BIT -> to == MysqlType.BIT;
      case DATE, NEWDATE ->
          to.isString()
              || to == MysqlType.DATE
              || to == MysqlType.DATETIME
              || to == MysqlType.TIMESTAMP;
      case DATETIME, TIMESTAMP ->
          to.isString() || to == MysqlType.DATETIME || to == MysqlType.TIMESTAMP;
      case TIME -> to.isString() || to == MysqlType.TIME;
      case VARCHAR, CHAR, VARCHAR_OLD, TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB ->
          members
              ? to.isString() || to == MysqlType.ENUM || to == MysqlType.SET
              : isLikeText(value.charsetId() == ColumnDefinition.BINARY_CHARSET, column);
      case ENUM, SET -> to.isString() || to == MysqlType.ENUM || to == MysqlType.SET;
      case JSON -> to == MysqlType.JSON || to.isString() || !isOfTable(value);
      case GEOMETRY, VECTOR -> to == value.type();
    };
  }

  /** An expression of these types goes into a string as a DOUBLE, a number or a text. */
  private static boolean isOfTable(ColumnDefinition value) {
    return !value.table().isEmpty();
  }

  /** The bytes of a text depend on its column's character set, which results do not show. */
  private static boolean isLikeText(boolean bytes, Column column) {
    if (bytes) {
      return column.type().isString();
    }
    return switch (column.type()) {
      case BIT, GEOMETRY, VECTOR -> false;
      default -> !column.charset().equals("binary");
    };
  }
}
