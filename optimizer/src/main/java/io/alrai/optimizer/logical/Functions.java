package io.alrai.optimizer.logical;

import io.alrai.executor.fragment.DateUnit;
import io.alrai.executor.fragment.ScalarFunction;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.ReturnTypes;

/**
 * The executor's functions as operators of Calcite's trees: Calcite's own where its rules know
 * them, else functions that mean nothing to them.
 */
public final class Functions {
  /** {@code value IN (a, b, ...)} over a list. */
  public static final SqlOperator IN_LIST = opaque("IN_LIST");

  /** LIKE: (value, pattern). */
  public static final SqlOperator LIKE = SqlStdOperatorTable.LIKE;

  /** The value of an uncorrelated subquery: (its number). */
  public static final SqlOperator SUBQUERY_VALUE = opaque("SUBQUERY_VALUE");

  private static final Map<ScalarFunction, SqlOperator> OPERATORS = operators();
  private static final Map<SqlOperator, ScalarFunction> FUNCTIONS = functions();
  private static final Map<DateUnit, SqlOperator> EXTRACTS = byUnit("EXTRACT_");
  private static final Map<DateUnit, SqlOperator> ADDITIONS = byUnit("ADD_");

  private Functions() {}

  private static SqlOperator opaque(String name) {
    return new SqlFunction(
        name,
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.ARG0,
        null,
        null,
        SqlFunctionCategory.USER_DEFINED_FUNCTION);
  }

  private static Map<ScalarFunction, SqlOperator> operators() {
    Map<ScalarFunction, SqlOperator> map = new EnumMap<>(ScalarFunction.class);
    map.put(ScalarFunction.ADD, SqlStdOperatorTable.PLUS);
    map.put(ScalarFunction.SUBTRACT, SqlStdOperatorTable.MINUS);
    map.put(ScalarFunction.MULTIPLY, SqlStdOperatorTable.MULTIPLY);
    map.put(ScalarFunction.NEGATE, SqlStdOperatorTable.UNARY_MINUS);
    map.put(ScalarFunction.EQUAL, SqlStdOperatorTable.EQUALS);
    map.put(ScalarFunction.NOT_EQUAL, SqlStdOperatorTable.NOT_EQUALS);
    map.put(ScalarFunction.LESS, SqlStdOperatorTable.LESS_THAN);
    map.put(ScalarFunction.LESS_EQUAL, SqlStdOperatorTable.LESS_THAN_OR_EQUAL);
    map.put(ScalarFunction.GREATER, SqlStdOperatorTable.GREATER_THAN);
    map.put(ScalarFunction.GREATER_EQUAL, SqlStdOperatorTable.GREATER_THAN_OR_EQUAL);
    map.put(ScalarFunction.IS_NULL, SqlStdOperatorTable.IS_NULL);
    map.put(ScalarFunction.IS_NOT_NULL, SqlStdOperatorTable.IS_NOT_NULL);
    map.put(ScalarFunction.IS_TRUE, SqlStdOperatorTable.IS_TRUE);
    map.put(ScalarFunction.IS_FALSE, SqlStdOperatorTable.IS_FALSE);
    map.put(ScalarFunction.AND, SqlStdOperatorTable.AND);
    map.put(ScalarFunction.OR, SqlStdOperatorTable.OR);
    map.put(ScalarFunction.NOT, SqlStdOperatorTable.NOT);
    for (ScalarFunction function : ScalarFunction.values()) {
      map.computeIfAbsent(function, missing -> opaque(missing.name()));
    }
    return map;
  }

  private static Map<SqlOperator, ScalarFunction> functions() {
    Map<SqlOperator, ScalarFunction> map = new HashMap<>();
    OPERATORS.forEach((function, operator) -> map.put(operator, function));
    return Map.copyOf(map);
  }

  private static Map<DateUnit, SqlOperator> byUnit(String prefix) {
    Map<DateUnit, SqlOperator> map = new EnumMap<>(DateUnit.class);
    for (DateUnit unit : DateUnit.values()) {
      map.put(unit, opaque(prefix + unit));
    }
    return map;
  }

  /** Calcite's operator. */
  static SqlOperator operator(ScalarFunction function) {
    return java.util.Objects.requireNonNull(OPERATORS.get(function));
  }

  /** EXTRACT(unit FROM value): (value). */
  static SqlOperator extract(DateUnit unit) {
    return java.util.Objects.requireNonNull(EXTRACTS.get(unit));
  }

  /** {@code value + INTERVAL amount unit}: (value, amount). */
  static SqlOperator addition(DateUnit unit) {
    return java.util.Objects.requireNonNull(ADDITIONS.get(unit));
  }

  /** The function that an operator is. */
  public static Optional<ScalarFunction> function(SqlOperator operator) {
    return Optional.ofNullable(FUNCTIONS.get(operator));
  }

  /** The unit of an EXTRACT. */
  public static Optional<DateUnit> extracted(SqlOperator operator) {
    return unit(EXTRACTS, operator);
  }

  /** The unit of an addition to a date. */
  public static Optional<DateUnit> added(SqlOperator operator) {
    return unit(ADDITIONS, operator);
  }

  private static Optional<DateUnit> unit(Map<DateUnit, SqlOperator> map, SqlOperator operator) {
    return map.entrySet().stream()
        .filter(entry -> entry.getValue() == operator)
        .map(Map.Entry::getKey)
        .findFirst();
  }
}
