package io.alrai.cn.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.alrai.common.sql.Sql;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** In which character set texts go to a mysqld. */
class SentTextTest {
  private static final Sql NAMED = Sql.of("SHOW INDEX FROM ").name("größe東京");

  private static SessionSettings speaking(String charset) {
    SettingsRegistry registry = new SettingsRegistry();
    return registry.with(
        registry.defaults(),
        Map.of("character_set_client", "'" + charset + "'", "sql_mode", "'ANSI'"));
  }

  private static String read(SentText text, Charset charset) {
    return new String(text.bytes(), charset);
  }

  @Test
  void namesThatTheCharacterSetLacksGoInUtf8() {
    for (String charset : new String[] {"latin1", "ascii", "sjis", "gbk", "greek", "binary"}) {
      SessionSettings settings = speaking(charset);
      SentText text = SentText.of(NAMED, settings);
      assertEquals(NAMED.text(), read(text, StandardCharsets.UTF_8), charset);
      assertEquals(
          "SET SESSION character_set_client=utf8mb4", text.settings().difference(settings).text());
    }
  }

  @Test
  void othersGoAsTheSessionSpeaks() {
    SessionSettings utf8 = speaking("utf8mb3");
    assertSame(utf8, SentText.of(NAMED, utf8).settings());
    SessionSettings latin1 = speaking("latin1");
    Sql german = Sql.of("SHOW INDEX FROM ").name("größe");
    SentText text = SentText.of(german, latin1);
    assertSame(latin1, text.settings());
    assertEquals(german.text(), read(text, StandardCharsets.ISO_8859_1));
    assertSame(latin1, SentText.of(Sql.of("DO 0"), latin1).settings());
  }

  /** Java has no name for it: what a client wrote was read byte by byte, and names were not. */
  @Test
  void bytesThatWereReadGoBackAsTheyCame() {
    SessionSettings greek = speaking("greek");
    SentText written = SentText.of(Sql.client("SHOW TABLES LIKE '\u00e1'"), greek);
    assertSame(greek, written.settings());
    assertEquals((byte) 0xe1, written.bytes()[written.bytes().length - 2]);
    SentText own = SentText.of(Sql.of("SHOW INDEX FROM ").name("\u00e1"), greek);
    assertEquals("SHOW INDEX FROM `\u00e1`", read(own, StandardCharsets.UTF_8));
  }
}
