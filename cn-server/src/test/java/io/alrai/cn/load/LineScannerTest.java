package io.alrai.cn.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.optimizer.api.AdminStatement.FileFormat;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines and fields, however the file's bytes come. What is expected is what MySQL 9.7 loads. */
final class LineScannerTest {
  private static final FileFormat TABS = format("\t", "", "\\", "", "\n");
  private static final FileFormat QUOTED = format(",", "\"", "\\", "", "\n");

  private static FileFormat format(
      String fields, String quote, String escape, String start, String end) {
    return new FileFormat("", fields, quote, false, escape, start, end, 0);
  }

  private static InputStream slow(byte[] bytes) {
    return new ByteArrayInputStream(bytes) {
      @Override
      public synchronized int read(byte[] into, int offset, int length) {
        return super.read(into, offset, 1);
      }
    };
  }

  private static List<String> lines(String file, FileFormat format, int fields) {
    byte[] bytes = file.getBytes(StandardCharsets.UTF_8);
    List<String> at = lines(new LineScanner(new ByteArrayInputStream(bytes), format, fields));
    assertEquals(at, lines(new LineScanner(slow(bytes), format, fields)));
    return at;
  }

  private static List<String> lines(LineScanner scanner) {
    List<String> lines = new ArrayList<>();
    while (scanner.next()) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < scanner.count(); i++) {
        byte[] value = scanner.value(i);
        line.append('[')
            .append(value == null ? "-" : new String(value, StandardCharsets.UTF_8))
            .append(']');
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
    assertEquals(List.of("[-][\\N]"), lines("NULL\t\\N", format("\t", "", "", "", "\n"), 2));
  }

  @Test
  void quotes() {
    assertEquals(List.of("[a\"b][c\nd]"), lines("\"a\"\"b\",\"c\nd\"\n", QUOTED, 2));
    assertEquals(List.of("[a\"b][c]"), lines("\"a\"b\",c\n", QUOTED, 2));
    assertEquals(List.of("[a\"\"b][\"un\n]"), lines("a\"\"b,\"un\n", QUOTED, 2));
    FileFormat doubled = format(",", "\"", "\"", "", "\n");
    assertEquals(List.of("[a\"b][c]"), lines("\"a\"\"b\",\"c\"\n", doubled, 2));
    // after the last field quotes mean nothing
    assertEquals(List.of("[a] cut", "[c\"]"), lines("a,\"b\nc\"\n", QUOTED, 1));
  }

  @Test
  void marksOfSeveralBytes() {
    FileFormat marks = format("||", "", "\\", ">>", "<>");
    assertEquals(
        List.of("[1][a|b]", "[2]", "[3][c]"),
        lines("junk>>1||a|b<>no>>2<>no>>3||c<>3||d", marks, 2));
    FileFormat one = format(",", "", "\\", "", ",");
    assertEquals(List.of("[1][a]", "[2][b]", "[3]"), lines("1,a,2,b,3", one, 2));
  }

  @Test
  void linesThatAreSkipped() {
    byte[] file = "\"a\nb\",1\nc,2\n".getBytes(StandardCharsets.UTF_8);
    LineScanner scanner = new LineScanner(new ByteArrayInputStream(file), QUOTED, 2);
    scanner.skip();
    assertEquals(List.of("[b\"][1]", "[c][2]"), lines(scanner));
  }

  @Test
  void rowsOfFieldsAreSkippedWhereLinesHaveNoEnd() {
    byte[] file = "1,2,3,4,5,6".getBytes(StandardCharsets.UTF_8);
    LineScanner fields =
        new LineScanner(new ByteArrayInputStream(file), format(",", "", "\\", "", ""), 2);
    assertTrue(fields.skip());
    assertEquals(List.of("[3][4]", "[5][6]"), lines(fields));
    LineScanner same =
        new LineScanner(new ByteArrayInputStream(file), format(",", "", "\\", "", ","), 2);
    assertTrue(same.skip());
    assertEquals(List.of("[1][2]", "[3][4]", "[5][6]"), lines(same));
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
    FileFormat tabs = format("\t", "", "\\", "", "\n");
    assertFalse(new LineScanner(endless(3L << 30), tabs, 2).skip());
    AlraiException refused =
        assertThrows(
            AlraiException.class, () -> new LineScanner(endless(3L << 30), tabs, 2).next());
    assertTrue(refused.is(ErrorCode.ER_NET_PACKET_TOO_LARGE), refused.sentence());
  }
}
