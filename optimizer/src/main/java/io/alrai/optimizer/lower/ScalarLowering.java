package io.alrai.optimizer.lower;

import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueType;
import io.alrai.optimizer.logical.Functions;
import io.alrai.optimizer.logical.NotCovered;
import io.alrai.optimizer.logical.ValueTypes;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimestampString;

/** Expressions. Types are made anew from those of the input's columns. One thread. */
final class ScalarLowering {
  private static final long MICROS_OF_MILLI = 1000;

  private final ValueTypes types;
  private final List<ValueType> subqueries;

  /**
   * For trees of one factory.
   *
   * @param subqueries the types of the uncorrelated subqueries' values
   */
  ScalarLowering(ValueTypes types, List<ValueType> subqueries) {
    this.types = types;
    this.subqueries = List.copyOf(subqueries);
  }

  /** An expression over columns of those types. */
  Scalar lower(RexNode node, List<ValueType> columns) {
    return switch (node) {
      case RexInputRef ref -> new Scalar.Column(ref.getIndex(), columns.get(ref.getIndex()));
      case RexLiteral literal -> literal(literal);
      case RexCall call -> call(call, columns);
      default -> throw new NotCovered("the expression " + node);
    };
  }

  /** Several expressions. */
  List<Scalar> lower(List<RexNode> nodes, List<ValueType> columns) {
    return nodes.stream().map(node -> lower(node, columns)).toList();
  }

  private Scalar literal(RexLiteral literal) {
    ValueType type = types.valueType(literal.getType());
    if (literal.isNull()) {
      return Scalar.nothing(type);
    }
    if (literal.isAlwaysTrue() || literal.isAlwaysFalse()) {
      return Scalar.whole(literal.isAlwaysTrue() ? 1 : 0);
    }
    return switch (type.kind()) {
      case BIGINT, UNSIGNED -> Scalar.whole(value(literal, BigDecimal.class).longValueExact());
      case DECIMAL ->
          new Scalar.Literal(new Constant.Exact(value(literal, BigDecimal.class)), type);
      case STRING -> new Scalar.Literal(new Constant.Text(value(literal, String.class)), type);
      case DATE ->
          Scalar.date(LocalDate.ofEpochDay(value(literal, DateString.class).getDaysSinceEpoch()));
      case DATETIME -> new Scalar.Literal(new Constant.Moment(micros(literal)), type);
      case DOUBLE -> throw new NotCovered("a floating point literal");
    };
  }

  private static long micros(RexLiteral literal) {
    TimestampString moment = value(literal, TimestampString.class);
    String text = moment.toString(6);
    long below = Long.parseLong(text.substring(text.length() - 3));
    return moment.getMillisSinceEpoch() * MICROS_OF_MILLI + below;
  }

  private static <T> T value(RexLiteral literal, Class<T> type) {
    T value = literal.getValueAs(type);
    if (value == null) {
      throw new NotCovered("the literal " + literal);
    }
    return value;
  }

  private Scalar call(RexCall call, List<ValueType> columns) {
    Optional<ScalarFunction> function = Functions.function(call.getOperator());
    if (function.isPresent()) {
      return Scalar.call(function.get(), lower(call.getOperands(), columns));
    }
    if (call.getOperator() == Functions.SUBQUERY_VALUE) {
      int index = value((RexLiteral) call.getOperands().getFirst(), BigDecimal.class).intValue();
      return new Scalar.SubqueryValue(index, subqueries.get(index).withNullable(true));
    }
    List<Scalar> operands = lower(call.getOperands(), columns);
    if (call.getOperator() == Functions.IN_LIST) {
      return Scalar.in(operands.getFirst(), operands.subList(1, operands.size()));
    }
    var extracted = Functions.extracted(call.getOperator());
    if (extracted.isPresent()) {
      return Scalar.extract(extracted.get(), operands.getFirst());
    }
    var added = Functions.added(call.getOperator());
    if (added.isPresent()) {
      ValueType type = types.valueType(call.getType());
      return new Scalar.DateAdd(operands.get(0), operands.get(1), added.get(), type);
    }
    if (call.getKind() == SqlKind.LIKE) {
      return Scalar.like(operands.get(0), operands.get(1));
    }
    if (call.getKind() == SqlKind.CASE) {
      return choose(operands);
    }
    if (call.getKind() == SqlKind.CAST) {
      return cast(operands.getFirst(), types.valueType(call.getType()));
    }
    throw new NotCovered("the operator " + call.getOperator());
  }

  private static Scalar choose(List<Scalar> operands) {
    List<Scalar.Branch> branches = new ArrayList<>();
    for (int i = 0; i + 1 < operands.size(); i += 2) {
      branches.add(new Scalar.Branch(operands.get(i), operands.get(i + 1)));
    }
    return Scalar.choose(branches, Optional.of(operands.getLast()));
  }

  /** Casts that change nullability or digits only are none; literals are what they become. */
  private static Scalar cast(Scalar argument, ValueType type) {
    ValueType from = argument.type();
    boolean sameKind = from.kind() == type.kind() && from.scale() == type.scale();
    if (sameKind && (type.precision() >= from.precision() || !from.kind().isExact())) {
      return argument;
    }
    if (argument instanceof Scalar.Literal literal
        && literal.value() instanceof Constant.Whole whole
        && type.kind() == io.alrai.executor.fragment.ValueKind.DECIMAL) {
      BigDecimal value = BigDecimal.valueOf(whole.value()).setScale(type.scale());
      return new Scalar.Literal(new Constant.Exact(value), type);
    }
    return new Scalar.Cast(argument, type.withNullable(from.nullable() || type.nullable()));
  }
}
