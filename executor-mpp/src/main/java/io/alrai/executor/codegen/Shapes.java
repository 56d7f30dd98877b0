package io.alrai.executor.codegen;

import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import java.math.BigDecimal;
import java.util.List;
import java.util.function.IntFunction;

/** Predicts the {@link Shape} of the value of an exact expression. */
final class Shapes {
  private final IntFunction<Shape> columns;

  /** Predictions from the shapes of the columns. */
  Shapes(IntFunction<Shape> columns) {
    this.columns = columns;
  }

  /** What is known of a value from its type only. */
  static Shape ofType(ValueType type) {
    return type.kind() == ValueKind.DECIMAL
        ? Shape.ofDigits(type.precision(), type.scale())
        : Shape.whole();
  }

  Shape of(Scalar scalar) {
    return switch (scalar) {
      case Scalar.Column column -> columns.apply(column.index());
      case Scalar.Literal literal -> ofLiteral(literal);
      case Scalar.Call call -> ofCall(call);
      case Scalar.Case choice -> {
        Shape shape = new Shape(0, 0);
        for (Scalar.Branch branch : choice.branches()) {
          shape = Shape.either(shape, of(branch.value()));
        }
        yield choice.otherwise().isPresent()
            ? Shape.either(shape, of(choice.otherwise().get()))
            : shape;
      }
      case Scalar.Cast cast -> ofCast(cast);
      case Scalar.Parameter parameter -> throw Refusals.unbound(parameter);
      case Scalar.SubqueryValue value -> throw Refusals.unbound(value);
      case Scalar.InList in -> new Shape(0, 1);
      case Scalar.Like like -> new Shape(0, 1);
      case Scalar.Extract extract -> new Shape(0, 30);
      case Scalar.DateAdd add -> Shape.whole();
    };
  }

  private Shape ofCast(Scalar.Cast cast) {
    if (!cast.argument().type().kind().isExact() || !cast.type().kind().isExact()) {
      return ofType(cast.type());
    }
    int scale = cast.type().kind() == ValueKind.DECIMAL ? cast.type().scale() : 0;
    return of(cast.argument()).roundedTo(scale);
  }

  private static Shape ofLiteral(Scalar.Literal literal) {
    return switch (literal.value()) {
      case Constant.Whole whole when literal.type().kind().isWhole() ->
          Shape.of(BigDecimal.valueOf(whole.value()).unscaledValue(), 0);
      case Constant.Whole whole -> Shape.of(BigDecimal.valueOf(whole.value()).unscaledValue(), 0);
      case Constant.Exact exact -> {
        BigDecimal value = exact.value().scale() < 0 ? exact.value().setScale(0) : exact.value();
        yield Shape.of(value.unscaledValue(), value.scale());
      }
      case Constant.Null none -> new Shape(0, 0);
      case Constant.Floating f -> Shape.whole();
      case Constant.Text t -> Shape.whole();
      case Constant.Day d -> Shape.whole();
      case Constant.Moment m -> Shape.whole();
    };
  }

  private Shape ofCall(Scalar.Call call) {
    List<Scalar> arguments = call.arguments();
    if (!call.type().kind().isExact()) {
      return Shape.whole();
    }
    return switch (call.function()) {
      case ADD, SUBTRACT -> capped(call, Shape.sum(of(arguments.get(0)), of(arguments.get(1))));
      case MULTIPLY -> capped(call, Shape.product(of(arguments.get(0)), of(arguments.get(1))));
      case DIVIDE -> new Shape(call.type().scale(), Shape.MOST_BITS);
      case MODULO -> Shape.either(of(arguments.get(0)), of(arguments.get(1)));
      case NEGATE, ABS -> capped(call, of(arguments.getFirst()));
      case ROUND -> of(arguments.getFirst()).roundedTo(roundDigits(call));
      case FLOOR, CEILING -> new Shape(0, of(arguments.getFirst()).bits());
      case COALESCE, GREATEST, LEAST -> {
        Shape shape = of(arguments.getFirst());
        for (Scalar argument : arguments) {
          shape = Shape.either(shape, of(argument));
        }
        yield shape;
      }
      case EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL, NULL_SAFE_EQUAL -> TRUTH;
      case IS_NULL, IS_NOT_NULL, IS_TRUE, IS_FALSE, AND, OR, NOT, XOR -> TRUTH;
      case INTEGER_DIVIDE,
          SUBSTRING,
          CONCAT,
          UPPER,
          LOWER,
          CHAR_LENGTH,
          LENGTH,
          TRIM,
          LEFT,
          RIGHT,
          DATEDIFF ->
          Shape.whole();
    };
  }

  private static final Shape TRUTH = new Shape(0, 1);

  /** A BIGINT never has more bits than a long: beyond, the operation itself fails. */
  private static Shape capped(Scalar.Call call, Shape shape) {
    return call.type().kind().isWhole() && shape.bits() > Shape.whole().bits()
        ? Shape.whole()
        : shape;
  }

  /** The digits that ROUND keeps. */
  static int roundDigits(Scalar.Call call) {
    if (call.arguments().size() == 1) {
      return 0;
    }
    if (call.arguments().get(1) instanceof Scalar.Literal literal
        && literal.value() instanceof Constant.Whole digits
        && digits.value() >= 0
        && digits.value() <= ValueType.MOST_SCALE) {
      return (int) digits.value();
    }
    throw Refusals.notTaken("ROUND to digits that are no literal of 0 to 30");
  }
}
