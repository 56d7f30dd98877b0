package io.alrai.cn.statement;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Warnings about values that an expression could not take as they were. In a SELECT they stay
 * warnings; in a write under a strict mode, without IGNORE, MySQL turns them into errors.
 */
public final class ValueWarnings {
  /**
   * Those that expressions give, of MySQL's {@code Strict_error_handler}, with the SQLSTATEs of the
   * errors.
   */
  private static final Map<Integer, String> STATES =
      Map.ofEntries(
          Map.entry(1260, "HY000"), // cut by GROUP_CONCAT()
          Map.entry(1264, "22003"), // out of range
          Map.entry(1292, "22007"), // a wrong value
          Map.entry(1301, "HY000"), // longer than a packet
          Map.entry(1365, "22012"), // division by zero
          Map.entry(1411, "HY000"), // a wrong value for a function
          Map.entry(1441, "22008"), // a date out of range
          Map.entry(3020, "2201E"), // an argument of a logarithm
          Map.entry(3155, "22003"), // a number in JSON out of range
          Map.entry(3156, "22018"), // JSON that is no such value
          Map.entry(6527, "22008")); // a date out of range, in an expression

  private ValueWarnings() {}

  /** The warnings of this kind. */
  public static List<Condition> of(List<Condition> told) {
    return told.stream()
        .filter(one -> one.level().equals("Warning") && STATES.containsKey(one.code()))
        .toList();
  }

  /**
   * The warnings of a statement over copies: conditions are looked at where rows are, and again
   * over the copies.
   */
  public static List<Condition> together(List<Condition> copying, List<Condition> overCopies) {
    List<Condition> all = new ArrayList<>(copying);
    List<Condition> again = new ArrayList<>(copying);
    for (Condition one : overCopies) {
      if (!again.remove(one)) {
        all.add(one);
      }
    }
    return all;
  }

  /**
   * Whether some may come of the order in which a mysqld has joined copies: a string that is
   * compared with a number is looked at in each row, or only where an index leads to it.
   */
  public static boolean dependOnPlan(List<Condition> warnings) {
    return warnings.stream()
        .anyMatch(one -> one.code() == ErrorCode.ER_TRUNCATED_WRONG_VALUE.errno());
  }

  /**
   * Throws if there is such a warning.
   *
   * @throws AlraiException the first
   */
  public static void refuse(List<Condition> warnings) {
    warnings.stream()
        .findFirst()
        .ifPresent(first -> {
          String state = STATES.getOrDefault(first.code(), "HY000");
          throw AlraiException.fromServer(first.code(), state, first.message());
        });
  }
}
