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
    return HiddenSecrets.in(new String(sql, 0, length, mode.charset()), mode);
  }
}
