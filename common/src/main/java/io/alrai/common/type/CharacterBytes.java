package io.alrai.common.type;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * Which bytes of a text are one character, by the rules of MySQL's character sets ({@code
 * my_mbcharlen} and {@code my_ismbchar} of ctype-*.c).
 */
public enum CharacterBytes {
  SINGLE,
  UTF8MB3,
  UTF8MB4,
  BIG5,
  EUCKR,
  GB2312,
  GBK,
  GB18030,
  SJIS,
  UJIS;

  private static final int SS2 = 0x8e;
  private static final int SS3 = 0x8f;

  /**
   * Those of a character set.
   *
   * @param charset MySQL's name
   */
  public static CharacterBytes of(String charset) {
    return switch (charset) {
      case "utf8mb3" -> UTF8MB3;
      case "utf8mb4" -> UTF8MB4;
      case "big5" -> BIG5;
      case "euckr" -> EUCKR;
      case "gb2312" -> GB2312;
      case "gbk" -> GBK;
      case "gb18030" -> GB18030;
      case "sjis", "cp932" -> SJIS;
      case "ujis", "eucjpms" -> UJIS;
      default -> SINGLE;
    };
  }

  /** Whether bytes of a character may be those of ASCII, after its first. */
  public boolean hasAscii() {
    return switch (this) {
      case BIG5, EUCKR, GBK, GB18030, SJIS -> true;
      case SINGLE, UTF8MB3, UTF8MB4, GB2312, UJIS -> false;
    };
  }

  /** Whether a byte is the first of several. */
  public boolean isFirst(int first) {
    return switch (this) {
      case SINGLE -> false;
      case UTF8MB3 -> in(first, 0xc2, 0xef);
      case UTF8MB4 -> in(first, 0xc2, 0xf7);
      case BIG5 -> in(first, 0xa1, 0xf9);
      case GB2312 -> in(first, 0xa1, 0xf7);
      case EUCKR, GBK, GB18030 -> in(first, 0x81, 0xfe);
      case SJIS -> in(first, 0x81, 0x9f) || in(first, 0xe0, 0xfc);
      case UJIS -> first == SS2 || first == SS3 || in(first, 0xa1, 0xfe);
    };
  }

  /**
   * How many bytes a first one announces; none where the second shows that there is no character.
   *
   * @param second the byte after it; -1 at the end of the file
   */
  public int length(int first, int second) {
    return switch (this) {
      case SINGLE -> 1;
      case UTF8MB3, UTF8MB4 -> first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
      case BIG5, EUCKR, GB2312, GBK, SJIS -> 2;
      case UJIS -> first == SS3 ? 3 : 2;
      case GB18030 -> isEven(second) ? 2 : in(second, '0', '9') ? 4 : 0;
    };
  }

  /**
   * Whether bytes are one character.
   *
   * @param bytes so many as the first one announces
   */
  public boolean isCharacter(byte[] bytes) {
    int first = bytes[0] & 0xff;
    int second = bytes[1] & 0xff;
    return switch (this) {
      case SINGLE -> false;
      case UTF8MB3, UTF8MB4 -> isUtf8(bytes, first, second);
      case BIG5 -> in(second, 0x40, 0x7e) || in(second, 0xa1, 0xfe);
      case EUCKR -> in(second, 'A', 'Z') || in(second, 'a', 'z') || in(second, 0x81, 0xfe);
      case GB2312 -> in(second, 0xa1, 0xfe);
      case GBK -> isEven(second);
      case GB18030 ->
          isEven(second)
              || in(second, '0', '9')
                  && in(bytes[2] & 0xff, 0x81, 0xfe)
                  && in(bytes[3] & 0xff, '0', '9');
      case SJIS -> in(second, 0x40, 0x7e) || in(second, 0x80, 0xfc);
      case UJIS ->
          first == SS2
              ? in(second, 0xa1, 0xdf)
              : in(second, 0xa1, 0xfe) && (first != SS3 || in(bytes[2] & 0xff, 0xa1, 0xfe));
    };
  }

  /** Whether a text is of whole characters. */
  public boolean areWhole(byte[] text) {
    return this == SINGLE || wholeUntil(text, 0) == text.length;
  }

  private int wholeUntil(byte[] text, int from) {
    int at = from;
    while (at < text.length) {
      int width = width(text, at);
      if (width == 0) {
        return at;
      }
      at += width;
    }
    return at;
  }

  /** Bytes of the character here, 0 where none is whole. */
  private int width(byte[] text, int at) {
    int here = text[at] & 0xff;
    if (here < 0x80 || this == SJIS && in(here, 0xa1, 0xdf)) {
      return 1;
    }
    if (!isFirst(here)) {
      return 0;
    }
    int length = length(here, at + 1 < text.length ? text[at + 1] & 0xff : -1);
    boolean whole =
        length > 0
            && at + length <= text.length
            && isCharacter(Arrays.copyOfRange(text, at, at + length));
    return whole ? length : 0;
  }

  /**
   * A text as it comes into a column of another character set: with a question mark for each byte
   * that is of no whole character, without what is too short at the end.
   */
  public byte[] marked(byte[] text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length);
    int at = 0;
    while (at < text.length) {
      int whole = wholeUntil(text, at);
      out.write(text, at, whole - at);
      at = whole;
      if (at < text.length) {
        int here = text[at] & 0xff;
        int second = at + 1 < text.length ? text[at + 1] & 0xff : -1;
        if (isFirst(here) && at + Math.max(length(here, second), 2) > text.length) {
          break;
        }
        out.write('?');
        at++;
      }
    }
    return out.toByteArray();
  }

  private static boolean isUtf8(byte[] bytes, int first, int second) {
    int length = UTF8MB4.length(first, second);
    for (int i = 1; i < length; i++) {
      if ((bytes[i] & 0xc0) != 0x80) {
        return false;
      }
    }
    return switch (first) {
      case 0xe0 -> second >= 0xa0;
      case 0xed -> second < 0xa0;
      case 0xf0 -> second >= 0x90;
      case 0xf4 -> second < 0x90;
      default -> first < 0xf4;
    };
  }

  private static boolean isEven(int second) {
    return in(second, 0x40, 0x7e) || in(second, 0x80, 0xfe);
  }

  private static boolean in(int value, int least, int most) {
    return value >= least && value <= most;
  }
}
