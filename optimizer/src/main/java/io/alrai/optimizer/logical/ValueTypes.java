package io.alrai.optimizer.logical;

import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import io.alrai.gms.api.Column;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCollation;
import org.apache.calcite.sql.type.SqlTypeName;

/** Between the executor's types, the catalog's columns and Calcite's types. Immutable. */
public final class ValueTypes {
  private static final int BOOLEAN_DIGITS = 1;
  private static final int YEAR_DIGITS = 4;
  private static final int SHORT_DIGITS = 10;

  /** What stands for YEAR in Calcite's trees. */
  private static final SqlTypeName YEAR = SqlTypeName.SMALLINT;

  /** What stands for whole numbers without a sign of up to 32 bits. */
  private static final SqlTypeName SHORT_UNSIGNED = SqlTypeName.UINTEGER;

  private final RelDataTypeFactory factory;

  ValueTypes(RelDataTypeFactory factory) {
    this.factory = factory;
  }

  /** The types of a tree. */
  public static ValueTypes of(RelNode tree) {
    return new ValueTypes(tree.getCluster().getTypeFactory());
  }

  /** Calcite's factory. */
  public RelDataTypeFactory factory() {
    return factory;
  }

  /** Calcite's type for a value. */
  public RelDataType relType(ValueType type) {
    RelDataType plain =
        switch (type.kind()) {
          case BIGINT -> factory.createSqlType(SqlTypeName.BIGINT);
          case UNSIGNED -> factory.createSqlType(SqlTypeName.UBIGINT);
          case DECIMAL ->
              factory.createSqlType(SqlTypeName.DECIMAL, type.precision(), type.scale());
          case DOUBLE -> factory.createSqlType(SqlTypeName.DOUBLE);
          case DATE -> factory.createSqlType(SqlTypeName.DATE);
          case DATETIME -> factory.createSqlType(SqlTypeName.TIMESTAMP, type.scale());
          case STRING -> text(type);
        };
    return factory.createTypeWithNullability(plain, type.nullable());
  }

  /**
   * Calcite's type for a column's values. YEAR and short numbers without a sign have types of their
   * own there, as MySQL compares and subtracts them in its own ways.
   *
   * @throws NotCovered for a type or collation that the executor has not
   */
  RelDataType relType(Column column) {
    ValueType type = of(column);
    if (column.type() == MysqlType.YEAR) {
      return year(type.nullable());
    }
    return column.unsigned() ? unsigned(type) : relType(type);
  }

  private RelDataType year(boolean nullable) {
    return factory.createTypeWithNullability(factory.createSqlType(YEAR), nullable);
  }

  /** Calcite's type for a number that has no sign. */
  RelDataType unsigned(ValueType type) {
    return type.kind() == ValueKind.BIGINT
        ? factory.createTypeWithNullability(factory.createSqlType(SHORT_UNSIGNED), type.nullable())
        : relType(type);
  }

  /** Calcite's type for what a function makes of a number: it has a sign if the number has one. */
  RelDataType relType(ValueType type, RexNode number) {
    return isUnsigned(number.getType()) ? unsigned(type) : relType(type);
  }

  /** Calcite's type for one of several values: it has a sign if one of them has one. */
  RelDataType relType(ValueType type, List<RexNode> values) {
    List<RelDataType> present =
        values.stream().filter(value -> !Expressions.isNull(value)).map(RexNode::getType).toList();
    if (present.stream().allMatch(ValueTypes::isYear)) {
      return year(type.nullable());
    }
    return present.stream().allMatch(ValueTypes::isUnsigned) ? unsigned(type) : relType(type);
  }

  /** Whether it is a YEAR. */
  static boolean isYear(RelDataType type) {
    return type.getSqlTypeName() == YEAR;
  }

  /** Whether it is a whole number without a sign, as YEAR is. */
  static boolean isUnsigned(RelDataType type) {
    SqlTypeName name = type.getSqlTypeName();
    return name == YEAR || name == SHORT_UNSIGNED || name == SqlTypeName.UBIGINT;
  }

  private RelDataType text(ValueType type) {
    RelDataType plain =
        type.precision() > 0
            ? factory.createSqlType(SqlTypeName.VARCHAR, type.precision())
            : factory.createSqlType(SqlTypeName.VARCHAR);
    return factory.createTypeWithCharsetAndCollation(
        plain, StandardCharsets.UTF_8, collation(type.collation()));
  }

