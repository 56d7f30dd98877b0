package io.alrai.executor.fragment;

import static io.alrai.executor.fragment.ValueKind.DECIMAL;
import static io.alrai.executor.fragment.ValueKind.DOUBLE;
import static io.alrai.executor.fragment.ValueKind.STRING;
import static io.alrai.executor.fragment.ValueKind.UNSIGNED;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The types that MySQL gives to functions: MySQL 9 manual, "Arithmetic Operators" and "Precision
 * Math". Combinations that MySQL would convert first (text as a number, a date as a number) are
 * refused with 1235, so that the planner casts or leaves the statement to the fallback.
 */
public final class ResultTypes {
  /** MySQL's default of div_precision_increment. */
  public static final int DIVISION_DIGITS = 4;

  private static final int SUM_DIGITS = 22;
  private static final int WORD_DIGITS = 9;

  private ResultTypes() {}

  /** The type of a function's result. */
  public static ValueType of(ScalarFunction function, List<ValueType> arguments) {
    boolean nullable = arguments.stream().anyMatch(ValueType::nullable);
    return switch (function) {
      case ADD, SUBTRACT, MULTIPLY, DIVIDE, INTEGER_DIVIDE, MODULO ->
          arithmetic(function, number(arguments.get(0)), number(arguments.get(1)), nullable);
      case NEGATE, ABS -> negated(function, number(arguments.getFirst()));
      case FLOOR, CEILING -> floor(number(arguments.getFirst()));
      case ROUND -> number(arguments.getFirst());
      case EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL -> {
        comparable(arguments.get(0), arguments.get(1));
        yield ValueType.truth(nullable);
      }
      case NULL_SAFE_EQUAL -> {
        comparable(arguments.get(0), arguments.get(1));
        yield ValueType.truth(false);
      }
      case AND, OR, NOT, XOR -> ValueType.truth(nullable);
      case IS_NULL, IS_NOT_NULL, IS_TRUE, IS_FALSE -> ValueType.truth(false);
      case COALESCE ->
          common(arguments).withNullable(arguments.stream().allMatch(ValueType::nullable));
      case GREATEST, LEAST -> common(arguments);
      case SUBSTRING, LEFT, RIGHT, TRIM, UPPER, LOWER -> text(arguments.getFirst(), nullable);
      case CONCAT -> concatenated(arguments, nullable);
      case CHAR_LENGTH, LENGTH -> {
        text(arguments.getFirst(), nullable);
        yield ValueType.whole(10, nullable);
      }
      // of what is no date, as 0, it is NULL
      case DATEDIFF -> ValueType.whole(7, true);
    };
  }

  private static ValueType arithmetic(
      ScalarFunction function, ValueType left, ValueType right, boolean nullable) {
    boolean canBeNull =
        nullable
            || function == ScalarFunction.DIVIDE
            || function == ScalarFunction.INTEGER_DIVIDE
            || function == ScalarFunction.MODULO;
    if (left.kind() == DOUBLE || right.kind() == DOUBLE) {
      return function == ScalarFunction.INTEGER_DIVIDE
          ? ValueType.bigint(true)
          : ValueType.floating(canBeNull);
    }
    boolean whole = left.kind().isWhole() && right.kind().isWhole();
    return switch (function) {
      case DIVIDE ->
          ValueType.decimal(
              left.precision() + right.scale() + DIVISION_DIGITS,
              left.scale() + DIVISION_DIGITS,
              true);
      case INTEGER_DIVIDE ->
          unsigned(left, right) ? ValueType.unsigned(true) : ValueType.bigint(true);
      case MODULO ->
          whole
              ? left.withNullable(true)
              : ValueType.decimal(
                  Math.max(left.precision(), right.precision()),
                  Math.max(left.scale(), right.scale()),
                  true);
      case MULTIPLY ->
          whole
              ? wholeResult(left, right, nullable, left.precision() + right.precision())
              : ValueType.decimal(
                  left.precision() + right.precision(), left.scale() + right.scale(), nullable);
      default -> {
        int scale = Math.max(left.scale(), right.scale());
        int digits = Math.max(left.integerDigits(), right.integerDigits()) + 1;
        yield whole
            ? wholeResult(left, right, nullable, digits)
            : ValueType.decimal(digits + scale, scale, nullable);
      }
    };
  }

  private static ValueType wholeResult(
      ValueType left, ValueType right, boolean nullable, int digits) {
    return unsigned(left, right)
        ? ValueType.unsigned(nullable)
        : ValueType.whole(Math.min(digits, ValueType.bigint(false).precision()), nullable);
  }

  private static boolean unsigned(ValueType left, ValueType right) {
    return left.kind() == UNSIGNED || right.kind() == UNSIGNED;
  }

