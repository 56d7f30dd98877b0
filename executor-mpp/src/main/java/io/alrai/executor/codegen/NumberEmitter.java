package io.alrai.executor.codegen;

import io.alrai.executor.expression.Whole;
import io.alrai.executor.expression.Wide;
import io.alrai.executor.fragment.ResultTypes;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.vector.RowLayout.Form;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;

/** Emits arithmetic: in longs where the shapes allow it, in 128 bits else. */
final class NumberEmitter {
  private static final int MOST_POWER = 18;

  private final Emitter emitter;
  private final CodeBuilder code;

  NumberEmitter(Emitter emitter) {
    this.emitter = emitter;
    this.code = emitter.code();
  }

  Value binary(Scalar.Call call, Value left, Value right, Shape shape) {
    refuseUnsigned(left);
    refuseUnsigned(right);
    int missing = emitter.eitherMissing(left.missing(), right.missing());
    ScalarFunction function = call.function();
    if (left.kind() == ValueKind.DOUBLE || right.kind() == ValueKind.DOUBLE) {
      return floatingBinary(function, floating(left), floating(right), missing);
    }
    return switch (function) {
      case ADD, SUBTRACT -> {
        int scale = Math.max(left.shape().scale(), right.shape().scale());
        yield additive(call, rescale(left, scale), rescale(right, scale), shape)
            .withMissing(missing);
      }
      case MULTIPLY -> {
        if (shape.scale() > ValueType.MOST_SCALE) {
          throw Refusals.notTaken("products of more than 30 digits after the point");
        }
        yield product(call, left, right, shape).withMissing(missing);
      }
      case DIVIDE -> {
        Shape words = Shape.quotient(left.shape(), right.shape(), ResultTypes.DIVISION_DIGITS);
        yield round(quotient(left, right, missing, words), shape.scale());
      }
      case INTEGER_DIVIDE, MODULO -> remainder(call, left, right, missing, shape);
      default -> throw new IllegalStateException(function + " is no arithmetic");
    };
  }

  private static void refuseUnsigned(Value value) {
    if (value.kind() == ValueKind.UNSIGNED) {
      throw Refusals.notTaken("arithmetic with BIGINT UNSIGNED");
    }
  }

  private Value additive(Scalar.Call call, Value left, Value right, Shape shape) {
    boolean adds = call.function() == ScalarFunction.ADD;
    ValueKind kind = call.type().kind();
    if (shape.isLong(kind)) {
      emitter.longs(left.first(), right.first());
      if (kind == ValueKind.BIGINT && shape.bits() >= Long.SIZE - 1) {
        emitter.call(Whole.class, adds ? "add" : "subtract");
      } else if (adds) {
        code.ladd();
      } else {
        code.lsub();
      }
      return new Value(kind, Form.LONG, emitter.keepLong(), -1, -1, shape);
    }
    Value a = widen(left);
    Value b = widen(right);
    emitter.longs(a.first(), b.first());
    if (adds) {
      code.ladd();
    } else {
      code.lsub();
    }
    int low = emitter.keepLong();
    emitter.longs(a.first(), a.second(), b.first(), b.second());
    emitter.call(Wide.class, adds ? "addHigh" : "subtractHigh");
    return new Value(kind, Form.WIDE, low, emitter.keepLong(), -1, shape);
  }

  private Value product(Scalar.Call call, Value left, Value right, Shape shape) {
    ValueKind kind = call.type().kind();
    if (shape.isLong(kind)) {
      emitter.longs(left.first(), right.first());
      if (kind == ValueKind.BIGINT && shape.bits() >= Long.SIZE - 1) {
        emitter.call(Whole.class, "multiply");
      } else {
        code.lmul();
      }
      return new Value(kind, Form.LONG, emitter.keepLong(), -1, -1, shape);
    }
    emitter.longs(left.first(), right.first());
    code.lmul();
    int low = emitter.keepLong();
    if (left.form() == Form.LONG && right.form() == Form.LONG) {
      emitter.longs(left.first(), right.first());
      emitter.call(Math.class, "multiplyHigh");
    } else {
      Value a = widen(left);
      Value b = widen(right);
      emitter.longs(a.first(), a.second(), b.first(), b.second());
      emitter.call(Wide.class, "multiplyHigh");
    }
    return new Value(kind, Form.WIDE, low, emitter.keepLong(), -1, shape);
  }

