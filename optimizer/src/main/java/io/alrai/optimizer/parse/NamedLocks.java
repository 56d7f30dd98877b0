package io.alrai.optimizer.parse;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import java.util.Locale;
import java.util.Set;

/** Functions about locks that belong to a session, which no connection of a pool can keep. */
public final class NamedLocks {
  private static final Set<String> FUNCTIONS =
      Set.of("GET_LOCK", "RELEASE_LOCK", "RELEASE_ALL_LOCKS", "IS_FREE_LOCK", "IS_USED_LOCK");

  private NamedLocks() {}

  /** Whether a function, named in upper case, is one of them. */
  public static boolean isFunction(String name) {
    return FUNCTIONS.contains(name);
  }

  /** The refusal. */
  public static AlraiException refusal() {
    return new AlraiException(
        ErrorCode.ER_NOT_SUPPORTED_YET,
        "This version of Alrai doesn't yet support named locks; lock a row with SELECT ... FOR"
            + " UPDATE");
  }

  /**
   * Looks for calls.
   *
   * @throws AlraiException 1235
   */
  static void refuse(TokenCursor tokens) {
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (tokens.kindAt(i) == TokenKind.WORD
          && tokens.kindAt(i + 1) == TokenKind.OPEN
          && isFunction(tokens.token(i).text().toUpperCase(Locale.ROOT))) {
        throw refusal();
      }
    }
  }
}
