package io.alrai.gms.api;

import io.alrai.common.type.MysqlType;

/**
 * What planning and routing need to know of a column. The full definition, to the last attribute,
 * is in the shadow schema's table.
 *
 * @param name as written; compared without regard to case
 * @param type the base type; for BLOB and BINARY kinds the charset is {@code binary}
 * @param unsigned of a numeric type
 * @param length characters or display digits as declared; 0 where not given
 * @param scale digits after the decimal point, or fractional second digits
 * @param charset empty for types without one
 * @param collation empty for types without one
 * @param nullable whether NULL may be stored
 * @param autoIncrement whether ids come from the table's sequence
 * @param invisible left out of {@code SELECT *}
 * @param generated computed by the mysqld
 */
public record Column(
    String name,
    MysqlType type,
    boolean unsigned,
    int length,
    int scale,
    String charset,
    String collation,
    boolean nullable,
    boolean autoIncrement,
    boolean invisible,
    boolean generated) {
  /** The largest number of a whole-number type; of BIGINT UNSIGNED the largest with a sign. */
  public long largest() {
    int bits =
        switch (type) {
          case TINYINT -> Byte.SIZE;
          case SMALLINT -> Short.SIZE;
          case MEDIUMINT -> 24;
          case INT -> Integer.SIZE;
          default -> Long.SIZE;
        };
    return bits == Long.SIZE ? Long.MAX_VALUE : (1L << (unsigned ? bits : bits - 1)) - 1;
  }
}
