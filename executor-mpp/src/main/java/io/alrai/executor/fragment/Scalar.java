package io.alrai.executor.fragment;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * A typed expression over the columns of a plan node's input. Values are converted by {@link Cast}
 * only: what a function takes must be of kinds that {@link ResultTypes} combines.
 */
public sealed interface Scalar {
  /** The type of its value. */
  ValueType type();

  /** Has none within. */
  sealed interface Leaf extends Scalar {}

  /** A column of the input, counted from 0. */
  record Column(int index, ValueType type) implements Leaf {}

  /** A value that the plan knows. */
  record Literal(Constant value, ValueType type) implements Leaf {}

  /** A value that the statement brings: the slot of the statement's shape. */
  record Parameter(int slot, ValueType type) implements Leaf {}

  /**
   * The one value of an uncorrelated subquery: NULL when it has no row, error 1242 when several.
   *
   * @param subquery index in {@link AnalyticPlan#subqueries()}
   */
  record SubqueryValue(int subquery, ValueType type) implements Leaf {}

  /** A function or an operator. */
  record Call(ScalarFunction function, List<Scalar> arguments, ValueType type) implements Scalar {
    public Call {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * CASE WHEN: the first branch whose condition is true. The values of all branches are of the
   * node's kind, or NULL.
   */
  record Case(List<Branch> branches, Optional<Scalar> otherwise, ValueType type) implements Scalar {
    public Case {
      branches = List.copyOf(branches);
    }
  }

  /** WHEN and THEN. */
  record Branch(Scalar condition, Scalar value) {}

  /** CAST, as MySQL converts; also the coercions that MySQL does silently. */
  record Cast(Scalar argument, ValueType type) implements Scalar {}

  /** {@code argument IN (values)}: NULL when none is equal and one of them is NULL. */
  record InList(Scalar argument, List<Scalar> values, ValueType type) implements Scalar {
    public InList {
      values = List.copyOf(values);
    }
  }

  /**
   * LIKE, by the argument's collation.
   *
   * @param pattern a literal or a parameter
   */
  record Like(Scalar argument, Scalar pattern, char escape, ValueType type) implements Scalar {}

  /** EXTRACT(unit FROM argument). */
  record Extract(DateUnit unit, Scalar argument, ValueType type) implements Scalar {}

  /** {@code argument + INTERVAL amount unit}; an amount below zero goes back. */
  record DateAdd(Scalar argument, Scalar amount, DateUnit unit, ValueType type) implements Scalar {}

  /** A call with the type that MySQL gives it. */
  static Call call(ScalarFunction function, Scalar... arguments) {
    return call(function, List.of(arguments));
  }

  /**
   * A call with the type that MySQL gives it.
   *
   * @throws io.alrai.common.error.AlraiException 1235 for types that need another conversion first
   */
  static Call call(ScalarFunction function, List<Scalar> arguments) {
    return new Call(
        function,
        arguments,
        ResultTypes.of(function, arguments.stream().map(Scalar::type).toList()));
  }

  /** CASE with the type that MySQL gives it. */
  static Case choose(List<Branch> branches, Optional<Scalar> otherwise) {
    return new Case(branches, otherwise, ResultTypes.ofCase(branches, otherwise));
  }

  /** IN over a list. */
  static InList in(Scalar argument, List<Scalar> values) {
    boolean nullable =
        argument.type().nullable() || values.stream().anyMatch(v -> v.type().nullable());
    return new InList(argument, values, ValueType.truth(nullable));
  }

  /** LIKE with a backslash as the escape character. */
  static Like like(Scalar argument, Scalar pattern) {
    boolean nullable = argument.type().nullable() || pattern.type().nullable();
    return new Like(argument, pattern, '\\', ValueType.truth(nullable));
  }

  /** EXTRACT. */
  static Extract extract(DateUnit unit, Scalar argument) {
    return new Extract(unit, argument, ValueType.whole(6, argument.type().nullable()));
  }

  /** A whole number literal. */
  static Literal whole(long value) {
    int digits = BigDecimal.valueOf(value).precision();
    return new Literal(new Constant.Whole(value), ValueType.whole(digits, false));
  }

  /** A decimal literal, for example {@code 0.05}. */
  static Literal exact(String digits) {
    BigDecimal value = new BigDecimal(digits);
    int precision = Math.max(value.precision(), value.scale());
    return new Literal(
        new Constant.Exact(value), ValueType.decimal(precision, Math.max(0, value.scale()), false));
  }

  /** A string literal. */
  static Literal text(String value, TextCollation collation) {
    int bytes = value.getBytes(StandardCharsets.UTF_8).length;
    return new Literal(new Constant.Text(value), ValueType.string(bytes, collation, false));
  }

  /** A date literal. */
  static Literal date(LocalDate day) {
    return new Literal(new Constant.Day(Math.toIntExact(day.toEpochDay())), ValueType.date(false));
  }

  /** NULL of a type. */
  static Literal nothing(ValueType type) {
    return new Literal(new Constant.Null(), type.withNullable(true));
  }
}
