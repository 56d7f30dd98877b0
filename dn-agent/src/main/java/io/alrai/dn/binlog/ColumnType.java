package io.alrai.dn.binlog;

/** Types of columns in the binary log (MySQL source, include/field_types.h). */
final class ColumnType {
  static final int TINY = 1;
  static final int SHORT = 2;
  static final int LONG = 3;
  static final int FLOAT = 4;
  static final int DOUBLE = 5;
  static final int TIMESTAMP = 7;
  static final int LONGLONG = 8;
  static final int INT24 = 9;
  static final int DATE = 10;
  static final int TIME = 11;
  static final int DATETIME = 12;
  static final int YEAR = 13;
  static final int VARCHAR = 15;
  static final int BIT = 16;
  static final int TIMESTAMP2 = 17;
  static final int DATETIME2 = 18;
  static final int TIME2 = 19;
  static final int VECTOR = 242;
  static final int JSON = 245;
  static final int NEWDECIMAL = 246;
  static final int ENUM = 247;
  static final int SET = 248;
  static final int BLOB = 252;
  static final int VAR_STRING = 253;
  static final int STRING = 254;
  static final int GEOMETRY = 255;

  private ColumnType() {}

  /** ENUM and SET are logged as STRING; the metadata tells them apart. */
  static int real(int type, int metadata) {
    int high = metadata >> 8;
    return type == STRING && (high == ENUM || high == SET) ? high : type;
  }

  /** Whether the log tells if it is unsigned. */
  static boolean isNumeric(int type) {
    return switch (type) {
      case TINY, SHORT, LONG, INT24, LONGLONG, FLOAT, DOUBLE, NEWDECIMAL, YEAR -> true;
      default -> false;
    };
  }

  /** Whether the log tells its collation; of ENUM and SET it is not read. */
  static boolean isCharacter(int type) {
    return type == VARCHAR || type == VAR_STRING || type == STRING || type == BLOB;
  }
}
