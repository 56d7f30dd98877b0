package io.alrai.executor.codegen;

import io.alrai.executor.expression.Texts;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.vector.RowLayout.Form;
import java.lang.classfile.CodeBuilder;
import java.util.List;

/** Emits string functions; parts of a string are references into it. */
final class TextEmitter {
  private final Emitter emitter;
  private final CodeBuilder code;
  private final ScalarEmitter scalars;

  TextEmitter(Emitter emitter, ScalarEmitter scalars) {
    this.emitter = emitter;
    this.code = emitter.code();
    this.scalars = scalars;
  }

  Value call(Scalar.Call call) {
    List<Scalar> arguments = call.arguments();
    Value text = scalars.emit(arguments.getFirst());
    return switch (call.function()) {
      case SUBSTRING -> {
        Value rest = from(text, argument(arguments.get(1)), "substringStart");
        yield arguments.size() == 2 ? rest : cut(rest, argument(arguments.get(2)));
      }
      case LEFT -> cut(text, argument(arguments.get(1)));
      case RIGHT -> from(text, argument(arguments.get(1)), "rightStart");
      case TRIM -> trim(text);
      case CHAR_LENGTH -> count(text);
      case LENGTH ->
          new Value(
              ValueKind.BIGINT, Form.LONG, text.second(), -1, text.missing(), new Shape(0, 40));
      default -> throw Refusals.notTaken(call.function().name());
    };
  }

  private Value argument(Scalar scalar) {
    if (scalar.type().kind() != ValueKind.BIGINT) {
      throw Refusals.notTaken("a position that is no BIGINT");
    }
    return scalars.emit(scalar);
  }

  private Value from(Value text, Value number, String method) {
    emitter.longs(text.first(), text.second(), number.first());
    emitter.call(Texts.class, method);
    return skip(text, emitter.keepLong(), emitter.eitherMissing(text.missing(), number.missing()));
  }

  private Value skip(Value text, int start, int missing) {
    emitter.longs(text.first(), start);
    code.ladd();
    int address = emitter.keepLong();
    emitter.longs(text.second(), start);
    code.lsub();
    return new Value(text.kind(), Form.TEXT, address, emitter.keepLong(), missing, Shape.whole());
  }

  private Value cut(Value text, Value number) {
    emitter.longs(text.first(), text.second(), number.first());
    emitter.call(Texts.class, "substringLength");
    return new Value(
        text.kind(),
        Form.TEXT,
        text.first(),
        emitter.keepLong(),
        emitter.eitherMissing(text.missing(), number.missing()),
        Shape.whole());
  }

  private Value trim(Value text) {
    emitter.longs(text.first(), text.second());
    emitter.call(Texts.class, "leadingSpaces");
    Value rest = skip(text, emitter.keepLong(), text.missing());
    emitter.longs(rest.first(), rest.second());
    emitter.call(Texts.class, "trimmedLength");
    return new Value(
        text.kind(), Form.TEXT, rest.first(), emitter.keepLong(), text.missing(), Shape.whole());
  }

  private Value count(Value text) {
    emitter.longs(text.first(), text.second());
    emitter.call(Texts.class, "characters");
    return new Value(
        ValueKind.BIGINT, Form.LONG, emitter.keepLong(), -1, text.missing(), new Shape(0, 40));
  }
}
