package io.alrai.cn.execute;

import io.alrai.cn.session.Session;
import java.util.Locale;

/** What a session's variables say about the bytes of its statements. */
final class SessionText {
  private static final String DEFAULT_CHARSET = "utf8mb4";

  private SessionText() {}

  /** MySQL's name of the character set in which string literals come. */
  static String charset(Session session) {
    return name(session.settings().literal("character_set_client"));
  }

  /** MySQL's name of the character set in which rows that are copied come from the shards. */
  static String resultCharset(Session session) {
    return name(session.settings().literal("character_set_results"));
  }

  private static String name(String literal) {
    String name = literal.replace("'", "").toLowerCase(Locale.ROOT);
    return switch (name) {
      case "", "default", "null" -> DEFAULT_CHARSET;
      case "utf8" -> "utf8mb3";
      default -> name;
    };
  }

  /** Whether an sql_mode that the session set has a word. */
  static boolean hasMode(Session session, String word) {
    return session.settings().literal("sql_mode").toUpperCase(Locale.ROOT).contains(word);
  }
}
