package io.alrai.optimizer.token;

import java.util.Locale;

/** Names of variables as statements write them. */
public final class VariableNames {
  private VariableNames() {}

  /** From {@code @x} or {@code @`x`} to the name in lower case. */
  public static String ofUserVariable(String written) {
    return plain(written.substring(1));
  }

  /** A variable's name without quotes, in lower case. */
  public static String plain(String written) {
    boolean quoted = !written.isEmpty() && "`'\"".indexOf(written.charAt(0)) >= 0;
    String name = quoted ? TokenCursor.unquoted(written, written.charAt(0) == '`') : written;
    return name.toLowerCase(Locale.ROOT);
  }
}
