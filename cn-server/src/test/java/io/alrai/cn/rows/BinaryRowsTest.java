package io.alrai.cn.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Lenenc;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BinaryRowsTest {
  private static final int UNSIGNED = 0x20;

  private static ColumnDefinition column(MysqlType type, int flags, int decimals) {
    return ColumnDefinition.expression("c", type, 45, 20, flags, decimals);
  }

  private static byte[] textRow(String... values) {
    ByteBuf out = Unpooled.buffer();
    for (String value : values) {
      if (value.equals("NULL")) {
        out.writeByte(0xfb);
      } else {
        Lenenc.writeBytes(out, value.getBytes(StandardCharsets.UTF_8));
      }
    }
    return ByteBufUtil.getBytes(out);
  }

  private static void isKept(MysqlType type, int flags, int decimals, String... values) {
    ColumnDefinition column = column(type, flags, decimals);
    for (String value : values) {
      byte[] text = textRow(value);
      byte[] binary = BinaryRows.encode(List.of(column), text);
      assertArrayEquals(text, BinaryRows.decode(List.of(column), binary), type + " " + value);
    }
  }

  @Test
  void valuesComeBackAsTheyWere() {
    isKept(MysqlType.TINYINT, 0, 0, "-128", "0", "127");
    isKept(MysqlType.TINYINT, UNSIGNED, 0, "255");
    isKept(MysqlType.SMALLINT, 0, 0, "-32768", "32767");
    isKept(MysqlType.SMALLINT, UNSIGNED, 0, "65535");
    isKept(MysqlType.YEAR, UNSIGNED, 0, "0000", "1901", "2155");
    isKept(MysqlType.MEDIUMINT, 0, 0, "-8388608", "8388607");
    isKept(MysqlType.INT, 0, 0, "-2147483648", "2147483647");
    isKept(MysqlType.INT, UNSIGNED, 0, "4294967295");
    isKept(MysqlType.BIGINT, 0, 0, "-9223372036854775808", "9223372036854775807");
    isKept(MysqlType.BIGINT, UNSIGNED, 0, "18446744073709551615");
    isKept(MysqlType.DECIMAL, 0, 2, "-0.10", "12345678901234567890.12");
    isKept(MysqlType.DATE, 0, 0, "0000-00-00", "2026-11-21", "9999-12-31");
    isKept(MysqlType.DATE, 0, 0, "65535-200-255");
    isKept(MysqlType.DATETIME, 0, 0, "0000-00-00 00:00:00", "2026-11-21 00:00:00");
    isKept(MysqlType.DATETIME, 0, 0, "65535-255-200 255:200:100");
    isKept(MysqlType.TIMESTAMP, 0, 3, "2026-11-21 23:59:59.120", "2026-11-21 23:59:59.000");
    isKept(MysqlType.TIME, 0, 0, "00:00:00", "-838:59:59", "24:00:01");
    isKept(MysqlType.TIME, 0, 6, "00:00:00.000001", "-00:00:01.500000");
    isKept(MysqlType.VARCHAR, 0, 0, "", "ärger", "x".repeat(70_000));
    isKept(MysqlType.JSON, 0, 0, "{\"a\": 1}");
  }

  @Test
  void floatingPointComesBackAsTheSameNumber() {
    for (double number : new double[] {0, -0.1, 1e300, 5e-324, 123456789.125}) {
      byte[] bits =
          BinaryRows.encode(
              List.of(column(MysqlType.DOUBLE, 0, 31)), textRow(Double.toString(number)));
      byte[] text = BinaryRows.decode(List.of(column(MysqlType.DOUBLE, 0, 31)), bits);
      assertArrayEquals(bits, BinaryRows.encode(List.of(column(MysqlType.DOUBLE, 0, 31)), text));
      assertEquals(
          number,
          Double.parseDouble(new String(text, 1, text.length - 1, StandardCharsets.US_ASCII)));
    }
  }

  @Test
  void nullsAreMarkedAtTheirPlace() {
    List<ColumnDefinition> columns = new ArrayList<>();
    String[] values = new String[19];
    for (int i = 0; i < values.length; i++) {
      columns.add(column(i % 2 == 0 ? MysqlType.INT : MysqlType.VARCHAR, 0, 0));
      values[i] = i % 3 == 0 ? "NULL" : Integer.toString(i);
    }
    byte[] text = textRow(values);
    assertArrayEquals(text, BinaryRows.decode(columns, BinaryRows.encode(columns, text)));
  }

  @Test
  void stringsStandBehindAHeadAsTheyAre() {
    List<ColumnDefinition> columns = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      columns.add(column(i % 2 == 0 ? MysqlType.VARCHAR : MysqlType.DECIMAL, 0, 0));
    }
    String[] values = {"", "1.5", "x".repeat(250), "2", "y".repeat(251), "3", "ä", "4", "z"};
    values[8] = "z".repeat(70_000);
    byte[] text = textRow(values);
    byte[] binary = new byte[3 + text.length];
    System.arraycopy(text, 0, binary, 3, text.length);
    assertArrayEquals(binary, BinaryRows.encode(columns, text));
    assertArrayEquals(text, BinaryRows.decode(columns, binary));
    for (int i = 0; i < values.length; i++) {
      String[] some = values.clone();
      some[i] = "NULL";
      byte[] row = textRow(some);
      byte[] encoded = BinaryRows.encode(columns, row);
      assertEquals(1 << (i + 2) % 8, encoded[1 + (i + 2) / 8] & 0xff);
      assertEquals(3 + row.length - 1, encoded.length);
      assertArrayEquals(row, BinaryRows.decode(columns, encoded));
    }
  }
}