  /** 1 in a new local where the divisor is 0 or a value is missing. */
  private int divisorMissing(Value divisor, int missing) {
    int result = emitter.newInt();
    Label zero = emitter.label();
    Label end = emitter.label();
    if (missing >= 0) {
      code.iload(missing);
      code.ifne(zero);
    }
    if (divisor.form() == Form.DOUBLE) {
      code.dload(divisor.first());
      code.dconst_0();
      code.dcmpl();
    } else {
      code.lload(divisor.first());
      if (divisor.form() == Form.WIDE) {
        code.lload(divisor.second());
        code.lor();
      }
      code.lconst_0();
      code.lcmp();
    }
    code.ifeq(zero);
    code.iconst_0();
    code.istore(result);
    code.goto_(end);
    emitter.bind(zero);
    code.iconst_1();
    code.istore(result);
    emitter.bind(end);
    return result;
  }

  private Value quotient(Value left, Value right, int missing, Shape shape) {
    Value a = widen(left);
    Value b = widen(right);
    int none = divisorMissing(b, missing);
    int shift = shape.scale() - left.shape().scale() + right.shape().scale();
    int low = emitter.constant(0);
    int high = emitter.constant(0);
    Label end = emitter.label();
    code.iload(none);
    code.ifne(end);
    for (boolean isLow : new boolean[] {true, false}) {
      emitter.longs(a.first(), a.second(), b.first(), b.second());
      code.loadConstant(shift);
      emitter.call(Wide.class, isLow ? "divideLow" : "divideHigh");
      code.lstore(isLow ? low : high);
    }
    emitter.bind(end);
    return new Value(ValueKind.DECIMAL, Form.WIDE, low, high, none, shape);
  }

  private Value remainder(Scalar.Call call, Value left, Value right, int missing, Shape shape) {
    boolean divides = call.function() == ScalarFunction.INTEGER_DIVIDE;
    ValueKind kind = call.type().kind();
    if (divides && !(left.kind().isWhole() && right.kind().isWhole())) {
      throw Refusals.notTaken("DIV of numbers that are not whole");
    }
    Value a = rescale(left, shape.scale());
    Value b = rescale(right, shape.scale());
    if (!shape.isLong(kind)) {
      a = widen(a);
      b = widen(b);
    }
    int none = divisorMissing(b, missing);
    int low = emitter.constant(0);
    int high = shape.isLong(kind) ? -1 : emitter.constant(0);
    Label end = emitter.label();
    code.iload(none);
    code.ifne(end);
    if (high >= 0) {
      emitter.longs(a.first(), a.second(), b.first(), b.second());
      emitter.call(Wide.class, "remainderHigh");
      code.lstore(high);
      emitter.longs(a.first(), a.second(), b.first(), b.second());
      emitter.call(Wide.class, "remainderLow");
    } else {
      emitter.longs(a.first(), b.first());
      if (divides) {
        emitter.call(Whole.class, "divide");
      } else {
        code.lrem();
      }
    }
    code.lstore(low);
    emitter.bind(end);
    return new Value(kind, high >= 0 ? Form.WIDE : Form.LONG, low, high, none, shape);
  }

