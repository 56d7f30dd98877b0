package io.alrai.executor.codegen;

import io.alrai.executor.expression.Dates;
import io.alrai.executor.fragment.DateUnit;
import io.alrai.executor.fragment.Scalar;
import io.alrai.executor.fragment.ValueKind;
import io.alrai.executor.vector.RowLayout.Form;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;

/** Emits dates and times. */
final class DateEmitter {
  private static final long SECOND = 1_000_000;
  private static final long MINUTE = 60 * SECOND;
  private static final long HOUR = 60 * MINUTE;

  private final Emitter emitter;
  private final CodeBuilder code;
  private final ScalarEmitter scalars;

  DateEmitter(Emitter emitter, ScalarEmitter scalars) {
    this.emitter = emitter;
    this.code = emitter.code();
    this.scalars = scalars;
  }

  private static Value number(Value like, int local, ValueKind kind) {
    Shape shape = kind == ValueKind.BIGINT ? new Shape(0, 30) : Shape.whole();
    return new Value(kind, Form.LONG, local, -1, like.missing(), shape);
  }

  /** As a DATETIME. */
  Value moment(Value value) {
    if (value.kind() == ValueKind.DATETIME) {
      return value;
    }
    refuseOthers(value);
    code.lload(value.first());
    code.loadConstant(Dates.DAY_MICROS);
    code.lmul();
    return number(value, emitter.keepLong(), ValueKind.DATETIME);
  }

  /** As a DATE. */
  Value day(Value value) {
    if (value.kind() == ValueKind.DATE) {
      return value;
    }
    refuseOthers(value);
    code.lload(value.first());
    emitter.call(Dates.class, "dayOf");
    return number(value, emitter.keepLong(), ValueKind.DATE);
  }

  private static void refuseOthers(Value value) {
    if (!value.kind().isTemporal()) {
      throw Refusals.notTaken("a conversion of " + value.kind() + " to a date");
    }
  }

  Value extract(Scalar.Extract extract) {
    Value value = scalars.emit(extract.argument());
    refuseOthers(value);
    String method =
        switch (extract.unit()) {
          case YEAR -> "year";
          case QUARTER -> "quarter";
          case MONTH -> "month";
          case DAY -> "dayOfMonth";
          case YEAR_MONTH -> "yearMonth";
          case WEEK -> throw Refusals.notTaken("EXTRACT(WEEK)");
          case HOUR, MINUTE, SECOND, MICROSECOND -> "";
        };
    if (method.isEmpty()) {
      return time(extract.unit(), moment(value));
    }
    code.lload(day(value).first());
    emitter.call(Dates.class, method);
    return number(value, emitter.keepLong(), ValueKind.BIGINT);
  }

  private Value time(DateUnit unit, Value moment) {
    code.lload(moment.first());
    emitter.call(Dates.class, "timeOf");
    code.loadConstant(micros(unit));
    code.ldiv();
    if (unit != DateUnit.HOUR) {
      code.loadConstant(unit == DateUnit.MICROSECOND ? SECOND : 60L);
      code.lrem();
    }
    return number(moment, emitter.keepLong(), ValueKind.BIGINT);
  }

  private static long micros(DateUnit unit) {
    return switch (unit) {
      case HOUR -> HOUR;
      case MINUTE -> MINUTE;
      case SECOND -> SECOND;
      case MICROSECOND -> 1;
      case DAY -> Dates.DAY_MICROS;
      case WEEK -> 7 * Dates.DAY_MICROS;
      case MONTH, QUARTER, YEAR, YEAR_MONTH -> throw new IllegalStateException("no fixed length");
    };
  }

  Value difference(Scalar.Call call) {
    Value one = day(scalars.emit(call.arguments().get(0)));
    Value other = day(scalars.emit(call.arguments().get(1)));
    emitter.longs(one.first(), other.first());
    code.lsub();
    int missing = emitter.eitherMissing(one.missing(), other.missing());
    return number(one, emitter.keepLong(), ValueKind.BIGINT).withMissing(missing);
  }

  Value add(Scalar.DateAdd add) {
    Value value = scalars.emit(add.argument());
    Value amount = scalars.emit(add.amount());
    refuseOthers(value);
    if (amount.kind() != ValueKind.BIGINT) {
      throw Refusals.notTaken("an interval that is no BIGINT");
    }
    boolean moment = add.type().kind() == ValueKind.DATETIME;
    Value from = moment ? moment(value) : value;
    emitter.longs(from.first(), amount.first());
    switch (add.unit()) {
      case MONTH, QUARTER, YEAR -> {
        code.loadConstant(
            add.unit() == DateUnit.MONTH ? 1L : add.unit() == DateUnit.YEAR ? 12L : 3L);
        code.lmul();
        emitter.call(Dates.class, moment ? "momentPlusMonths" : "plusMonths");
      }
      case DAY, WEEK -> {
        if (moment) {
          code.loadConstant(micros(add.unit()));
          emitter.call(Dates.class, "plusMicros");
        } else {
          code.loadConstant(add.unit() == DateUnit.WEEK ? 7L : 1L);
          code.lmul();
          emitter.call(Dates.class, "plusDays");
        }
      }
      case HOUR, MINUTE, SECOND, MICROSECOND -> {
        if (!moment) {
          throw Refusals.notTaken("a DATE plus less than a day as a DATE");
        }
        code.loadConstant(micros(add.unit()));
        emitter.call(Dates.class, "plusMicros");
      }
      case YEAR_MONTH -> throw Refusals.notTaken("INTERVAL YEAR_MONTH");
    }
    int result = emitter.keepLong();
    int missing = outOfRange(result, emitter.eitherMissing(value.missing(), amount.missing()));
    return new Value(add.type().kind(), Form.LONG, result, -1, missing, Shape.whole());
  }

  private int outOfRange(int result, int missing) {
    int none = emitter.zero();
    Label end = emitter.label();
    code.lload(result);
    code.loadConstant(Dates.NONE);
    code.lcmp();
    code.ifne(end);
    code.iconst_1();
    code.istore(none);
    code.lconst_0();
    code.lstore(result);
    emitter.bind(end);
    return missing < 0 ? none : emitter.eitherMissing(none, missing);
  }
}
