package io.alrai.optimizer.bind;

import io.alrai.gms.api.Column;
import java.util.List;

/** Kinds of values by how they compare. */
public enum ValueKind {
  /** By collation. */
  STRING,
  NUMBER,
  TEMPORAL,
  /** ENUM and SET columns: by number. */
  NAMES,
  BIT,
  /** The keyword NULL. */
  NULL,
  /** JSON, GEOMETRY and what only a mysqld can tell. */
  OTHER;

  /** The kind of a column's values. */
  public static ValueKind of(Column column) {
    return switch (column.type()) {
      case ENUM, SET -> NAMES;
      case BIT -> BIT;
      case CHAR, VARCHAR, VARCHAR_OLD, TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB -> STRING;
      case DATE, NEWDATE, TIME, DATETIME, TIMESTAMP -> TEMPORAL;
      case JSON, GEOMETRY, VECTOR -> OTHER;
      case NULL -> NULL;
      case DECIMAL, DECIMAL_OLD, TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT, YEAR, FLOAT, DOUBLE ->
          NUMBER;
    };
  }

  /** The kind of a value that is one of several, as in COALESCE and CASE. */
  static ValueKind ofEither(List<ValueKind> kinds) {
    ValueKind result = NULL;
    for (ValueKind kind : kinds) {
      if (kind == OTHER || result == OTHER) {
        result = OTHER;
      } else if (result == NULL) {
        result = kind == NAMES || kind == BIT ? STRING : kind;
      } else if (kind != NULL && kind != result) {
        result = STRING;
      }
    }
    return result;
  }
}
