package io.alrai.optimizer.bind;

import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Column;
import java.util.Optional;

/**
 * Kinds of columns among which {@code =} means the same as being placed alike, and is transitive.
 */
final class KeyFamily {
  private KeyFamily() {}

  /** The column's family; empty where equality cannot be relied on. */
  static Optional<String> of(Column column) {
    MysqlType type = column.type();
    if (type.isInteger()) {
      return Optional.of("integer");
    }
    if (type == MysqlType.DECIMAL) {
      return Optional.of("decimal " + column.scale());
    }
    if (type.isString()) {
      return Optional.of("string " + column.charset() + " " + column.collation());
    }
    if (type == MysqlType.DATE || type == MysqlType.DATETIME || type == MysqlType.TIMESTAMP) {
      return Optional.of(type + " " + column.scale());
    }
    return Optional.empty();
  }
}
