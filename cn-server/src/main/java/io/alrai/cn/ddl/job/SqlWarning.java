package io.alrai.cn.ddl.job;

import io.alrai.common.error.ErrorCode;

/**
 * One line of SHOW WARNINGS.
 *
 * @param level {@code Note}, {@code Warning} or {@code Error}
 * @param errno MySQL's number
 * @param sentence the message
 */
public record SqlWarning(String level, int errno, String sentence) {
  /** A note. */
  public static SqlWarning note(int errno, String sentence) {
    return new SqlWarning("Note", errno, sentence);
  }

  /** Whether it has this error's number. */
  public boolean is(ErrorCode code) {
    return errno == code.errno();
  }
}
