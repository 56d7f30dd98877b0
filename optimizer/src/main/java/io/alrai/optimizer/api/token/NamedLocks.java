package io.alrai.optimizer.api.token;

import io.alrai.common.error.AlraiException;
import io.alrai.optimizer.api.text.TokenKind;
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

  /** The refusal where a call stands in a statement that is not about locks alone. */
  public static AlraiException refusal() {
    return AlraiException.unsupported(
        "named locks in a statement over tables; use" + " SELECT, DO or SET of their own for them");
  }

  /** Whether there are calls. */
  public static boolean called(TokenCursor tokens) {
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (tokens.kindAt(i) == TokenKind.WORD
          && tokens.kindAt(i + 1) == TokenKind.OPEN
          && (i == 0 || tokens.kindAt(i - 1) != TokenKind.DOT)
          && isFunction(tokens.token(i).text().toUpperCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }
}
