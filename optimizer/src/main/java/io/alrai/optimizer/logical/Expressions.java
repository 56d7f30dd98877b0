package io.alrai.optimizer.logical;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.DateUnit;
import io.alrai.executor.fragment.ResultTypes;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Predicate;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimestampString;

/**
 * Makes typed expressions: each call has the type that the executor's own rules give it, operands
 * of comparisons are brought to kinds that compare as MySQL compares them. One thread.
 */
public final class Expressions {
  /** Digits that a floating point number certainly has. */
  private static final int EXACT_DIGITS = 15;

  private final MysqlRexBuilder builder;
  private final ValueTypes types;

  Expressions(MysqlRexBuilder builder, ValueTypes types) {
    this.builder = builder;
    this.types = types;
  }

  /** Over a tree's own builder. */
  public static Expressions of(RexBuilder builder) {
    return new Expressions((MysqlRexBuilder) builder, new ValueTypes(builder.getTypeFactory()));
  }

  /** Calcite's builder. */
  public RexBuilder builder() {
    return builder;
  }

  /** The types. */
  public ValueTypes types() {
    return types;
  }

  /** An expression's type; of a number that is written out its own digits. */
  public ValueType type(RexNode expression) {
    ValueType type = types.valueType(expression.getType());
    if (type.kind() == ValueKind.BIGINT
        && expression instanceof RexLiteral literal
        && literal.getValueAs(BigDecimal.class) instanceof BigDecimal value) {
      return ValueType.whole(value.precision(), false);
    }
    return type;
  }

  /** A call of a function whose arguments have the kinds that it takes. */
  public RexNode call(ScalarFunction function, List<RexNode> arguments) {
    new Coverage(this).check(function, arguments);
    ValueType type;
    try {
      type = ResultTypes.of(function, arguments.stream().map(this::type).toList());
    } catch (AlraiException e) {
      throw new NotCovered(e.sentence());
    }
    RelDataType relType =
        switch (function) {
          case EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, NULL_SAFE_EQUAL ->
              types.truth(type.nullable());
          case AND, OR, NOT, XOR, IS_NULL, IS_NOT_NULL, IS_TRUE, IS_FALSE ->
              types.truth(type.nullable());
          case ABS, FLOOR, CEILING, MODULO -> types.relType(type, arguments.getFirst());
          case COALESCE -> types.relType(type, arguments);
          default -> types.relType(type);
        };
    return builder.makeCall(relType, Functions.operator(function), arguments);
  }

  /** A comparison. */
  public RexNode compare(ScalarFunction function, RexNode left, RexNode right) {
    return call(function, List.of(comparable(left, right), comparable(right, left)));
  }

  /** {@code value} as it is compared with another expression. */
  RexNode comparable(RexNode value, RexNode other) {
    ValueKind kind = type(value).kind();
    ValueKind otherKind = type(other).kind();
    if (isNull(value)) {
      return builder.makeNullLiteral(other.getType());
    }
    if (kind != ValueKind.STRING || !(value instanceof RexLiteral literal)) {
      return value;
    }
    String text = text(literal);
    return switch (otherKind) {
      case STRING -> other instanceof RexLiteral ? value : text(text, type(other).collation());
      case DATE, DATETIME -> TemporalText.parse(text).literal(this);
      case BIGINT, UNSIGNED, DECIMAL -> number(text, type(other));
      case DOUBLE -> throw new NotCovered("a comparison of DOUBLE with a string");
    };
  }

  /** MySQL compares them as floating point numbers: only what these have exactly. */
  private RexNode number(String text, ValueType other) {
    boolean exact = other.kind() != ValueKind.DECIMAL || other.precision() <= EXACT_DIGITS;
    if (!exact || !text.matches("-?[0-9]{1," + EXACT_DIGITS + "}")) {
      throw new NotCovered("a comparison of a number with the string '" + text + "'");
    }
    return whole(Long.parseLong(text));
  }

