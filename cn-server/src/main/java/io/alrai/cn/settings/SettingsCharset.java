package io.alrai.cn.settings;

import io.alrai.optimizer.api.text.LexicalMode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The character sets that a session's settings name, in Java's terms. */
public final class SettingsCharset {
  private SettingsCharset() {}

  /** How the text of statements of a session with these settings reads. */
  public static LexicalMode lexicalMode(SessionSettings settings) {
    String sqlMode = settings.literal("sql_mode").toUpperCase(Locale.ROOT);
    return new LexicalMode(
        ofClient(settings), sqlMode.contains("ANSI"), sqlMode.contains("NO_BACKSLASH_ESCAPES"));
  }

  /** How the text of statements for connections with these settings is encoded. */
  public static Charset ofClient(SessionSettings settings) {
    return of(settings, "character_set_client");
  }

  /** How texts for a client with these settings are encoded. */
  public static Charset ofResults(SessionSettings settings) {
    return of(settings, "character_set_results");
  }

  private static Charset of(SessionSettings settings, String variable) {
    String charset = settings.literal(variable).replace("'", "");
    return javaCharset(charset.isEmpty() ? "utf8mb4" : charset);
  }

  /** Java's name for a character set of MySQL; latin1 for those that Java does not know. */
  public static Charset javaCharset(String mysqlName) {
    return switch (mysqlName) {
      case "utf8mb4", "utf8mb3", "utf8" -> StandardCharsets.UTF_8;
      case "ascii" -> StandardCharsets.US_ASCII;
      case "latin1" -> Charset.forName("windows-1252");
      case "gbk" -> Charset.forName("GBK");
      case "gb18030" -> Charset.forName("GB18030");
      case "gb2312" -> Charset.forName("GB2312");
      case "big5" -> Charset.forName("Big5");
      case "sjis" -> Charset.forName("Shift_JIS");
      case "cp932" -> Charset.forName("windows-31j");
      case "ujis" -> Charset.forName("EUC-JP");
      case "euckr" -> Charset.forName("EUC-KR");
      case "cp1250" -> Charset.forName("windows-1250");
      case "cp1251" -> Charset.forName("windows-1251");
      case "cp1256" -> Charset.forName("windows-1256");
      case "cp1257" -> Charset.forName("windows-1257");
      default -> StandardCharsets.ISO_8859_1;
    };
  }
}