  /** Calcite's collation of that name. */
  static SqlCollation collation(TextCollation collation) {
    return new SqlCollation(
        SqlCollation.Coercibility.IMPLICIT, Locale.ROOT, StandardCharsets.UTF_8, collation.name());
  }

  /** A truth value's type. */
  public RelDataType truth(boolean nullable) {
    return factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.BOOLEAN), nullable);
  }

  /**
   * The executor's type.
   *
   * @throws NotCovered for a type that it has not
   */
  public ValueType valueType(RelDataType type) {
    boolean nullable = type.isNullable();
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> ValueType.whole(BOOLEAN_DIGITS, nullable);
      case SMALLINT -> ValueType.whole(YEAR_DIGITS, nullable);
      case UINTEGER -> ValueType.whole(SHORT_DIGITS, nullable);
      case BIGINT -> ValueType.bigint(nullable);
      case UBIGINT -> ValueType.unsigned(nullable);
      case DECIMAL -> ValueType.decimal(type.getPrecision(), type.getScale(), nullable);
      case DOUBLE -> ValueType.floating(nullable);
      case DATE -> ValueType.date(nullable);
      case TIMESTAMP -> ValueType.datetime(Math.max(0, type.getPrecision()), nullable);
      case CHAR, VARCHAR ->
          ValueType.string(Math.max(0, type.getPrecision()), collation(type), nullable);
      default -> throw new NotCovered("values of type " + type);
    };
  }

  private static TextCollation collation(RelDataType type) {
    SqlCollation collation = type.getCollation();
    if (collation == null) {
      throw new NotCovered("text without a collation");
    }
    String name = collation.getCollationName();
    return TextCollation.ofName(name.substring(name.lastIndexOf('$') + 1))
        .orElseThrow(() -> new NotCovered("the collation " + name));
  }

  /**
   * The type of a column's values as a scan delivers them.
   *
   * @throws NotCovered for a type or collation that the executor has not
   */
  public static ValueType of(Column column) {
    boolean nullable = column.nullable();
    return switch (column.type()) {
      case TINYINT -> whole(column, 3, 3);
      case SMALLINT -> whole(column, 5, 5);
      case MEDIUMINT -> whole(column, 7, 8);
      case INT -> whole(column, 10, 10);
      case YEAR -> ValueType.whole(YEAR_DIGITS, nullable);
      case BIGINT -> column.unsigned() ? ValueType.unsigned(nullable) : ValueType.bigint(nullable);
      case DECIMAL ->
          ValueType.decimal(
              column.length() > 0 ? column.length() : ValueType.MOST_DIGITS,
              column.scale(),
              nullable);
      case DOUBLE -> ValueType.floating(nullable);
      case DATE -> ValueType.date(nullable);
      case DATETIME -> ValueType.datetime(column.scale(), nullable);
      case CHAR, VARCHAR, TINYBLOB, BLOB, MEDIUMBLOB, LONGBLOB -> text(column);
      default -> throw new NotCovered("a column of type " + column.type());
    };
  }

  /** The digits that MySQL gives to a whole number of that width. */
  private static ValueType whole(Column column, int digits, int unsignedDigits) {
    return ValueType.whole(column.unsigned() ? unsignedDigits : digits, column.nullable());
  }

  private static ValueType text(Column column) {
    if (column.charset().equals("binary") && column.type() != MysqlType.VARCHAR) {
      throw new NotCovered("binary strings");
    }
    TextCollation collation =
        TextCollation.ofName(column.collation())
            .orElseThrow(() -> new NotCovered("the collation " + column.collation()));
    return ValueType.string(column.length(), collation, column.nullable());
  }

  /** The protocol's type for values of that type in a result. */
  public static MysqlType protocolType(ValueType type) {
    return switch (type.kind()) {
      case BIGINT, UNSIGNED -> MysqlType.BIGINT;
      case DECIMAL -> MysqlType.DECIMAL;
      case DOUBLE -> MysqlType.DOUBLE;
      case DATE -> MysqlType.DATE;
      case DATETIME -> MysqlType.DATETIME;
      case STRING -> MysqlType.VARCHAR;
    };
  }
}
