package io.alrai.optimizer.api.shape;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.executor.fragment.SlotValues;
import io.alrai.executor.fragment.SlotValues.Kind;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.ParameterSource;
import io.alrai.optimizer.api.text.StringContent;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TextSlotValuesTest {
  @Test
  void kinds() {
    TextSlotValues values =
        values("SELECT 1, -2, 1.5, .5, 2e3, 'a', \"b\", x'41', 0x41, b'1', 0b1, _binary'x'");
    assertEquals(12, values.count());
    Kind[] expected = {
      Kind.INTEGER,
      Kind.INTEGER,
      Kind.DECIMAL,
      Kind.DECIMAL,
      Kind.FLOAT,
      Kind.STRING,
      Kind.STRING,
      Kind.BINARY,
      Kind.BINARY,
      Kind.BINARY,
      Kind.BINARY,
      Kind.BINARY
    };
    for (int slot = 0; slot < expected.length; slot++) {
      assertEquals(expected[slot], values.kind(slot), "slot " + slot);
    }
    assertEquals(Kind.NULL, values("INSERT INTO t VALUES (null)").kind(0));
  }

  @Test
  void integers() {
    assertLong(5, "5");
    assertLong(-5, "-5");
    assertLong(5, "+5");
    assertLong(5, "00000000000000000000005");
    assertLong(Long.MAX_VALUE, "9223372036854775807");
    assertLong(Long.MIN_VALUE, "-9223372036854775808");
    assertFalse(values("SELECT 9223372036854775808").fitsLong(0));
    assertFalse(values("SELECT -9223372036854775809").fitsLong(0));
    assertFalse(values("SELECT 9999999999999999999").fitsLong(0));
    assertFalse(values("SELECT 18446744073709551616").fitsLong(0));
    assertArrayEquals(ascii("5"), values("SELECT +5").bytes(0));
    assertArrayEquals(ascii("-5"), values("SELECT -5").bytes(0));
  }

  @Test
  void strings() {
    assertBytes("it's", "'it''s'");
    assertBytes("it's", "'it\\'s'");
    assertBytes("a\"b'c", "\"a\"\"b'c\"");
    assertBytes("\n\t\r\b\0\u001a\\x", "'\\n\\t\\r\\b\\0\\Z\\\\\\x'");
    assertBytes("\\%\\_", "'\\%\\_'");
    assertBytes("é", "'é'");
    assertBytes("", "''");
    LexicalMode raw = new LexicalMode(StandardCharsets.UTF_8, false, true);
    ShapedText shaped = ShapedText.of("SELECT 'a\\n'", raw);
    assertArrayEquals(ascii("a\\n"), new TextSlotValues(shaped, ParameterSource.NONE).bytes(0));
  }

  @Test
  void binary() {
    assertArrayEquals(new byte[] {0x41, (byte) 0xff}, values("SELECT x'41fF'").bytes(0));
    assertArrayEquals(new byte[] {0x4, 0x1f}, values("SELECT 0x41f").bytes(0));
    assertArrayEquals(new byte[] {0x1, (byte) 0x80}, values("SELECT b'110000000'").bytes(0));
    assertArrayEquals(new byte[] {0x3}, values("SELECT 0b11").bytes(0));
    assertArrayEquals(new byte[] {'a', '\'', 0}, values("SELECT _binary 'a''\\0'").bytes(0));
    assertArrayEquals(ascii("q"), values("SELECT _binary/*'*/'q'").bytes(0));
  }

  @Test
  void sqlIsTheClientsText() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    values("SELECT 'a\\'b'").appendSql(0, out);
    assertEquals("'a\\'b'", out.toString(StandardCharsets.UTF_8));
  }

  /** The second byte of these characters is a backslash. */
  @Test
  void asciiBytesInsideOfCharactersAreNoEscapes() {
    for (String charset : List.of("GBK", "Big5", "Shift_JIS", "windows-31j", "GB18030")) {
      LexicalMode mode = new LexicalMode(Charset.forName(charset), false, false);
      String written = charset.startsWith("GB") ? "誠" : charset.equals("Big5") ? "功" : "表";
      byte[] content = (written + "'\\" + written).getBytes(mode.charset());
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      StringContent.appendQuoted(content, mode, out);
      byte[] sql =
          ("SELECT " + new String(out.toByteArray(), mode.charset()) + ", 1")
              .getBytes(mode.charset());
      ShapeScanner scanner = new ShapeScanner();
      scanner.scan(sql, 0, sql.length, mode);
      assertEquals(2, scanner.slotCount(), charset);
      SlotValues values = new TextSlotValues(scanner, sql, 0, mode, ParameterSource.NONE);
      assertArrayEquals(content, values.bytes(0), charset);
    }
  }

  @Test
  void contentIsQuotedAgain() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StringContent.appendQuoted(ascii("a'b\\c\0"), LexicalMode.DEFAULT, out);
    assertEquals("'a''b\\\\c\\0'", out.toString(StandardCharsets.UTF_8));
    out.reset();
    LexicalMode raw = new LexicalMode(StandardCharsets.UTF_8, false, true);
    StringContent.appendQuoted(ascii("a'b\\c"), raw, out);
    assertEquals("'a''b\\c'", out.toString(StandardCharsets.UTF_8));
    out.reset();
    StringContent.appendHex(new byte[] {0, (byte) 0xab}, out);
    assertEquals("x'00ab'", out.toString(StandardCharsets.UTF_8));
  }

  @Test
  void parametersComeFromTheirSource() {
    ShapedText shaped = ShapedText.of("SELECT 1, ?, 2, ?");
    TextSlotValues values = new TextSlotValues(shaped, new Numbers());
    assertEquals(1, values.longValue(0));
    assertEquals(100, values.longValue(1));
    assertEquals(2, values.longValue(2));
    assertEquals(101, values.longValue(3));
    AlraiException error = assertThrows(AlraiException.class, () -> values("SELECT ?").kind(0));
    assertEquals(1064, error.errno());
  }

  /** Parameter n is 100 + n. */
  private static final class Numbers implements ParameterSource {
    @Override
    public Kind kind(int parameter) {
      return Kind.INTEGER;
    }

    @Override
    public boolean fitsLong(int parameter) {
      return true;
    }

    @Override
    public long longValue(int parameter) {
      return 100L + parameter;
    }

    @Override
    public byte[] bytes(int parameter) {
      return ascii(Long.toString(longValue(parameter)));
    }

    @Override
    public void appendSql(int parameter, ByteArrayOutputStream out) {
      out.writeBytes(bytes(parameter));
    }
  }

  private static void assertLong(long expected, String literal) {
    TextSlotValues values = values("SELECT " + literal);
    assertEquals(Kind.INTEGER, values.kind(0));
    assertTrue(values.fitsLong(0));
    assertEquals(expected, values.longValue(0));
  }

  private static void assertBytes(String expected, String literal) {
    byte[] bytes = values("SELECT " + literal).bytes(0);
    assertEquals(expected, new String(bytes, StandardCharsets.UTF_8));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static TextSlotValues values(String sql) {
    return new TextSlotValues(ShapedText.of(sql), ParameterSource.NONE);
  }
}
