package io.alrai.cn.settings;

import io.alrai.common.sql.Sql;
import io.alrai.common.sql.TextEncoding;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/**
 * A text as a connection gets it that has a session's settings: in the session's character set, or,
 * where that lacks a character of a name that the client has not written, in UTF-8 and with
 * settings under which a mysqld reads it so. Only the character set of the text differs then;
 * strings in it become ones of {@code character_set_connection}, as before.
 *
 * @param settings what the connection must have for it
 */
public record SentText(byte[] bytes, SessionSettings settings) {
  private static final String CLIENT = "character_set_client";

  /** The text as a connection with these settings, or with those of {@link #settings}, gets it. */
  public static SentText of(Sql sql, SessionSettings settings) {
    String text = sql.text();
    if (TextEncoding.isAscii(text)) {
      return new SentText(text.getBytes(StandardCharsets.US_ASCII), settings);
    }
    Charset charset = SettingsCharset.ofClient(settings);
    // what Java has no name for is read byte by byte, and only gives these back
    boolean known = charset != StandardCharsets.ISO_8859_1 || sql.isWritten();
    return charset == StandardCharsets.UTF_8 || (known && TextEncoding.fits(text, charset))
        ? new SentText(text.getBytes(charset), settings)
        : new SentText(text.getBytes(StandardCharsets.UTF_8), inUtf8(settings));
  }

  /** The settings with texts in UTF-8; the same object where these are so. */
  public static SessionSettings inUtf8(SessionSettings settings) {
    return readsUtf8(settings) ? settings : settings.without(CLIENT);
  }

  /** Whether a mysqld reads UTF-8 under the settings as it is. */
  public static boolean readsUtf8(SessionSettings settings) {
    return SettingsCharset.ofClient(settings) == StandardCharsets.UTF_8;
  }
}
