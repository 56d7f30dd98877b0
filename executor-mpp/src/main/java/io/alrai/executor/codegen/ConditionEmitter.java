package io.alrai.executor.codegen;

import io.alrai.executor.expression.Texts;
import io.alrai.executor.expression.Wide;
import io.alrai.executor.fragment.Constant;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ScalarFunction;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.memory.Mem;
import io.alrai.executor.vector.Lane;
import io.alrai.executor.vector.RowLayout.Form;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Emits conditions as jumps. Three-valued: a jump is taken for what is true, or for what is not
 * true (false or NULL). A condition on one string of a dictionary reads what was found once for
 * each entry.
 */
final class ConditionEmitter {
  private final Emitter emitter;
  private final CodeBuilder code;
  private final ScalarEmitter scalars;
  private final Columns columns;
  private final CodeConstants constants;

  ConditionEmitter(
      Emitter emitter, ScalarEmitter scalars, Columns columns, CodeConstants constants) {
    this.emitter = emitter;
    this.code = emitter.code();
    this.scalars = scalars;
    this.columns = columns;
    this.constants = constants;
  }

  /** Goes on for true, jumps for false and NULL. */
  void jumpUnless(Scalar condition, Label target) {
    if (testEntry(condition)) {
      code.ifeq(target);
      return;
    }
    switch (condition) {
      case Scalar.Call call when call.function() == ScalarFunction.AND ->
          call.arguments().forEach(part -> jumpUnless(part, target));
      case Scalar.Call call when call.function() == ScalarFunction.OR -> {
        Label holds = emitter.label();
        List<Scalar> parts = call.arguments();
        for (int i = 0; i < parts.size(); i++) {
          columns.enterBranch();
          if (i == parts.size() - 1) {
            jumpUnless(parts.get(i), target);
          } else {
            jumpIf(parts.get(i), holds);
          }
          columns.leaveBranch();
        }
        emitter.bind(holds);
      }
      case Scalar.Call call when Negation.of(call).isPresent() ->
          jumpUnless(Negation.of(call).get(), target);
      case Scalar.Call call when call.function().isComparison() -> {
        compare(call, target);
        jumpOn(Negation.opposite(call.function()), target);
      }
      case Scalar.Call _,
          Scalar.Case _,
          Scalar.Cast _,
          Scalar.InList _,
          Scalar.Like _,
          Scalar.Extract _,
          Scalar.DateAdd _,
          Scalar.Leaf _ -> {
        Value value = valueOf(condition);
        jumpIfMissing(value, target);
        test(value);
        code.ifeq(target);
      }
    }
  }

  /** Jumps for true, goes on for false and NULL. */
  void jumpIf(Scalar condition, Label target) {
    if (testEntry(condition)) {
      code.ifne(target);
      return;
    }
    switch (condition) {
      case Scalar.Call call when call.function() == ScalarFunction.OR -> {
        for (Scalar part : call.arguments()) {
          columns.enterBranch();
          jumpIf(part, target);
          columns.leaveBranch();
        }
      }
      case Scalar.Call call when call.function() == ScalarFunction.AND -> {
        Label fails = emitter.label();
        columns.enterBranch();
        call.arguments().forEach(part -> jumpUnless(part, fails));
        columns.leaveBranch();
        code.goto_(target);
        emitter.bind(fails);
      }
      case Scalar.Call call when Negation.of(call).isPresent() ->
          jumpIf(Negation.of(call).get(), target);
      case Scalar.Call call when call.function().isComparison() -> {
        Label fails = emitter.label();
        compare(call, fails);
        jumpOn(call.function(), target);
        emitter.bind(fails);
      }
      case Scalar.Call _,
          Scalar.Case _,
          Scalar.Cast _,
          Scalar.InList _,
          Scalar.Like _,
          Scalar.Extract _,
          Scalar.DateAdd _,
          Scalar.Leaf _ -> {
        Label fails = emitter.label();
        Value value = valueOf(condition);
        jumpIfMissing(value, fails);
        test(value);
        code.ifne(target);
        emitter.bind(fails);
      }
    }
  }

