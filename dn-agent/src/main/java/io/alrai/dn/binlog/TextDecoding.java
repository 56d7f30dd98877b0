package io.alrai.dn.binlog;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.alrai.common.type.Collations;
import java.nio.charset.Charset;
import java.util.Map;

/** Turns strings of MySQL's character sets into UTF-8. Immutable. */
final class TextDecoding {
  /** The collation of bytes. */
  static final int BINARY = 63;

  private static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry("ucs2", "UTF-16BE"),
          Map.entry("utf16", "UTF-16BE"),
          Map.entry("utf16le", "UTF-16LE"),
          Map.entry("utf32", "UTF-32BE"),
          Map.entry("latin2", "ISO-8859-2"),
          Map.entry("latin5", "ISO-8859-9"),
          Map.entry("latin7", "ISO-8859-13"),
          Map.entry("greek", "ISO-8859-7"),
          Map.entry("hebrew", "ISO-8859-8"),
          Map.entry("cp1250", "windows-1250"),
          Map.entry("cp1251", "windows-1251"),
          Map.entry("cp1256", "windows-1256"),
          Map.entry("cp1257", "windows-1257"),
          Map.entry("koi8r", "KOI8-R"),
          Map.entry("koi8u", "KOI8-U"),
          Map.entry("gbk", "GBK"),
          Map.entry("gb2312", "GB2312"),
          Map.entry("gb18030", "GB18030"),
          Map.entry("big5", "Big5"),
          Map.entry("sjis", "Shift_JIS"),
          Map.entry("cp932", "windows-31j"),
          Map.entry("ujis", "EUC-JP"),
          Map.entry("euckr", "EUC-KR"));

  private final Collations collations;

  TextDecoding(Collations collations) {
    this.collations = collations;
  }

  /**
   * The text as UTF-8.
   *
   * @throws BinlogException for a character set that is not known here
   */
  byte[] utf8(byte[] text, int collation) {
    String charset =
        collations
            .ofId(collation)
            .orElseThrow(() -> new BinlogException("unknown collation " + collation))
            .charset();
    return switch (charset) {
      case "utf8mb4", "utf8mb3", "ascii" -> text;
      case "latin1" -> latin1(text);
      default -> {
        String name = NAMES.get(charset);
        if (name == null) {
          throw new BinlogException("the character set " + charset + " is not supported");
        }
        yield new String(text, Charset.forName(name)).getBytes(UTF_8);
      }
    };
  }

  /** MySQL's latin1 is windows-1252 in which no byte is undefined. */
  private static byte[] latin1(byte[] text) {
    Charset windows = Charset.forName("windows-1252");
    StringBuilder out = new StringBuilder(text.length);
    for (byte b : text) {
      char c = b >= 0 ? (char) b : new String(new byte[] {b}, windows).charAt(0);
      out.append(c == '\ufffd' ? (char) (b & 0xff) : c);
    }
    return out.toString().getBytes(UTF_8);
  }
}
