package io.alrai.executor.codegen;

import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.vector.RowLayout;
import io.alrai.executor.vector.RowLayout.Form;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Emits expressions: each leaves its value in locals. */
final class ScalarEmitter {
  private final Emitter emitter;
  private final CodeBuilder code;
  private final Columns columns;
  private final CodeConstants constants;
  private final Shapes shapes;
  private final NumberEmitter numbers;
  private final TextEmitter texts;
  private final DateEmitter dates;
  private final ConditionEmitter conditions;

  ScalarEmitter(Emitter emitter, Columns columns, CodeConstants constants) {
    this.emitter = emitter;
    this.code = emitter.code();
    this.columns = columns;
    this.constants = constants;
    this.shapes = new Shapes(columns::shape);
    this.numbers = new NumberEmitter(emitter);
    this.texts = new TextEmitter(emitter, this);
    this.dates = new DateEmitter(emitter, this);
    this.conditions = new ConditionEmitter(emitter, this, columns, constants);
  }

  ConditionEmitter conditions() {
    return conditions;
  }

  NumberEmitter numbers() {
    return numbers;
  }

  Shape shape(Scalar scalar) {
    return shapes.of(scalar);
  }

  /** Emits an expression. */
  Value emit(Scalar scalar) {
    return switch (scalar) {
      case Scalar.Column column -> columns.value(column.index());
      case Scalar.Literal literal -> literal(literal);
      case Scalar.Parameter parameter -> throw Refusals.unbound(parameter);
      case Scalar.SubqueryValue value -> throw Refusals.unbound(value);
      case Scalar.Call call -> call(call);
      case Scalar.Case choice -> choose(choice);
      case Scalar.Cast cast -> coerce(emit(cast.argument()), cast.type());
      case Scalar.InList in -> conditions.truth(in);
      case Scalar.Like like -> conditions.truth(like);
      case Scalar.Extract extract -> dates.extract(extract);
      case Scalar.DateAdd add -> dates.add(add);
    };
  }

  private Value literal(Scalar.Literal literal) {
    ValueKind kind = literal.type().kind();
    return switch (literal.value()) {
      case Constant.Null none -> nothing(literal.type());
      case Constant.Floating floating -> {
        code.loadConstant(floating.value());
        yield new Value(kind, Form.DOUBLE, emitter.keepDouble(), -1, -1, Shape.whole());
      }
      case Constant.Text text -> {
        byte[] bytes = text.value().getBytes(StandardCharsets.UTF_8);
        int address = emitter.constant(constants.address(bytes));
        int length = emitter.constant(bytes.length);
        yield new Value(kind, Form.TEXT, address, length, -1, Shape.whole());
      }
      case Constant.Day day -> number(kind, BigInteger.valueOf(day.epochDay()), Shape.whole());
      case Constant.Moment moment ->
          number(kind, BigInteger.valueOf(moment.epochMicros()), Shape.whole());
      case Constant.Whole whole ->
          number(kind, BigInteger.valueOf(whole.value()), shapes.of(literal));
      case Constant.Exact exact -> {
        Shape shape = shapes.of(literal);
        yield number(kind, exact.value().setScale(shape.scale()).unscaledValue(), shape);
      }
    };
  }

  private Value number(ValueKind kind, BigInteger value, Shape shape) {
    int low = emitter.constant(value.longValue());
    if (shape.isLong(kind)) {
      return new Value(kind, Form.LONG, low, -1, -1, shape);
    }
    int high = emitter.constant(value.shiftRight(Long.SIZE).longValue());
    return new Value(kind, Form.WIDE, low, high, -1, shape);
  }

  /** NULL. */
  Value nothing(ValueType type) {
    code.iconst_1();
    int missing = emitter.keepInt();
    return switch (RowLayout.form(type)) {
      case DOUBLE -> {
        code.loadConstant(0.0);
        yield new Value(type.kind(), Form.DOUBLE, emitter.keepDouble(), -1, missing, Shape.whole());
      }
      case TEXT ->
          new Value(
              type.kind(),
              Form.TEXT,
              emitter.constant(0),
              emitter.constant(0),
              missing,
              Shape.whole());
      case LONG, WIDE ->
          new Value(type.kind(), Form.LONG, emitter.constant(0), -1, missing, new Shape(0, 0));
    };
  }

  private Value call(Scalar.Call call) {
    List<Scalar> arguments = call.arguments();
    return switch (call.function()) {
      case ADD, SUBTRACT, MULTIPLY, DIVIDE, INTEGER_DIVIDE, MODULO ->
          numbers.binary(call, emit(arguments.get(0)), emit(arguments.get(1)), shape(call));
      case NEGATE, ABS -> numbers.signed(call, emit(arguments.getFirst()), shape(call));
      case FLOOR, CEILING -> numbers.floor(call, emit(arguments.getFirst()));
      case ROUND -> numbers.round(emit(arguments.getFirst()), Shapes.roundDigits(call));
      case EQUAL,
          NOT_EQUAL,
          LESS,
          LESS_EQUAL,
          GREATER,
          GREATER_EQUAL,
          NULL_SAFE_EQUAL,
          IS_NULL,
          IS_NOT_NULL,
          IS_TRUE,
          IS_FALSE,
          AND,
          OR,
          NOT,
          XOR ->
          conditions.truth(call);
      case COALESCE -> coalesce(call);
      case GREATEST, LEAST -> throw Refusals.notTaken(call.function().name());
      case SUBSTRING, CONCAT, UPPER, LOWER, CHAR_LENGTH, LENGTH, TRIM, LEFT, RIGHT ->
          texts.call(call);
      case DATEDIFF -> dates.difference(call);
    };
  }

