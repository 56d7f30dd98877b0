package io.alrai.cn.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.AdminStatement.FileFormat;
import io.alrai.optimizer.api.FileMark;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines and fields, however the file's bytes come. What is expected is what MySQL 9.7 loads. */
final class LineScannerTest {
  private static final FileMarks TABS = format("\t", "", "\\", "", "\n");
  private static final FileMarks QUOTED = format(",", "\"", "\\", "", "\n");

  private static FileMarks format(
      String fields, String quote, String escape, String start, String end) {
    FileFormat format =
        new FileFormat(
            "", mark(fields), mark(quote), false, mark(escape), mark(start), mark(end), 0);
    return new FileMarks(format, ISO_8859_1);
  }

  private static FileMark mark(String bytes) {
    return new FileMark(bytes, true);
  }

  private static InputStream slow(byte[] bytes) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] into, int offset, int length) {
        return super.read(into, offset, 1);
      }
    };
  }

  private static List<String> lines(String file, FileMarks format, int fields) {
    return lines(file.getBytes(StandardCharsets.UTF_8), format, "utf8mb4", fields);
  }

  private static List<String> lines(byte[] bytes, FileMarks format, String charset, int fields) {
    Charset text = charset.equals("utf8mb4") ? StandardCharsets.UTF_8 : ISO_8859_1;
    InputStream whole = new ByteArrayInputStream(bytes);
    List<String> at = lines(new LineScanner(whole, format, charset, fields), text);
    assertEquals(at, lines(new LineScanner(slow(bytes), format, charset, fields), text));
    return at;
  }

  /** Lines of bytes, each of which is a character of ISO 8859-1 here. */
  private static List<String> bytes(String file, FileMarks format, String charset, int fields) {
    return lines(file.getBytes(ISO_8859_1), format, charset, fields);
  }

  private static List<String> lines(LineScanner scanner, Charset charset) {
    List<String> lines = new ArrayList<>();
    while (scanner.next()) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < scanner.count(); i++) {
        byte[] value = scanner.value(i);
        line.append('[').append(value == null ? "-" : new String(value, charset)).append(']');
      }
      lines.add(line + (scanner.isCut() ? " cut" : ""));
    }
    return lines;
  }

  @Test
  void fieldsOfLines() {
    assertEquals(List.of("[1][a]", "[2][b]"), lines("1\ta\n2\tb\n", TABS, 2));
    assertEquals(List.of("[1]", "[]", "[2][b] cut"), lines("1\n\n2\tb\tc\n", TABS, 2));
    assertEquals(List.of("[1][]", "[2]"), lines("1\t\n2\t", TABS, 2));
    assertEquals(List.of(), lines("", TABS, 2));
  }

  @Test
  void escapesAndNulls() {
    assertEquals(List.of("[-][a\tb]"), lines("\\N\ta\\\tb\n", TABS, 2));
    assertEquals(List.of("[Nx][a\nb]"), lines("\\Nx\ta\\nb", TABS, 2));
    assertEquals(List.of("[NULL][a\\]"), lines("NULL\ta\\", TABS, 2));
    assertEquals(List.of("[-][NULL]"), lines("NULL,\"NULL\"\n", QUOTED, 2));
    // the word needs a quote that could have been there
    assertEquals(List.of("[NULL][\\N]"), lines("NULL\t\\N", format("\t", "", "", "", "\n"), 2));
    FileMarks unescaped = format(",", "\"", "", "", "\n");
    assertEquals(List.of("[-][NULL][\\N]"), lines("NULL,\"NULL\",\\N", unescaped, 3));
    assertEquals(List.of("[-][-]"), lines("\"\\N\",NU\\LL", QUOTED, 2));
  }

  @Test
  void quotes() {
    assertEquals(List.of("[a\"b][c\nd]"), lines("\"a\"\"b\",\"c\nd\"\n", QUOTED, 2));
    assertEquals(List.of("[a\"b][c]"), lines("\"a\"b\",c\n", QUOTED, 2));
    assertEquals(List.of("[a\"\"b][\"un\n]"), lines("a\"\"b,\"un\n", QUOTED, 2));
    FileMarks doubled = format(",", "\"", "\"", "", "\n");
    assertEquals(List.of("[a\"b][c]"), lines("\"a\"\"b\",\"c\"\n", doubled, 2));
    assertEquals(List.of("[x][\"7\"]"), lines("x,\"7\"", doubled, 2));
    assertEquals(List.of("[x][\"N]", "[7]"), lines("x,\"\"N\"\n\"7\"\n", doubled, 2));
    // after the last field quotes mean nothing
    assertEquals(List.of("[a] cut", "[c\"]"), lines("a,\"b\nc\"\n", QUOTED, 1));
  }

  @Test
  void marksOfSeveralBytes() {
    FileMarks marks = format("||", "", "\\", ">>", "<>");
    assertEquals(
        List.of("[1][a|b]", "[2]", "[3][c]"),
        lines("junk>>1||a|b<>no>>2<>no>>3||c<>3||d", marks, 2));
    FileMarks one = format(",", "", "\\", "", ",");
    assertEquals(List.of("[1][a]", "[2][b]", "[3]"), lines("1,a,2,b,3", one, 2));
  }

  @Test
  void linesThatAreSkipped() {
    byte[] file = "\"a\nb\",1\nc,2\n".getBytes(StandardCharsets.UTF_8);
    LineScanner scanner = new LineScanner(new ByteArrayInputStream(file), QUOTED, "latin1", 2);
    scanner.skip();
    assertEquals(List.of("[b\"][1]", "[c][2]"), lines(scanner, ISO_8859_1));
    byte[] mixed = "a\u0095\\\n1\nb\u0095\n2\n".getBytes(ISO_8859_1);
    LineScanner sjis = new LineScanner(new ByteArrayInputStream(mixed), TABS, "sjis", 1);
    sjis.skip();
    assertEquals(List.of("[1]", "[b\u0095]", "[2]"), lines(sjis, ISO_8859_1));
  }

  @Test
  void bytesOfCharactersAreNoMarks() {
    assertEquals(List.of("[1][\u0095\\]", "[2][a]"), bytes("1\t\u0095\\\n2\ta\n", TABS, "sjis", 2));
    assertEquals(List.of("[\u0095\\n]", "[a]"), bytes("\\\u0095\\\\n\na", TABS, "cp932", 1));
    FileMarks bars = format("|", "^", "\\", "", "\n");
    for (String charset : List.of("gbk", "big5", "sjis", "gb18030")) {
      String two = charset.equals("sjis") ? "\u0095" : "\u00a5";
      assertEquals(
          List.of("[" + two + "|][a]", "[" + two + "^][b]", "[c" + two + "\\]"),
          bytes(two + "||a\n^" + two + "^^|b\nc" + two + "\\\n", bars, charset, 2));
    }
    FileMarks digits = format("0", "", "\\", "", "\n");
    assertEquals(List.of("[\u00810\u00810][1]"), bytes("\u00810\u0081001\n", digits, "gb18030", 2));
    FileMarks high = format("\u00a1", "", "\\", "", "\n");
    assertEquals(
        List.of("[\u008f\u00a1\u00a1][a]"), bytes("\u008f\u00a1\u00a1\u00a1a\n", high, "ujis", 2));
  }

  @Test
  void bytesThatAreNoCharacterStandAlone() {
    assertEquals(List.of("[\u0095][a]", "[b]"), bytes("\u0095\ta\nb", TABS, "sjis", 2));
    assertEquals(List.of("[a]", "[b][\t]"), bytes("a\nb\t\\\t\u0095", TABS, "sjis", 2));
    assertEquals(List.of("[a]"), bytes("a\\\u0095", TABS, "gbk", 2));
    // in what follows the fields they need not be whole
    assertEquals(
        List.of("[a] cut", "[b] cut", "[c]"),
        bytes("a\tx\u0095\nb\t\u0095\\x\nc\n", TABS, "sjis", 1));
    assertEquals(List.of("[a] cut", "[b]"), bytes("a\t\u00e2\nx\nb\n", TABS, "utf8mb4", 1));
    AlraiException refused =
        assertThrows(AlraiException.class, () -> bytes("\\\u00c3\\n\n", TABS, "utf8mb4", 1));
    assertEquals(1300, refused.errno());
  }

  @Test
  void rowsOfFieldsAreSkippedWhereLinesHaveNoEnd() {
    byte[] file = "1,2,3,4,5,6".getBytes(StandardCharsets.UTF_8);
    LineScanner fields =
        new LineScanner(new ByteArrayInputStream(file), format(",", "", "\\", "", ""), "latin1", 2);
    assertTrue(fields.skip());
    assertEquals(List.of("[3][4]", "[5][6]"), lines(fields, ISO_8859_1));
    LineScanner same =
        new LineScanner(
            new ByteArrayInputStream(file), format(",", "", "\\", "", ","), "latin1", 2);
    assertTrue(same.skip());
    assertEquals(List.of("[1][2]", "[3][4]", "[5][6]"), lines(same, ISO_8859_1));
  }

  /** A file without the ends of lines that it should have. */
  private static InputStream endless(long length) {
    return new InputStream() {
      private long left = length;

      @Override
      public int read() {
        return left-- > 0 ? 'x' : -1;
      }

      @Override
      public int read(byte[] into, int offset, int most) {
        int count = (int) Math.min(most, left);
        Arrays.fill(into, offset, offset + count, (byte) 'x');
        left -= count;
        return count == 0 ? -1 : count;
      }
    };
  }

  @Test
  void aLineWithoutEndIsSkippedWithoutBeingKeptAndIsNoRow() {
    FileMarks tabs = format("\t", "", "\\", "", "\n");
    assertFalse(new LineScanner(endless((2L << 30) + 9), tabs, "utf8mb4", 2).skip());
    AlraiException refused =
        assertThrows(
            AlraiException.class,
            () -> new LineScanner(endless(3L << 30), tabs, "utf8mb4", 2).next());
    assertTrue(refused.is(ErrorCode.ER_NET_PACKET_TOO_LARGE), refused.sentence());
  }
}
