package io.alrai.optimizer.api.token;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.text.TokenKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Names of variables as statements write them. */
public final class VariableNames {
  private VariableNames() {}

  /** From {@code @x} or {@code @`x`} to the name in lower case. */
  public static String ofUserVariable(String written) {
    return plain(written.substring(1));
  }

  /**
   * The names of {@code INTO @a, @b}, which begins at the cursor.
   *
   * @throws AlraiException 1327 for what is no user variable
   */
  public static List<String> ofInto(TokenCursor tokens) {
    List<String> names = new ArrayList<>();
    tokens.expect("INTO");
    do {
      if (tokens.kind() == TokenKind.WORD || tokens.kind() == TokenKind.QUOTED) {
        throw new AlraiException(
            ErrorCode.ER_SP_UNDECLARED_VAR, "Undeclared variable: " + tokens.identifier());
      }
      String variable = tokens.atEnd() ? "" : tokens.token(tokens.position()).text();
      tokens.expect(TokenKind.USER_VARIABLE);
      names.add(ofUserVariable(variable));
    } while (tokens.take(TokenKind.COMMA));
    return names;
  }

  /** A variable's name without quotes, in lower case. */
  public static String plain(String written) {
    boolean quoted = !written.isEmpty() && "`'\"".indexOf(written.charAt(0)) >= 0;
    String name = quoted ? TokenCursor.unquoted(written, written.charAt(0) == '`') : written;
    return name.toLowerCase(Locale.ROOT);
  }
}