  private Value floatingBinary(ScalarFunction function, Value left, Value right, int missing) {
    int none =
        switch (function) {
          case DIVIDE, MODULO -> divisorMissing(right, missing);
          case INTEGER_DIVIDE -> throw Refusals.notTaken("DIV of floating point numbers");
          default -> missing;
        };
    code.dload(left.first());
    code.dload(right.first());
    switch (function) {
      case ADD -> code.dadd();
      case SUBTRACT -> code.dsub();
      case MULTIPLY -> code.dmul();
      case DIVIDE -> code.ddiv();
      default -> code.drem();
    }
    int result = emitter.keepDouble();
    code.dload(result);
    if (none >= 0) {
      code.iload(none);
    } else {
      code.iconst_0();
    }
    emitter.call(Whole.class, "checkFinite");
    return new Value(ValueKind.DOUBLE, Form.DOUBLE, result, -1, none, Shape.whole());
  }

  Value signed(Scalar.Call call, Value value, Shape shape) {
    refuseUnsigned(value);
    if (value.form() == Form.DOUBLE) {
      code.dload(value.first());
      if (call.function() == ScalarFunction.NEGATE) {
        code.dneg();
      } else {
        code.invokestatic(
            Emitter.describe(Math.class),
            "abs",
            java.lang.constant.MethodTypeDesc.ofDescriptor("(D)D"));
      }
      return new Value(
          value.kind(), Form.DOUBLE, emitter.keepDouble(), -1, value.missing(), Shape.whole());
    }
    Value zero = zero(value);
    Scalar.Call minus = new Scalar.Call(ScalarFunction.SUBTRACT, call.arguments(), call.type());
    Value negated = additive(minus, zero, value, shape);
    if (call.function() == ScalarFunction.NEGATE) {
      return negated.withMissing(value.missing());
    }
    Value same = inForm(value, negated.form(), negated.kind());
    Label end = emitter.label();
    code.lload(same.form() == Form.WIDE ? same.second() : same.first());
    code.lconst_0();
    code.lcmp();
    code.iflt(end);
    store(same, negated);
    emitter.bind(end);
    return negated.withMissing(value.missing());
  }

  private Value zero(Value like) {
    int low = emitter.constant(0);
    int high = like.form() == Form.WIDE ? emitter.constant(0) : -1;
    return new Value(like.kind(), like.form(), low, high, -1, like.shape());
  }

  Value floor(Scalar.Call call, Value value) {
    boolean up = call.function() == ScalarFunction.CEILING;
    if (value.form() == Form.DOUBLE) {
      code.dload(value.first());
      emitter.call(Math.class, up ? "ceil" : "floor");
      return new Value(
          value.kind(), Form.DOUBLE, emitter.keepDouble(), -1, value.missing(), Shape.whole());
    }
    int scale = value.shape().scale();
    if (scale == 0) {
      return inForm(
          value,
          call.type().kind() == ValueKind.BIGINT ? Form.LONG : value.form(),
          call.type().kind());
    }
    Value wide = widen(value);
    int[] halves = new int[2];
    for (int half = 0; half < 2; half++) {
      emitter.longs(wide.first(), wide.second());
      code.loadConstant(scale);
      code.loadConstant(up ? 1 : 0);
      emitter.call(Wide.class, half == 0 ? "floorLow" : "floorHigh");
      halves[half] = emitter.keepLong();
    }
    Value result =
        new Value(
            ValueKind.DECIMAL,
            Form.WIDE,
            halves[0],
            halves[1],
            value.missing(),
            new Shape(0, value.shape().bits()));
    return call.type().kind() == ValueKind.BIGINT
        ? inForm(result, Form.LONG, ValueKind.BIGINT)
        : result;
  }

