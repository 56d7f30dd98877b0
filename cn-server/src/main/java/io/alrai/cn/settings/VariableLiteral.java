package io.alrai.cn.settings;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Values of results as SQL literals that give a user variable the value's own type. */
public final class VariableLiteral {
  /** No value. */
  public static final String NULL = "NULL";

  private VariableLiteral() {}

  /**
   * A value that is not NULL.
   *
   * @param value as the text protocol sends it
   * @param charset of a string; {@code binary} for bytes
   * @param collation of a string
   */
  public static String of(ColumnDefinition column, byte[] value, String charset, String collation) {
    return switch (column.type()) {
      case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT, YEAR -> {
        String text = new String(value, StandardCharsets.US_ASCII);
        boolean unsigned = (column.flags() & ColumnDefinition.UNSIGNED) != 0;
        yield unsigned ? "CAST(" + text + " AS UNSIGNED)" : text;
      }
      case BIT -> "CAST(" + new BigInteger(1, value) + " AS UNSIGNED)";
      case DECIMAL, DECIMAL_OLD -> {
        String text = new String(value, StandardCharsets.US_ASCII);
        yield text.indexOf('.') < 0 ? text + "." : text;
      }
      case FLOAT, DOUBLE -> {
        String text = new String(value, StandardCharsets.US_ASCII);
        yield text.indexOf('e') < 0 ? text + "e0" : text;
      }
      case NULL -> NULL;
      default -> string(column, value, charset, collation);
    };
  }

  private static String string(
      ColumnDefinition column, byte[] value, String charset, String collation) {
    String hex = "x'" + HexFormat.of().formatHex(value) + "'";
    boolean temporal =
        switch (column.type()) {
          case DATE, NEWDATE, TIME, DATETIME, TIMESTAMP -> true;
          default -> false;
        };
    if (temporal || column.type() == MysqlType.JSON) {
      return "_utf8mb4 " + hex;
    }
    return charset.equals("binary") ? hex : "_" + charset + " " + hex + " COLLATE " + collation;
  }
}
