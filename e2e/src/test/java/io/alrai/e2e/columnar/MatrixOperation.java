package io.alrai.e2e.columnar;

import java.util.List;
import java.util.Locale;

/**
 * An operator or a function of {@link ExpressionMatrixIT}.
 *
 * @param name in the ledger
 * @param operands how many it has
 * @param form of {@link String#format}
 */
record MatrixOperation(String name, int operands, String form) {
  /** With one operand. */
  static final List<MatrixOperation> UNARY =
      List.of(
          unary("value", "%1$s"),
          unary("negate", "(-%1$s)"),
          unary("not", "(NOT %1$s)"),
          unary("is null", "(%1$s IS NULL)"),
          unary("is not null", "(%1$s IS NOT NULL)"),
          unary("is true", "(%1$s IS TRUE)"),
          unary("is not false", "(%1$s IS NOT FALSE)"),
          unary("abs", "ABS(%1$s)"),
          unary("floor", "FLOOR(%1$s)"),
          unary("ceiling", "CEILING(%1$s)"),
          unary("round", "ROUND(%1$s, 1)"),
          unary("year", "YEAR(%1$s)"),
          unary("quarter", "QUARTER(%1$s)"),
          unary("month", "MONTH(%1$s)"),
          unary("day", "DAY(%1$s)"),
          unary("hour", "HOUR(%1$s)"),
          unary("minute", "MINUTE(%1$s)"),
          unary("second", "SECOND(%1$s)"),
          unary("microsecond", "EXTRACT(MICROSECOND FROM %1$s)"),
          unary("year_month", "EXTRACT(YEAR_MONTH FROM %1$s)"),
          unary("plus month", "(%1$s + INTERVAL 1 MONTH)"),
          unary("minus day", "(%1$s - INTERVAL 31 DAY)"),
          unary("plus hour", "(%1$s + INTERVAL 5 HOUR)"),
          unary("minus microsecond", "(%1$s - INTERVAL 1 MICROSECOND)"),
          unary("signed", "CAST(%1$s AS SIGNED)"),
          unary("unsigned", "CAST(%1$s AS UNSIGNED)"),
          unary("double", "CAST(%1$s AS DOUBLE)"),
          unary("decimal", "CAST(%1$s AS DECIMAL(12,2))"),
          unary("short decimal", "CAST(%1$s AS DECIMAL(3,1))"),
          unary("date", "CAST(%1$s AS DATE)"),
          unary("substring", "SUBSTRING(%1$s, 2)"),
          unary("substring back", "SUBSTRING(%1$s, -2, 1)"),
          unary("upper", "UPPER(%1$s)"),
          unary("char_length", "CHAR_LENGTH(%1$s)"),
          unary("like start", "(%1$s LIKE 'a%%')"),
          unary("like one", "(%1$s LIKE '_')"),
          unary("like escaped", "(%1$s LIKE '%%\\\\_\\\\%%')"),
          unary("like beyond", "(%1$s LIKE '%%é')"),
          unary("in list", "(%1$s IN (1, 2, NULL))"),
          unary("in texts", "(%1$s IN ('a', 'B', '1'))"),
          unary("equals text", "(%1$s = 'a')"),
          unary("equals day", "(%1$s = '2020-02-29')"),
          unary("less than day", "(%1$s < DATE'2020-01-31')"),
          unary("equals 99", "(%1$s = 99)"),
          unary("less than 70", "(%1$s < 70)"),
          unary("between", "(%1$s BETWEEN 0 AND 1.5)"),
          unary("equals quotient", "(%1$s = 54/28)"),
          unary("nullif 1", "NULLIF(%1$s, 1)"),
          unary("case of value", "CASE %1$s WHEN 1 THEN 'one' WHEN NULL THEN 'none' ELSE 'x' END"));

  /** With two operands. */
  static final List<MatrixOperation> BINARY =
      List.of(
          binary("add", "(%1$s + %2$s)"),
          binary("subtract", "(%1$s - %2$s)"),
          binary("multiply", "(%1$s * %2$s)"),
          binary("divide", "(%1$s / %2$s)"),
          binary("div", "(%1$s DIV %2$s)"),
          binary("mod", "(%1$s %% %2$s)"),
          binary("equal", "(%1$s = %2$s)"),
          binary("less", "(%1$s < %2$s)"),
          binary("greater equal", "(%1$s >= %2$s)"),
          binary("null safe", "(%1$s <=> %2$s)"),
          binary("xor", "(%1$s XOR %2$s)"),
          binary("coalesce", "COALESCE(%1$s, %2$s)"),
          binary("nullif", "NULLIF(%1$s, %2$s)"),
          binary("if", "IF(@.id %% 2 = 0, %1$s, %2$s)"),
          binary("case", "CASE WHEN @.id %% 3 = 0 THEN %1$s WHEN @.id %% 3 = 1 THEN %2$s END"),
          binary("between", "(%1$s BETWEEN %2$s AND %2$s)"),
          binary("in", "(%1$s IN (%2$s, 1))"),
          binary("datediff", "DATEDIFF(%1$s, %2$s)"),
          binary("quotient and more", "(%1$s / %2$s + 0.0000000000001)"),
          binary("quotient is", "(%1$s / %2$s = 1.9286)"));

  private static MatrixOperation unary(String name, String form) {
    return new MatrixOperation(name, 1, form);
  }

  private static MatrixOperation binary(String name, String form) {
    return new MatrixOperation(name, 2, form);
  }

  /** The expression; {@code @} stands for the table's alias. */
  String of(String... arguments) {
    return String.format(Locale.ROOT, form, (Object[]) arguments);
  }
}
