package io.alrai.cn.handler;

import io.alrai.cn.routine.LocalValue;
import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.gms.api.Column;
import io.alrai.optimizer.api.HandlerStatement.Form;
import io.alrai.optimizer.api.HandlerStatement.KeyValue;
import io.alrai.optimizer.api.text.Identifier;
import io.alrai.optimizer.api.text.LexicalMode;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A part of an index: a column, the first characters of one, or an expression.
 *
 * @param column empty for an expression
 * @param expression its SQL; else empty
 * @param prefix how many characters, or bytes, of the column; 0 for all
 * @param descending whether large values come first
 * @param elements of an ENUM or SET, as the text between the parentheses of its type; else empty
 */
record KeyPart(
    Optional<Column> column, String expression, int prefix, boolean descending, String elements) {
  static final String NULL = "NULL";

  /** What is compared and sorted. */
  String sql() {
    String whole = column.map(Column::name).map(Identifier::quote).orElse(expression);
    if (type() == MysqlType.SET) {
      return "CAST(" + whole + " AS UNSIGNED)"; // a SET is compared with numbers as a DOUBLE
    }
    return prefix == 0 ? whole : "LEFT(" + whole + ", " + prefix + ")";
  }

  /** Whether NULL may be among the values. */
  boolean nullable() {
    return column.isEmpty() || column.get().nullable();
  }

  private MysqlType type() {
    return column.map(Column::type).orElse(MysqlType.NULL);
  }

  /** A text, other than of bytes. */
  private boolean isText() {
    return isString() && column.stream().noneMatch(each -> each.charset().equals("binary"));
  }

  private boolean isString() {
    return switch (type()) {
      case CHAR, VARCHAR, TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB -> true;
      default -> false;
    };
  }

  /** What tells a row's value exactly, whatever character set results have. */
  String read() {
    if (isText()) {
      return "CAST(CONVERT(" + sql() + " USING utf8mb4) AS BINARY)";
    }
    return switch (type()) {
      case FLOAT -> sql() + " + 0e0";
      case ENUM -> "CAST(" + sql() + " AS UNSIGNED)";
      case BIT, YEAR -> sql() + " + 0";
      default -> sql();
    };
  }

  /** The literal that {@link #sql} is compared with, for what {@link #read} gave. */
  String literal(LocalValue value, LexicalMode mode) {
    return isText() && value.kind() == Kind.BINARY ? "_utf8mb4 " + value.hex() : value.sql(mode);
  }

  /**
   * What {@link #sql} is compared with for a client's value: the value as the column would have it.
   *
   * @param evaluate asks for the value of an expression, as a literal
   */
  String value(KeyValue given, UnaryOperator<String> evaluate) {
    if (given.form() == Form.NULL) {
      return NULL;
    }
    if (type() == MysqlType.ENUM && given.form() != Form.INTEGER) {
      return evaluate.apply("FIELD(" + given.sql() + ", " + elements + ")");
    }
    if (type() == MysqlType.SET && given.form() != Form.INTEGER) {
      return evaluate.apply(
          "(SELECT " + bits("g.v") + " FROM (SELECT " + given.sql() + " AS v) g)");
    }
    String whole = isPlain(given.form()) ? given.sql() : evaluate.apply(cast(given.sql()));
    return prefix == 0 || whole.equals(NULL) ? whole : "LEFT(" + whole + ", " + prefix + ")";
  }

  /** A bit for each member that a text names. No member has a comma. */
  private String bits(String text) {
    String[] members = elements.split(",", -1);
    return IntStream.range(0, members.length)
        .mapToObj(bit -> "(FIND_IN_SET(" + members[bit] + ", " + text + ") > 0) << " + bit)
        .collect(Collectors.joining(" | "));
  }

  /** Whether a literal of that form stands for a value of the column's type. */
  private boolean isPlain(Form form) {
    return switch (form) {
      case NULL -> true;
      case INTEGER ->
          switch (type()) {
            case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT, DECIMAL, DOUBLE, ENUM, SET, BIT, YEAR ->
                true;
            default -> false;
          };
      case STRING -> isString();
      case EXPRESSION, VARIABLE -> false;
    };
  }

  private String cast(String value) {
    String sql = "(" + value + ")";
    if (column.isEmpty()) {
      return sql;
    }
    Column of = column.get();
    return switch (of.type()) {
      case TINYINT, SMALLINT, MEDIUMINT, INT, BIGINT ->
          "CAST(" + sql + (of.unsigned() ? " AS UNSIGNED)" : " AS SIGNED)");
      case BIT -> "CAST(" + sql + " AS UNSIGNED)";
      case DECIMAL -> "CAST(" + sql + " AS DECIMAL(" + of.length() + ", " + of.scale() + "))";
      case FLOAT -> "CAST(" + sql + " AS FLOAT) + 0e0";
      case DOUBLE -> "CAST(" + sql + " AS DOUBLE)";
      case DATE -> "CAST(" + sql + " AS DATE)";
      case YEAR -> "CAST(" + sql + " AS YEAR) + 0";
      case TIME -> "CAST(" + sql + " AS TIME(" + of.scale() + "))";
      case DATETIME, TIMESTAMP -> "CAST(" + sql + " AS DATETIME(" + of.scale() + "))";
      default -> isText() ? "CAST(" + sql + " AS CHAR)" : "CAST(" + sql + " AS BINARY)";
    };
  }
}
