package io.alrai.cn.execute;

import io.alrai.cn.session.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import java.util.List;
import java.util.Map;

/**
 * Warnings about values that an expression could not have as they were. In a SELECT they are that;
 * in a write under a strict mode, without IGNORE, MySQL makes errors of them.
 */
final class ValueWarnings {
  /**
   * Those that expressions give, of MySQL's {@code Strict_error_handler}, with the SQLSTATEs of the
   * errors.
   */
  private static final Map<Integer, String> STATES =
      Map.of(
          1260, "HY000", // cut by GROUP_CONCAT()
          1264, "22003", // out of range
          1292, "22007", // a wrong value
          1301, "HY000", // longer than a packet
          1365, "22012", // division by zero
          1411, "HY000", // a wrong value for a function
          1441, "22008", // a date out of range
          3020, "2201E"); // an argument of a logarithm

  private ValueWarnings() {}

  /** Those that are such ones. */
  static List<Condition> of(List<Condition> told) {
    return told.stream()
        .filter(one -> one.level().equals("Warning") && STATES.containsKey(one.code()))
        .toList();
  }

  /**
   * Refuses such ones.
   *
   * @throws AlraiException the first
   */
  static void refuse(List<Condition> warnings) {
    warnings.stream()
        .findFirst()
        .ifPresent(first -> {
          String state = STATES.getOrDefault(first.code(), "HY000");
          throw AlraiException.fromServer(first.code(), state, first.message());
        });
  }
}