  /** Leaves whether a value other than NULL is not 0 on the stack, as an int other than 0. */
  private void test(Value value) {
    switch (value.form()) {
      case LONG -> {
        code.lload(value.first());
        code.lconst_0();
        code.lcmp();
      }
      case WIDE -> {
        emitter.longs(value.first(), value.second());
        code.lor();
        code.lconst_0();
        code.lcmp();
      }
      case DOUBLE -> {
        code.dload(value.first());
        code.dconst_0();
        code.dcmpl();
      }
      case TEXT -> throw Refusals.notTaken("text as a condition");
    }
  }

  /** Leaves the answer for a dictionary's entry on the stack, where the condition has one. */
  private boolean testEntry(Scalar condition) {
    int column = SoleColumn.of(condition);
    if (column < 0 || condition instanceof Scalar.Column) {
      return false;
    }
    int entry = columns.dictionaryCode(column);
    if (entry < 0) {
      return false;
    }
    int number =
        constants.test(
            new CodeConstants.DictionaryTest(columns.scanColumn(column), condition, column));
    code.aload(PipelineEmitter.LANE);
    code.loadConstant(number);
    emitter.call(Lane.class, "answers");
    code.lload(entry);
    code.ladd();
    emitter.call(Mem.class, "byteAt");
    code.l2i();
    return true;
  }

  private void jumpIfMissing(Value value, Label target) {
    if (value.canBeNull()) {
      code.iload(value.missing());
      code.ifne(target);
    }
  }

  /** Leaves below 0, 0 or above 0 on the stack; jumps if a side is NULL. */
  private void compare(Scalar.Call call, Label ifMissing) {
    Value left = scalars.emit(call.arguments().get(0));
    jumpIfMissing(left, ifMissing);
    Value right = scalars.emit(call.arguments().get(1));
    jumpIfMissing(right, ifMissing);
    boolean equality =
        call.function() == ScalarFunction.EQUAL || call.function() == ScalarFunction.NOT_EQUAL;
    compareValues(left, right, call.arguments().getFirst().type().collation(), equality);
  }

  /**
   * Leaves below 0, 0 or above 0 on the stack.
   *
   * @param equality whether only 0 matters
   */
  void compareValues(Value left, Value right, TextCollation collation, boolean equality) {
    NumberEmitter numbers = scalars.numbers();
    if (left.form() == Form.TEXT) {
      emitter.longs(left.first(), left.second(), right.first(), right.second());
      code.loadConstant(collation.ordinal());
      emitter.call(Texts.class, equality ? "equal" : "compare");
      if (equality) {
        code.iconst_1();
        code.ixor();
      }
      return;
    }
    if (left.form() == Form.DOUBLE || right.form() == Form.DOUBLE) {
      Value a = numbers.floating(left);
      Value b = numbers.floating(right);
      code.dload(a.first());
      code.dload(b.first());
      code.dcmpl();
      return;
    }
    Value a = left;
    Value b = right;
    if (left.kind() == ValueKind.DATETIME || right.kind() == ValueKind.DATETIME) {
      a = scalars.coerce(left, io.alrai.executor.fragment.ValueType.datetime(6, true));
      b = scalars.coerce(right, io.alrai.executor.fragment.ValueType.datetime(6, true));
    } else if (left.kind() != right.kind() && unsigned(left, right)) {
      throw Refusals.notTaken("a comparison of BIGINT UNSIGNED with " + right.kind());
    } else if (left.kind().isExact()) {
      int scale = Math.max(left.shape().scale(), right.shape().scale());
      a = numbers.rescale(left, scale);
      b = numbers.rescale(right, scale);
    }
    if (a.form() == Form.WIDE || b.form() == Form.WIDE) {
      a = numbers.widen(a);
      b = numbers.widen(b);
      emitter.longs(a.first(), a.second(), b.first(), b.second());
      emitter.call(Wide.class, "compare");
      return;
    }
    emitter.longs(a.first(), b.first());
    if (left.kind() == ValueKind.UNSIGNED) {
      emitter.call(Long.class, "compareUnsigned");
    } else {
      code.lcmp();
    }
  }

