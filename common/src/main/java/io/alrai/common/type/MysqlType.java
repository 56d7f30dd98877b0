package io.alrai.common.type;

import java.util.Locale;

/** Column types as the protocol numbers them ({@code enum_field_types} of the MySQL manual). */
public enum MysqlType {
  DECIMAL_OLD(0x00),
  TINYINT(0x01),
  SMALLINT(0x02),
  INT(0x03),
  FLOAT(0x04),
  DOUBLE(0x05),
  NULL(0x06),
  TIMESTAMP(0x07),
  BIGINT(0x08),
  MEDIUMINT(0x09),
  DATE(0x0a),
  TIME(0x0b),
  DATETIME(0x0c),
  YEAR(0x0d),
  NEWDATE(0x0e),
  VARCHAR_OLD(0x0f),
  BIT(0x10),
  VECTOR(0xf2),
  JSON(0xf5),
  DECIMAL(0xf6),
  ENUM(0xf7),
  SET(0xf8),
  TINYBLOB(0xf9),
  MEDIUMBLOB(0xfa),
  LONGBLOB(0xfb),
  BLOB(0xfc),
  VARCHAR(0xfd),
  CHAR(0xfe),
  GEOMETRY(0xff);

  private static final MysqlType[] BY_CODE = new MysqlType[256];

  static {
    for (MysqlType type : values()) {
      BY_CODE[type.code] = type;
    }
  }

  private final int code;

  MysqlType(int code) {
    this.code = code;
  }

  /** The protocol's number, 0 to 255. */
  public int code() {
    return code;
  }

  /**
   * The type of a protocol number.
   *
   * @throws IllegalArgumentException when the protocol knows no such number
   */
  public static MysqlType ofCode(int code) {
    MysqlType type = BY_CODE[code & 0xff];
    if (type == null) {
      throw new IllegalArgumentException("unknown column type " + code);
    }
    return type;
  }

  /** Whole numbers of every width, YEAR included. */
  public boolean isInteger() {
    return switch (this) {
      case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT, YEAR -> true;
      default -> false;
    };
  }

  /** Integers, decimals and floating point numbers. */
  public boolean isNumeric() {
    return isInteger()
        || switch (this) {
          case DECIMAL, DECIMAL_OLD, FLOAT, DOUBLE -> true;
          default -> false;
        };
  }

  /** CHAR, VARCHAR and the TEXT and BLOB family; with the binary character set they are bytes. */
  public boolean isString() {
    return switch (this) {
      case CHAR, VARCHAR, VARCHAR_OLD, TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB -> true;
      default -> false;
    };
  }

  /** Dates and times. */
  public boolean isTemporal() {
    return switch (this) {
      case DATE, TIME, DATETIME, TIMESTAMP, NEWDATE -> true;
      default -> false;
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