  private static ValueType negated(ScalarFunction function, ValueType argument) {
    return argument.kind() == UNSIGNED && function == ScalarFunction.NEGATE
        ? ValueType.bigint(argument.nullable())
        : argument;
  }

  private static ValueType floor(ValueType argument) {
    if (argument.kind() != DECIMAL) {
      return argument;
    }
    int digits = argument.integerDigits() + 1;
    return digits < ValueType.bigint(false).precision()
        ? ValueType.whole(digits, argument.nullable())
        : ValueType.decimal(digits, 0, argument.nullable());
  }

  private static ValueType concatenated(List<ValueType> arguments, boolean nullable) {
    int characters = 0;
    for (ValueType argument : arguments) {
      characters += text(argument, nullable).precision();
    }
    return ValueType.string(characters, common(arguments).collation(), nullable);
  }

  /** The type of CASE. */
  public static ValueType ofCase(List<Scalar.Branch> branches, Optional<Scalar> otherwise) {
    List<ValueType> values = new ArrayList<>();
    branches.forEach(branch -> values.add(branch.value().type()));
    otherwise.ifPresent(value -> values.add(value.type()));
    ValueType common = common(values);
    return otherwise.isPresent() ? common : common.withNullable(true);
  }

  /** The type that holds the values of all of these, as CASE, COALESCE and UNION combine them. */
  public static ValueType common(List<ValueType> types) {
    ValueType result = types.getFirst();
    for (ValueType type : types.subList(1, types.size())) {
      result = common(result, type);
    }
    return result;
  }

  private static ValueType common(ValueType one, ValueType other) {
    boolean nullable = one.nullable() || other.nullable();
    if (one.kind() == other.kind() && one.kind() != DECIMAL) {
      if (one.kind() == STRING && one.collation() != other.collation()) {
        throw refused("strings of collations " + one.collation() + " and " + other.collation());
      }
      return new ValueType(
          one.kind(),
          Math.max(one.precision(), other.precision()),
          Math.max(one.scale(), other.scale()),
          nullable,
          one.collation());
    }
    if (one.kind().isNumber() && other.kind().isNumber()) {
      if (one.kind() == DOUBLE || other.kind() == DOUBLE) {
        return ValueType.floating(nullable);
      }
      int scale = Math.max(one.scale(), other.scale());
      int digits = Math.max(one.integerDigits(), other.integerDigits());
      return ValueType.decimal(digits + scale, scale, nullable);
    }
    throw refused("values of " + one + " and " + other);
  }

  /** The type of an aggregate over arguments of these types. */
  public static ValueType of(AggregateFunction function, List<ValueType> arguments) {
    return switch (function) {
      case COUNT -> ValueType.bigint(false);
      case SUM -> sum(number(arguments.getFirst()));
      case AVG -> average(number(arguments.getFirst()));
      case MIN, MAX, ANY_VALUE -> arguments.getFirst().withNullable(true);
    };
  }

  private static ValueType sum(ValueType argument) {
    return argument.kind() == DOUBLE
        ? ValueType.floating(true)
        : ValueType.decimal(argument.precision() + SUM_DIGITS, argument.scale(), true);
  }

  private static ValueType average(ValueType argument) {
    return argument.kind() == DOUBLE
        ? ValueType.floating(true)
        : ValueType.decimal(
            argument.precision() + DIVISION_DIGITS, argument.scale() + DIVISION_DIGITS, true);
  }

  /** AVG of an exact number with all digits that MySQL computes with until it is stored or sent. */
  static ValueType ofAverage(ValueType argument) {
    int before = Math.ceilDiv(argument.scale(), WORD_DIGITS) * WORD_DIGITS;
    int more = Math.max(0, DIVISION_DIGITS - (before - argument.scale()));
    int scale = Math.ceilDiv(before + more, WORD_DIGITS) * WORD_DIGITS;
    return ValueType.decimal(argument.integerDigits() + scale, scale, true);
  }

  private static ValueType number(ValueType type) {
    if (!type.kind().isNumber()) {
      throw refused("arithmetic with " + type);
    }
    return type;
  }

  private static ValueType text(ValueType type, boolean nullable) {
    if (type.kind() != STRING) {
      throw refused("a string function of " + type);
    }
    return type.withNullable(nullable);
  }

  private static void comparable(ValueType left, ValueType right) {
    boolean numbers = left.kind().isNumber() && right.kind().isNumber();
    boolean moments = left.kind().isTemporal() && right.kind().isTemporal();
    boolean strings =
        left.kind() == STRING && right.kind() == STRING && left.collation() == right.collation();
    if (!numbers && !moments && !strings) {
      throw refused("a comparison of " + left + " with " + right);
    }
  }

  private static AlraiException refused(String what) {
    return new AlraiException(
        ErrorCode.ER_NOT_SUPPORTED_YET, "The analytical executor does not take " + what);
  }
}