  private static boolean unsigned(Value left, Value right) {
    return left.kind() == ValueKind.UNSIGNED || right.kind() == ValueKind.UNSIGNED;
  }

  private void jumpOn(ScalarFunction comparison, Label target) {
    switch (comparison) {
      case EQUAL -> code.ifeq(target);
      case NOT_EQUAL -> code.ifne(target);
      case LESS -> code.iflt(target);
      case LESS_EQUAL -> code.ifle(target);
      case GREATER -> code.ifgt(target);
      case GREATER_EQUAL -> code.ifge(target);
      default -> throw new IllegalStateException(comparison + " is no comparison");
    }
  }

  /** The value of a condition that has no jumps of its own. */
  private Value valueOf(Scalar condition) {
    return switch (condition) {
      case Scalar.Call call when isTruth(call.function()) -> truth(call);
      case Scalar.InList in -> truth(in);
      case Scalar.Like like -> truth(like);
      case Scalar.Call _,
          Scalar.Case _,
          Scalar.Cast _,
          Scalar.Extract _,
          Scalar.DateAdd _,
          Scalar.Leaf _ ->
          scalars.emit(condition);
    };
  }

  private static boolean isTruth(ScalarFunction function) {
    return switch (function) {
      case NULL_SAFE_EQUAL, IS_NULL, IS_NOT_NULL, IS_TRUE, IS_FALSE, AND, OR, NOT, XOR -> true;
      default -> function.isComparison();
    };
  }

  /** A condition as 0, 1 or NULL. */
  Value truth(Scalar condition) {
    return switch (condition) {
      case Scalar.Like like -> like(like);
      case Scalar.InList in -> in(in);
      case Scalar.Call call ->
          switch (call.function()) {
            case IS_NULL, IS_NOT_NULL -> isNull(call);
            case IS_TRUE -> known(call.arguments().getFirst());
            case IS_FALSE -> known(Scalar.call(ScalarFunction.NOT, call.arguments().getFirst()));
            case NOT -> not(call);
            case XOR -> xor(call);
            case NULL_SAFE_EQUAL -> nullSafe(call);
            default -> threeValued(call);
          };
      case Scalar.Case _, Scalar.Cast _, Scalar.Extract _, Scalar.DateAdd _, Scalar.Leaf _ ->
          throw new IllegalStateException(condition + " is no condition");
    };
  }

  /** 1 for true, 0 for false and NULL. */
  private Value known(Scalar condition) {
    int result = emitter.constant(0);
    Label end = emitter.label();
    columns.enterBranch();
    jumpUnless(condition, end);
    code.lconst_1();
    code.lstore(result);
    columns.leaveBranch();
    emitter.bind(end);
    return truthIn(result, -1);
  }

  private static Value truthIn(int local, int missing) {
    return new Value(ValueKind.BIGINT, Form.LONG, local, -1, missing, new Shape(0, 1));
  }

  /** True, else false, else NULL, by two jumps. */
  private Value threeValued(Scalar.Call call) {
    if (!call.type().nullable()) {
      return known(call);
    }
    Value holds = known(call);
    Value fails = known(Negation.negate(call));
    emitter.longs(holds.first(), fails.first());
    code.lor();
    code.l2i();
    code.iconst_1();
    code.ixor();
    return truthIn(holds.first(), emitter.keepInt());
  }

