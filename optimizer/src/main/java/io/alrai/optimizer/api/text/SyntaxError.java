package io.alrai.optimizer.api.text;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;

/** ER_PARSE_ERROR in MySQL's words. */
public final class SyntaxError {
  /** MySQL shows so many characters of the text. */
  private static final int SHOWN = 80;

  private SyntaxError() {}

  /**
   * The error at a place of a statement.
   *
   * @param sql the statement as sent
   * @param position index of the first character that does not fit; the length where the statement
   *     ends too early
   */
  public static AlraiException at(String sql, int position) {
    int at = Math.clamp(position, 0, sql.length());
    int line = 1;
    for (int i = 0; i < at; i++) {
      if (sql.charAt(i) == '\n') {
        line++;
      }
    }
    return new AlraiException(ErrorCode.ER_PARSE_ERROR, sentence(sql.substring(at), line));
  }

  public static String sentence(String near, int line) {
    String shown = near.length() > SHOWN ? near.substring(0, SHOWN) : near;
    return "You have an error in your SQL syntax; check the manual that corresponds to your MySQL"
        + " server version for the right syntax to use near '"
        + shown
        + "' at line "
        + line;
  }
}
