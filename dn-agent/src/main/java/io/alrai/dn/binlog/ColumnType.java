package io.alrai.dn.binlog;

/**
 * Types of columns in the binary log (MySQL source, include/field_types.h); those that have no
 * metadata and are not read here are left out.
 */
final class ColumnType {
  static final int FLOAT = 4;
  static final int DOUBLE = 5;
  static final int LONGLONG = 8;
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
}