  private Value isNull(Scalar.Call call) {
    Value value = scalars.emit(call.arguments().getFirst());
    boolean negated = call.function() == ScalarFunction.IS_NOT_NULL;
    if (!value.canBeNull()) {
      return truthIn(emitter.constant(negated ? 1 : 0), -1);
    }
    code.iload(value.missing());
    if (negated) {
      code.iconst_1();
      code.ixor();
    }
    code.i2l();
    return truthIn(emitter.keepLong(), -1);
  }

  private Value not(Scalar.Call call) {
    Value value = valueOf(call.arguments().getFirst());
    int result = emitter.constant(0);
    Label end = emitter.label();
    test(value);
    code.ifne(end);
    code.lconst_1();
    code.lstore(result);
    emitter.bind(end);
    return truthIn(result, value.missing());
  }

  private Value xor(Scalar.Call call) {
    Value one = not(Scalar.call(ScalarFunction.NOT, call.arguments().get(0)));
    Value other = not(Scalar.call(ScalarFunction.NOT, call.arguments().get(1)));
    emitter.longs(one.first(), other.first());
    code.lxor();
    return truthIn(emitter.keepLong(), emitter.eitherMissing(one.missing(), other.missing()));
  }

  private Value nullSafe(Scalar.Call call) {
    Value left = scalars.emit(call.arguments().get(0));
    Value right = scalars.emit(call.arguments().get(1));
    int result = emitter.constant(0);
    Label end = emitter.label();
    Label values = emitter.label();
    int either = emitter.eitherMissing(left.missing(), right.missing());
    if (either >= 0) {
      code.iload(either);
      code.ifeq(values);
      if (left.canBeNull() && right.canBeNull()) {
        code.iload(left.missing());
        code.iload(right.missing());
        code.iand();
        code.i2l();
        code.lstore(result);
      }
      code.goto_(end);
    }
    emitter.bind(values);
    compareValues(left, right, call.arguments().getFirst().type().collation(), true);
    code.ifne(end);
    code.lconst_1();
    code.lstore(result);
    emitter.bind(end);
    return truthIn(result, -1);
  }

  private Value in(Scalar.InList in) {
    Value argument = scalars.emit(in.argument());
    int result = emitter.constant(0);
    int missing = emitter.zero();
    Label end = emitter.label();
    if (argument.canBeNull()) {
      code.iload(argument.missing());
      code.istore(missing);
      code.iload(missing);
      code.ifne(end);
    }
    Label found = emitter.label();
    columns.enterBranch();
    for (Scalar candidate : in.values()) {
      Label next = emitter.label();
      Value value = scalars.emit(candidate);
      if (value.canBeNull()) {
        code.iload(missing);
        code.iload(value.missing());
        code.ior();
        code.istore(missing);
      }
      jumpIfMissing(value, next);
      compareValues(argument, value, in.argument().type().collation(), true);
      code.ifeq(found);
      emitter.bind(next);
    }
    columns.leaveBranch();
    code.goto_(end);
    emitter.bind(found);
    code.lconst_1();
    code.lstore(result);
    code.iconst_0();
    code.istore(missing);
    emitter.bind(end);
    return truthIn(result, in.type().nullable() ? missing : -1);
  }

  private Value like(Scalar.Like like) {
    if (!(like.pattern() instanceof Scalar.Literal literal)
        || !(literal.value() instanceof Constant.Text pattern)) {
      throw Refusals.notTaken("LIKE with a pattern that is no literal");
    }
    byte[] bytes = pattern.value().getBytes(StandardCharsets.UTF_8);
    Value text = scalars.emit(like.argument());
    emitter.longs(text.first(), text.second());
    code.loadConstant(constants.address(bytes));
    code.loadConstant((long) bytes.length);
    code.loadConstant(like.argument().type().collation().ordinal() | like.escape() << 8);
    emitter.call(Texts.class, "like");
    code.i2l();
    return truthIn(emitter.keepLong(), text.missing());
  }
}