  /** With exactly so many digits after the decimal point, half away from 0. */
  Value round(Value value, int scale) {
    int drop = value.shape().scale() - scale;
    if (value.form() == Form.DOUBLE) {
      throw Refusals.notTaken("ROUND of floating point numbers");
    }
    if (drop <= 0) {
      return rescale(value, scale);
    }
    Shape shape = value.shape().roundedTo(scale);
    if (value.form() == Form.LONG && drop <= MOST_POWER) {
      code.lload(value.first());
      code.loadConstant(drop);
      emitter.call(Wide.class, "round");
      return new Value(value.kind(), Form.LONG, emitter.keepLong(), -1, value.missing(), shape);
    }
    Value wide = widen(value);
    int[] halves = new int[2];
    for (int half = 0; half < 2; half++) {
      emitter.longs(wide.first(), wide.second());
      code.loadConstant(drop);
      emitter.call(Wide.class, half == 0 ? "roundLow" : "roundHigh");
      halves[half] = emitter.keepLong();
    }
    return new Value(value.kind(), Form.WIDE, halves[0], halves[1], value.missing(), shape);
  }

  /** With at least so many digits after the decimal point. */
  Value rescale(Value value, int scale) {
    int more = scale - value.shape().scale();
    if (more <= 0) {
      return value;
    }
    Value result = value;
    for (int left = more; left > 0; left -= MOST_POWER) {
      int step = Math.min(left, MOST_POWER);
      Shape shape = result.shape().scaledTo(result.shape().scale() + step);
      int factor = emitter.constant(Wide.power(step));
      Value power = new Value(ValueKind.DECIMAL, Form.LONG, factor, -1, -1, new Shape(step, 0));
      result = scaled(result, power, shape);
    }
    return result;
  }

  private Value scaled(Value value, Value power, Shape shape) {
    if (shape.isLong(ValueKind.DECIMAL)) {
      emitter.longs(value.first(), power.first());
      code.lmul();
      return new Value(
          ValueKind.DECIMAL, Form.LONG, emitter.keepLong(), -1, value.missing(), shape);
    }
    emitter.longs(value.first(), power.first());
    code.lmul();
    int low = emitter.keepLong();
    Value a = widen(value);
    Value b = widen(power);
    emitter.longs(a.first(), a.second(), b.first(), b.second());
    emitter.call(Wide.class, "multiplyHigh");
    return new Value(ValueKind.DECIMAL, Form.WIDE, low, emitter.keepLong(), value.missing(), shape);
  }

  /** In 128 bits. */
  Value widen(Value value) {
    if (value.form() == Form.WIDE) {
      return value;
    }
    code.lload(value.first());
    code.loadConstant(Long.SIZE - 1);
    code.lshr();
    return new Value(
        value.kind(), Form.WIDE, value.first(), emitter.keepLong(), value.missing(), value.shape());
  }

  /** In a form; a number that does not fit a long is error 1690. */
  Value inForm(Value value, Form form, ValueKind kind) {
    if (form == Form.WIDE) {
      Value wide = widen(value);
      return new Value(kind, Form.WIDE, wide.first(), wide.second(), wide.missing(), wide.shape());
    }
    if (value.form() == Form.LONG) {
      return new Value(kind, Form.LONG, value.first(), -1, value.missing(), value.shape());
    }
    emitter.longs(value.first(), value.second());
    emitter.call(Wide.class, "narrow");
    return new Value(kind, Form.LONG, emitter.keepLong(), -1, value.missing(), value.shape());
  }

  /** Copies into the locals of another value, whose form is at least as wide. */
  void store(Value from, Value to) {
    Value same = inForm(from, to.form(), to.kind());
    code.lload(same.first());
    code.lstore(to.first());
    if (to.second() >= 0) {
      code.lload(same.second());
      code.lstore(to.second());
    }
  }

  /** As a floating point number. */
  Value floating(Value value) {
    if (value.form() == Form.DOUBLE) {
      return value;
    }
    Value wide = widen(value);
    emitter.longs(wide.first(), wide.second());
    code.loadConstant(value.shape().scale());
    emitter.call(Wide.class, "toDouble");
    return new Value(
        ValueKind.DOUBLE, Form.DOUBLE, emitter.keepDouble(), -1, value.missing(), Shape.whole());
  }
}
