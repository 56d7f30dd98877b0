package io.alrai.cn.text;

import io.alrai.cn.session.SessionVariables;
import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.settings.SettingsCharset;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.sql.TextEncoding;
import io.alrai.optimizer.api.sql.WholeJson;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.Set;

/** What a session's variables say about the bytes of its statements and results. */
public final class SessionText {
  /** MySQL's name of the character set in which rows come that the CN writes again. */
  public static final String COPIED = "utf8mb4";

  /** Those that have every character of any other. */
  private static final Set<String> WHOLE = Set.of("utf8mb4", "utf16", "utf16le", "utf32");

  private SessionText() {}

  /**
   * MySQL's name of the character set in which string literals come; empty where they are converted
   * to another on their way, which may lose characters.
   */
  public static String charset(SessionVariables variables) {
    String client = name(variables.settings().literal("character_set_client"));
    String connection = name(variables.settings().literal("character_set_connection"));
    return connection.equals(client) || WHOLE.contains(connection) ? client : "";
  }

  /** In which the server has the strings of the session's statements. */
  public static Charset ofConnection(SessionVariables variables) {
    String connection = name(variables.settings().literal("character_set_connection"));
    return connection.equals("binary")
        ? variables.lexicalMode().charset()
        : SettingsCharset.javaCharset(connection);
  }

  /**
   * A part of a statement that has values too, as the session's backends read it.
   *
   * @throws AlraiException 3854 where the session's character set lacks characters of names that
   *     the client did not write
   */
  public static byte[] encoded(SessionVariables variables, Sql sql) {
    String text = lacksJsonTable(variables) ? WholeJson.withoutTypes(sql.text()) : sql.text();
    return encoded(variables.lexicalMode().charset(), text);
  }

  /** Whether MySQL has no JSON_TABLE for the session's statements. */
  static boolean lacksJsonTable(SessionVariables variables) {
    String connection = variables.settings().literal("character_set_connection");
    return !connection.isEmpty() && name(connection).equals("binary");
  }

  /** Encodes a part of a template. */
  public static byte[] encoded(Charset charset, String text) {
    return TextEncoding.bytes(text, charset);
  }

  /** For values of rows that came in {@link #COPIED}. */
  public static LiteralText literals(SessionVariables variables) {
    SessionSettings settings = variables.settings();
    boolean unconverted =
        charset(variables).equals(COPIED)
            && name(settings.literal("character_set_connection")).equals(COPIED);
    return new LiteralText(hasMode(variables, "NO_BACKSLASH_ESCAPES"), unconverted);
  }

  /** Whether strings of UTF-8 columns come as in copies, although the client is to get them. */
  public static boolean isAsCopied(SessionVariables variables) {
    return charset(variables).equals(COPIED)
        && name(variables.settings().literal("character_set_results")).equals(COPIED);
  }

  /** How many more digits a quotient has, where the session says so. */
  public static OptionalInt divisionDigits(SessionVariables variables) {
    String digits = variables.settings().literal("div_precision_increment");
    return digits.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(digits));
  }

  private static String name(String literal) {
    String name = literal.replace("'", "").toLowerCase(Locale.ROOT);
    return switch (name) {
      case "", "default", "null" -> COPIED;
      case "utf8" -> "utf8mb3";
      default -> name;
    };
  }

  /** Whether an sql_mode that the session set has a word. */
  public static boolean hasMode(SessionVariables variables, String word) {
    return variables.settings().literal("sql_mode").toUpperCase(Locale.ROOT).contains(word);
  }

  /** Whether a value that a column does not take is an error; it is unless the session says so. */
  public static boolean isStrict(SessionVariables variables) {
    return variables.settings().literal("sql_mode").isEmpty() || hasMode(variables, "STRICT_");
  }
}
