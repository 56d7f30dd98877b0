package io.alrai.optimizer.api.explain;

import io.alrai.executor.fragment.Constant;
import java.time.LocalDate;

/** Values as they stand in SQL. */
final class ConstantText {
  private ConstantText() {}

  static String of(Constant constant) {
    return switch (constant) {
      case Constant.Null nothing -> "NULL";
      case Constant.Whole whole -> Long.toString(whole.value());
      case Constant.Exact exact -> exact.value().toPlainString();
      case Constant.Floating floating -> Double.toString(floating.value());
      case Constant.Text text -> "'" + text.value().replace("'", "''") + "'";
      case Constant.Day day -> LocalDate.ofEpochDay(day.epochDay()).toString();
      case Constant.Moment moment -> moment.epochMicros() + " us";
    };
  }
}
