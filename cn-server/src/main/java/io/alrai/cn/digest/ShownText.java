package io.alrai.cn.digest;

import io.alrai.optimizer.api.inspect.HiddenSecrets;
import io.alrai.optimizer.api.text.LexicalMode;

/** Texts of statements as logs and tables show them: without passwords. Stateless. */
final class ShownText {
  private ShownText() {}

  /**
   * The text.
   *
   * @param length of it, or of what is shown of it
   */
  static String of(byte[] sql, int length, LexicalMode mode) {
    String text = new String(sql, 0, length, mode.charset());
    return mayHaveSecrets(sql, length) ? HiddenSecrets.in(text, mode) : text;
  }

  /** Statements about rows, by far most, are not read a second time. */
  private static boolean mayHaveSecrets(byte[] sql, int length) {
    if (length < 3) {
      return false;
    }
    return switch (sql[0] | 0x20) {
      case 'i', 'u', 'd', 'r' -> false; // INSERT, UPDATE, DELETE, REPLACE
      case 's' -> (sql[2] | 0x20) == 't'; // SET, not SELECT or SHOW
      default -> true;
    };
  }
}
