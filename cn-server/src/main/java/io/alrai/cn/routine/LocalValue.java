package io.alrai.cn.routine;

import io.alrai.cn.settings.VariableLiteral;
import io.alrai.cn.settings.VariableValue;
import io.alrai.common.type.AsciiWeights;
import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.StringContent;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/**
 * What a variable of a routine has, and any other value that becomes a part of a statement.
 *
 * @param kind what it is to a statement
 * @param bytes digits of a number; the content of a string in UTF-8
 * @param type DATE, TIME, DATETIME, YEAR or JSON; else whatever the kind has
 * @param unsigned whether a whole number is unsigned
 * @param collation of a string that has one of its own; else empty
 */
@SuppressWarnings("ArrayRecordComponent")
public record LocalValue(
    Kind kind, byte[] bytes, MysqlType type, boolean unsigned, String collation) {
  static final LocalValue NULL = new LocalValue(Kind.NULL, new byte[0], MysqlType.NULL, false, "");

  static LocalValue ofWhole(long value) {
    return ofDigits(Long.toString(value), false);
  }

  static LocalValue ofDigits(String digits, boolean unsigned) {
    return new LocalValue(Kind.INTEGER, ascii(digits), MysqlType.BIGINT, unsigned, "");
  }

  static LocalValue ofText(String text) {
    return new LocalValue(
        Kind.STRING, text.getBytes(StandardCharsets.UTF_8), MysqlType.VARCHAR, false, "");
  }

  /**
   * A value of a result whose texts are in UTF-8.
   *
   * @param value as the text protocol has it
   */
  public static LocalValue of(ColumnDefinition column, byte[] value) {
    MysqlType type = column.type();
    return switch (type) {
      case YEAR -> new LocalValue(Kind.INTEGER, value, type, false, "");
      case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT ->
          new LocalValue(Kind.INTEGER, value, MysqlType.BIGINT, column.isUnsigned(), "");
      case BIT -> new LocalValue(Kind.BINARY, value, type, false, "");
      case DECIMAL, DECIMAL_OLD -> new LocalValue(Kind.DECIMAL, value, type, false, "");
      case FLOAT, DOUBLE -> new LocalValue(Kind.FLOAT, value, type, false, "");
      case DATE, NEWDATE -> new LocalValue(Kind.TEMPORAL, value, MysqlType.DATE, false, "");
      case TIME -> new LocalValue(Kind.TEMPORAL, value, type, false, "");
      case DATETIME, TIMESTAMP ->
          new LocalValue(Kind.TEMPORAL, value, MysqlType.DATETIME, false, "");
      case NULL -> NULL;
      case JSON -> new LocalValue(Kind.STRING, value, type, false, "");
      default ->
          new LocalValue(
              column.charsetId() == ColumnDefinition.BINARY_CHARSET ? Kind.BINARY : Kind.STRING,
              value,
              MysqlType.VARCHAR,
              false,
              "");
    };
  }

  /** The value of a user variable, from its literal. */
  static LocalValue ofUserVariable(String literal) {
    VariableValue value = VariableValue.of(literal);
    byte[] bytes =
        value.kind() == Kind.STRING ? value.text().getBytes(StandardCharsets.UTF_8) : value.bytes();
    boolean unsigned = value.kind() == Kind.INTEGER && literal.startsWith("CAST");
    return new LocalValue(value.kind(), bytes, MysqlType.VARCHAR, unsigned, "");
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  boolean isNull() {
    return kind == Kind.NULL;
  }

  /** As text. */
  String text() {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  LocalValue withCollation(String other) {
    return new LocalValue(kind, bytes, type, unsigned, other);
  }

  /** Whether no index can be asked for exactly this value, as its type is not a column's. */
  boolean isForeign(LexicalMode mode) {
    return kind == Kind.STRING
        && (!collation.isEmpty()
            || type == MysqlType.JSON
            || !mode.charset().newEncoder().canEncode(text()));
  }

  /** Its bytes as a literal, which is a number where one is wanted. */
  public String hex() {
    return "x'" + HexFormat.of().formatHex(bytes) + "'";
  }

  /** The literal of the same type and value. */
  public String sql(LexicalMode mode) {
    return switch (kind) {
      case NULL -> "NULL";
      case INTEGER -> whole();
      case DECIMAL -> text().indexOf('.') < 0 ? text() + "." : text();
      case FLOAT -> text().toLowerCase(Locale.ROOT).indexOf('e') < 0 ? text() + "e0" : text();
      case BINARY -> type == MysqlType.BIT ? hex() : "_binary " + hex();
      case TEMPORAL -> temporal();
      case STRING -> string(mode);
    };
  }

  private String whole() {
    if (type == MysqlType.YEAR) {
      return "CAST(" + text() + " AS YEAR)";
    }
    return unsigned ? "CAST(" + text() + " AS UNSIGNED)" : text();
  }

  /** Zeros within a date are no literal in every sql_mode. */
  private String temporal() {
    String text = text();
    boolean zeros = type != MysqlType.TIME && (text.startsWith("0000") || text.contains("-00"));
    if (zeros) {
      return "'" + text + "'";
    }
    String word =
        switch (type) {
          case DATE -> "DATE";
          case TIME -> "TIME";
          case DATETIME -> "TIMESTAMP";
          default -> "";
        };
    return word + "'" + text + "'";
  }

  private String string(LexicalMode mode) {
    String literal = literal(bytes, mode);
    if (type == MysqlType.JSON) {
      return json(literal, mode);
    }
    if (collation.isEmpty()) {
      return literal;
    }
    String charset = collation.contains("_") ? collation.substring(0, collation.indexOf('_')) : "";
    return "(CONVERT("
        + literal
        + " USING "
        + (charset.isEmpty() ? collation : charset)
        + ") COLLATE "
        + collation
        + ")";
  }

  private static String literal(byte[] content, LexicalMode mode) {
    if (AsciiWeights.isAscii(content, content.length)) {
      ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 8);
      StringContent.appendQuoted(content, mode, out);
      return out.toString(StandardCharsets.US_ASCII);
    }
    return "_utf8mb4 x'" + HexFormat.of().formatHex(content) + "'";
  }

  /** From a text a document gets no DECIMAL: these are put in. */
  private String json(String literal, LexicalMode mode) {
    List<JsonDecimals.Found> decimals = JsonDecimals.of(text());
    String document = "CAST(" + literal + " AS JSON)";
    if (decimals.isEmpty()) {
      return document;
    }
    StringBuilder sql = new StringBuilder("JSON_SET(").append(document);
    for (JsonDecimals.Found one : decimals) {
      sql.append(", ").append(literal(one.path().getBytes(StandardCharsets.UTF_8), mode));
      sql.append(", ").append(one.digits());
    }
    return sql.append(')').toString();
  }

  /** The literal that a user variable has it by. */
  String userVariable() {
    return switch (kind) {
      case NULL -> VariableLiteral.NULL;
      case INTEGER ->
          type == MysqlType.YEAR ? "CAST(" + text() + " AS UNSIGNED)" : sql(LexicalMode.DEFAULT);
      case DECIMAL, FLOAT -> sql(LexicalMode.DEFAULT);
      case BINARY -> hex();
      case TEMPORAL -> "_utf8mb4 " + hex();
      case STRING ->
          "_utf8mb4 " + hex() + (collation.startsWith("utf8mb4_") ? " COLLATE " + collation : "");
    };
  }
}
