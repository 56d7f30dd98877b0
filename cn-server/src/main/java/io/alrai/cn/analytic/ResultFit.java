package io.alrai.cn.analytic;

import io.alrai.common.type.Collations;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import java.util.List;

/**
 * Whether the columns that a mysqld gives a statement can be filled from a plan's values. Where the
 * two have come to different types, one of them is wrong, and the row store answers.
 */
final class ResultFit {
  private static final int ZEROFILL = 64;
  private static final int NOT_FIXED = 31;

  private static final String UTF8MB4 = "utf8mb4";

  private final Collations collations;

  ResultFit(Collations collations) {
    this.collations = collations;
  }

  /** Whether each column has the type of its value. */
  boolean fits(List<ColumnDefinition> columns, List<ValueType> values) {
    if (columns.size() != values.size()) {
      return false;
    }
    for (int i = 0; i < columns.size(); i++) {
      if (!fits(columns.get(i), values.get(i))) {
        return false;
      }
    }
    return true;
  }

  private boolean fits(ColumnDefinition column, ValueType value) {
    if ((column.flags() & (ZEROFILL | ColumnDefinition.ENUM | ColumnDefinition.SET)) != 0) {
      return false;
    }
    return switch (column.type()) {
      case TINYINT, SMALLINT, MEDIUMINT, INT, YEAR -> value.kind() == ValueKind.BIGINT;
      case BIGINT -> value.kind() == (column.isUnsigned() ? ValueKind.UNSIGNED : ValueKind.BIGINT);
      case DECIMAL -> value.kind() == ValueKind.DECIMAL && column.decimals() == value.scale();
      case DOUBLE -> value.kind() == ValueKind.DOUBLE && column.decimals() >= NOT_FIXED;
      case DATE -> value.kind() == ValueKind.DATE;
      case DATETIME -> value.kind() == ValueKind.DATETIME && column.decimals() == value.scale();
      case VARCHAR, CHAR, TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB -> isText(column, value);
      case DECIMAL_OLD,
          FLOAT,
          NULL,
          TIMESTAMP,
          NEWDATE,
          TIME,
          VARCHAR_OLD,
          BIT,
          VECTOR,
          JSON,
          ENUM,
          SET,
          GEOMETRY ->
          false;
    };
  }

  private boolean isText(ColumnDefinition column, ValueType value) {
    if (value.kind() != ValueKind.STRING) {
      return false;
    }
    return value.collation() == TextCollation.BINARY
        ? column.charsetId() == ColumnDefinition.BINARY_CHARSET
        : collations
            .ofId(column.charsetId())
            .filter(known -> known.charset().equals(UTF8MB4))
            .isPresent();
  }
}
