package io.alrai.cn.routine;

import io.alrai.common.type.MysqlType;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.optimizer.api.routine.Fragment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Expressions that need no mysqld: a variable, a literal, one operation of signed whole numbers.
 * Loops count by them. Pure.
 */
final class QuickExpression {
  private static final String OPERAND = "\\s*(\\?|-?\\d{1,18})\\s*";
  private static final Pattern ONE = Pattern.compile(OPERAND);
  private static final Pattern TWO =
      Pattern.compile(OPERAND + "(\\+|-|\\*|=|<=>|<>|!=|<=|>=|<|>)" + OPERAND);
  private static final Pattern NOT = Pattern.compile("\\s*(?i:NOT)\\s+\\?\\s*");
  private static final Pattern TEXT =
      Pattern.compile("\\s*'([\\x20-\\x26\\x28-\\x5b\\x5d-\\x7e]*)'\\s*");

  private QuickExpression() {}

  /** Its value; null where a mysqld must be asked. */
  static @Nullable LocalValue value(Fragment expression, List<LocalValue> values) {
    String text = expression.marked();
    if (expression.slots().isEmpty() && text.indexOf('?') >= 0) {
      return null;
    }
    Matcher one = ONE.matcher(text);
    if (one.matches()) {
      return one.group(1).equals("?") ? values.getFirst() : LocalValue.ofWhole(whole(one.group(1)));
    }
    Matcher string = TEXT.matcher(text);
    if (string.matches()) {
      return LocalValue.ofText(string.group(1));
    }
    switch (text.strip().toUpperCase(Locale.ROOT)) {
      case "NULL" -> {
        return LocalValue.NULL;
      }
      case "TRUE" -> {
        return LocalValue.ofWhole(1);
      }
      case "FALSE" -> {
        return LocalValue.ofWhole(0);
      }
      default -> {
        return operation(text, values);
      }
    }
  }

  private static long whole(String digits) {
    return Long.parseLong(digits);
  }

  private static @Nullable LocalValue operation(String text, List<LocalValue> values) {
    if (NOT.matcher(text).matches()) {
      Long operand = whole(values.getFirst());
      return operand == null ? null : LocalValue.ofWhole(operand == 0 ? 1 : 0);
    }
    Matcher two = TWO.matcher(text);
    if (!two.matches()) {
      return null;
    }
    List<Long> operands = new ArrayList<>();
    int hole = 0;
    for (int group : new int[] {1, 3}) {
      boolean variable = two.group(group).equals("?");
      Long operand = variable ? whole(values.get(hole)) : Long.valueOf(whole(two.group(group)));
      hole += variable ? 1 : 0;
      if (operand == null) {
        return null;
      }
      operands.add(operand);
    }
    return result(operands.getFirst(), two.group(2), operands.getLast());
  }

  /** Null for what is no signed whole number of less than eighteen digits. */
  private static @Nullable Long whole(LocalValue value) {
    boolean plain =
        value.kind() == Kind.INTEGER
            && value.type() == MysqlType.BIGINT
            && !value.unsigned()
            && value.bytes().length < 18;
    return plain ? Long.valueOf(value.text()) : null;
  }

  private static @Nullable LocalValue result(long a, String operator, long b) {
    boolean truth =
        switch (operator) {
          case "=", "<=>" -> a == b;
          case "<>", "!=" -> a != b;
          case "<" -> a < b;
          case "<=" -> a <= b;
          case ">" -> a > b;
          case ">=" -> a >= b;
          default -> false;
        };
    try {
      return switch (operator) {
        case "+" -> LocalValue.ofWhole(Math.addExact(a, b));
        case "-" -> LocalValue.ofWhole(Math.subtractExact(a, b));
        case "*" -> LocalValue.ofWhole(Math.multiplyExact(a, b));
        default -> LocalValue.ofWhole(truth ? 1 : 0);
      };
    } catch (ArithmeticException e) {
      return null; // a mysqld tells the error
    }
  }
}