  /** Whether it is the literal NULL. */
  static boolean isNull(RexNode node) {
    return node instanceof RexLiteral literal && literal.isNull();
  }

  /** Whether such a node is a part of an expression, or the whole of it. */
  static boolean has(RexNode node, Predicate<RexNode> such) {
    return such.test(node)
        || (node instanceof RexCall call
            && call.getOperands().stream().anyMatch(operand -> has(operand, such)));
  }

  /** A string literal's text. */
  static String text(RexLiteral literal) {
    return String.valueOf(literal.getValueAs(String.class));
  }

  /** An expression as a condition: numbers are true when they are not 0. */
  RexNode condition(RexNode node) {
    if (node.getType().getSqlTypeName() == SqlTypeName.BOOLEAN) {
      return node;
    }
    if (!type(node).kind().isNumber()) {
      throw new NotCovered("a string or a date as a condition");
    }
    return call(ScalarFunction.NOT_EQUAL, List.of(node, whole(0)));
  }

  /** AND of conditions; TRUE for none. */
  public RexNode and(List<RexNode> conditions) {
    return RexUtil.composeConjunction(builder, conditions);
  }

  /** OR of conditions. */
  public RexNode or(List<RexNode> conditions) {
    return RexUtil.composeDisjunction(builder, conditions);
  }

  /** NOT. */
  public RexNode not(RexNode condition) {
    return condition.getKind() == SqlKind.NOT
        ? ((RexCall) condition).getOperands().getFirst()
        : call(ScalarFunction.NOT, List.of(condition));
  }

  /** A call of an operator with that type. */
  RexNode call(SqlOperator operator, RelDataType type, List<RexNode> arguments) {
    return builder.makeCall(type, operator, arguments);
  }

  /** A value as another type. */
  public RexNode cast(RexNode value, ValueType type) {
    return builder.makeCall(types.relType(type), SqlStdOperatorTable.CAST, List.of(value));
  }

  /** A column of an input. */
  static RexNode column(RelDataType row, int index) {
    return new RexInputRef(index, row.getFieldList().get(index).getType());
  }

  /** EXTRACT. */
  RexNode extract(DateUnit unit, RexNode value) {
    ValueType type = type(value);
    if (!type.kind().isTemporal()) {
      throw new NotCovered("EXTRACT from a value that is no date");
    }
    return builder.makeCall(
        types.relType(ValueType.bigint(type.nullable())), Functions.extract(unit), List.of(value));
  }

  /** YEAR(): the same number as that of EXTRACT, without a sign. */
  RexNode year(RexNode value) {
    RexNode year = extract(DateUnit.YEAR, value);
    return builder.makeCall(
        types.unsigned(type(year)), Functions.extract(DateUnit.YEAR), List.of(value));
  }

  /** A whole number. */
  public RexNode whole(long value) {
    return builder.number(BigDecimal.valueOf(value), types.relType(ValueType.bigint(false)));
  }

  /** A decimal. */
  RexNode exact(BigDecimal value) {
    int scale = Math.max(0, value.scale());
    int precision = Math.max(value.precision(), scale);
    if (precision > ValueType.MOST_DIGITS || scale > ValueType.MOST_SCALE) {
      throw new NotCovered("a number of " + precision + " digits");
    }
    return builder.number(value, types.relType(ValueType.decimal(precision, scale, false)));
  }

  /** A string. */
  RexNode text(String value, TextCollation collation) {
    int length = Math.max(1, value.codePointCount(0, value.length()));
    return builder.text(value, types.relType(ValueType.string(length, collation, false)));
  }

  /** A date. */
  RexNode date(LocalDate day) {
    return builder.makeDateLiteral(DateString.fromDaysSinceEpoch((int) day.toEpochDay()));
  }

  /** A moment: with as many fractional digits as its type. */
  RexNode moment(TimestampString moment, int digits) {
    return builder.makeTimestampLiteral(moment, digits);
  }

  /** NULL. */
  RexNode nothing() {
    return builder.makeNullLiteral(types.relType(ValueType.whole(1, true)));
  }
}