  /** CASE: each branch copies its value into common locals. */
  private Value choose(Scalar.Case choice) {
    Value result = fresh(choice.type(), shape(choice));
    Label end = emitter.label();
    for (Scalar.Branch branch : choice.branches()) {
      Label next = emitter.label();
      columns.enterBranch();
      conditions.jumpUnless(branch.condition(), next);
      copy(emit(branch.value()), result);
      columns.leaveBranch();
      code.goto_(end);
      emitter.bind(next);
    }
    if (choice.otherwise().isPresent()) {
      columns.enterBranch();
      copy(emit(choice.otherwise().get()), result);
      columns.leaveBranch();
    }
    emitter.bind(end);
    return result;
  }

  private Value coalesce(Scalar.Call call) {
    Value result = fresh(call.type().withNullable(true), shape(call));
    Label end = emitter.label();
    for (Scalar argument : call.arguments()) {
      columns.enterBranch();
      copy(emit(argument), result);
      columns.leaveBranch();
      code.iload(result.missing());
      code.ifeq(end);
    }
    emitter.bind(end);
    return call.type().nullable() ? result : result.withMissing(-1);
  }

  /** Local variables for a value of a type; NULL until something is copied into them. */
  Value fresh(ValueType type, Shape shape) {
    code.iconst_1();
    int missing = emitter.keepInt();
    ValueKind kind = type.kind();
    Form form = RowLayout.form(type);
    if (kind.isExact()) {
      form = shape.form(kind);
    }
    if (form == Form.DOUBLE) {
      code.loadConstant(0.0);
      return new Value(kind, form, emitter.keepDouble(), -1, missing, Shape.whole());
    }
    int first = emitter.constant(0);
    int second = form == Form.LONG ? -1 : emitter.constant(0);
    return new Value(kind, form, first, second, missing, shape);
  }

  private void copy(Value from, Value to) {
    Value same = from;
    switch (to.form()) {
      case DOUBLE -> {
        code.dload(numbers.floating(from).first());
        code.dstore(to.first());
      }
      case LONG, WIDE -> {
        if (to.kind().isExact()) {
          same = numbers.rescale(from, to.shape().scale());
        } else if (to.kind() == ValueKind.DATETIME) {
          same = dates.moment(from);
        }
        numbers.store(same, to);
      }
      case TEXT -> {
        code.lload(from.first());
        code.lstore(to.first());
        code.lload(from.second());
        code.lstore(to.second());
      }
    }
    if (same.canBeNull()) {
      code.iload(same.missing());
    } else {
      code.iconst_0();
    }
    code.istore(to.missing());
  }

  /** A value converted to a type: rounded to its scale, in the form in which rows hold it. */
  Value coerce(Value value, ValueType type) {
    if (type.kind() == value.kind() && type.kind() != ValueKind.DECIMAL) {
      return value;
    }
    return switch (type.kind()) {
      case DOUBLE -> numbers.floating(exactOrFloating(value, type));
      case DECIMAL -> {
        if (!value.kind().isExact() || value.kind() == ValueKind.UNSIGNED) {
          throw Refusals.notTaken("a conversion of " + value.kind() + " to " + type);
        }
        Value rounded = numbers.round(value, type.scale());
        yield numbers.inForm(rounded, RowLayout.form(type), ValueKind.DECIMAL);
      }
      case BIGINT, UNSIGNED -> {
        if (value.kind().isWhole()) {
          yield new Value(
              type.kind(), Form.LONG, value.first(), -1, value.missing(), Shape.whole());
        }
        if (value.kind() != ValueKind.DECIMAL || type.kind() == ValueKind.UNSIGNED) {
          throw Refusals.notTaken("a conversion of " + value.kind() + " to " + type);
        }
        yield numbers.inForm(numbers.round(value, 0), Form.LONG, ValueKind.BIGINT);
      }
      case DATETIME -> dates.moment(value);
      case DATE -> dates.day(value);
      case STRING -> throw Refusals.notTaken("a conversion of " + value.kind() + " to text");
    };
  }

  private static Value exactOrFloating(Value value, ValueType type) {
    if (!value.kind().isNumber() || value.kind() == ValueKind.UNSIGNED) {
      throw Refusals.notTaken("a conversion of " + value.kind() + " to " + type);
    }
    return value;
  }

  /** Stores a coerced value into a row's column, its NULL byte too. */
  void store(Value value, int row, RowLayout layout, int column) {
    if (layout.nullOffset(column) >= 0 && value.canBeNull()) {
      emitter.address(row, layout.nullOffset(column));
      code.iload(value.missing());
      code.i2l();
      emitter.call(Mem.class, "putByte");
    }
    storeValue(value, row, layout.offset(column));
  }

  /** Stores a coerced value. */
  void storeValue(Value value, int row, int offset) {
    emitter.address(row, offset);
    if (value.form() == Form.DOUBLE) {
      code.dload(value.first());
      emitter.call(Mem.class, "putDouble");
      return;
    }
    code.lload(value.first());
    emitter.call(Mem.class, "putLong");
    if (value.second() >= 0) {
      emitter.address(row, offset + Long.BYTES);
      code.lload(value.second());
      emitter.call(Mem.class, "putLong");
    }
  }
}
