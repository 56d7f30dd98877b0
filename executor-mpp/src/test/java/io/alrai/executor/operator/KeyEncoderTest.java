package io.alrai.executor.operator;

import static io.alrai.executor.operator.ListRows.column;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import io.alrai.common.type.AsciiWeights;
import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.MergePlan.RowKey;
import io.alrai.executor.fragment.MergePlan.SortKey;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class KeyEncoderTest {
  @Test
  void signedIntegers() {
    ascending(
        column("c", MysqlType.BIGINT),
        null,
        "-9223372036854775808",
        "-10",
        "-9",
        "-1",
        "0",
        "1",
        "9",
        "10",
        "9223372036854775807");
    equal(column("c", MysqlType.INT), "7", "0000000007");
  }

  @Test
  void unsignedIntegers() {
    ascending(
        column("c", MysqlType.BIGINT, 0, ColumnDefinition.UNSIGNED),
        null,
        "0",
        "9",
        "10",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615");
  }

  @Test
  void years() {
    ascending(
        column("c", MysqlType.YEAR, 0, ColumnDefinition.UNSIGNED), null, "0000", "1901", "2155");
  }

  @Test
  void decimals() {
    ascending(
        column("c", MysqlType.DECIMAL, 30, 0),
        null,
        "-99999999999999999999999999999999999.5",
        "-1000.0",
        "-999.9",
        "-10",
        "-9.99",
        "-1.1",
        "-1",
        "-0.11",
        "-0.1",
        "-0.011",
        "-0.0000000000000000000000000001",
        "0.00",
        "0.0000000000000000000000000001",
        "0.011",
        "0.1",
        "0.11",
        "1",
        "1.01",
        "1.1",
        "9.99",
        "10",
        "10.01",
        "999.9",
        "1000.0",
        "99999999999999999999999999999999999.5");
    equal(column("c", MysqlType.DECIMAL), "0", "0.00", "-0.00", "-0", "000.0");
    equal(column("c", MysqlType.DECIMAL), "120", "120.0", "0120.000");
    equal(column("c", MysqlType.DECIMAL), "-0.5", "-0.500", "-00.50");
  }

  @Test
  void floatingPoint() {
    ascending(
        column("c", MysqlType.DOUBLE, 31, 0),
        null,
        "-1.7976931348623157e308",
        "-1e15",
        "-2",
        "-1.5",
        "-2.2250738585072014e-308",
        "0",
        "1e-16",
        "0.1",
        "3",
        "20",
        "1e15",
        "1.7976931348623157e308");
    equal(column("c", MysqlType.FLOAT, 31, 0), "0", "-0", "0.0");
  }

  @Test
  void times() {
    ascending(
        column("c", MysqlType.TIME, 6, 0),
        null,
        "-838:59:59.000000",
        "-100:00:00",
        "-99:59:59.5",
        "-00:00:00.000001",
        "00:00:00",
        "00:00:00.100000",
        "00:00:01",
        "00:01:00",
        "23:59:59",
        "99:59:59.999999",
        "100:00:00",
        "838:59:59.000000");
    equal(column("c", MysqlType.TIME), "01:02:03", "01:02:03.000");
  }

  @Test
  void datesAndBytes() {
    ascending(
        column("c", MysqlType.DATE), null, "0000-00-00", "1999-12-31", "2000-01-01", "9999-12-31");
    ascending(
        column("c", MysqlType.DATETIME, 6, 0),
        null,
        "2000-01-01 00:00:00.000000",
        "2000-01-01 00:00:00.000001",
        "2000-01-01 00:00:01.000000");
    ascending(column("c", MysqlType.BIT), null, "\u0000\u0001", "\u0001\u0000", "\u00ff\u0000");
    ascending(
        column("c", MysqlType.VARCHAR),
        null,
        "",
        "\u0000",
        "\u0000\u0000",
        "\u0000\u0001",
        "a",
        "a\u0000",
        "a\u0000b",
        "a\u0001",
        "aa",
        "b",
        "\u00ff",
        "\u00ff\u00ff");
  }

  @Test
  void weightsDecideWhereThereAreAny() {
    List<ColumnDefinition> columns =
        List.of(column("c", MysqlType.VARCHAR), column("w", MysqlType.VARCHAR));
    KeyEncoder encoder = KeyEncoder.ofKeys(columns, List.of(new RowKey(0, 1)));
    assertArrayEquals(key(encoder, columns, "a", "W"), key(encoder, columns, "A", "W"));
    assertEquals(
        -1,
        Integer.signum(
            Arrays.compareUnsigned(
                key(encoder, columns, "z", "V"), key(encoder, columns, "a", "W"))));
  }

  @Test
  void weightsOfAsciiValuesAreMadeWhereTheyWereLeftOut() {
    byte[][] table = new byte[128][];
    Arrays.setAll(table, c -> c == '-' ? new byte[0] : new byte[] {0, (byte) (c & 0xdf)});
    RowKey told = new RowKey(0, 1, Optional.of(new AsciiWeights(table)));
    List<ColumnDefinition> columns =
        List.of(column("c", MysqlType.VARCHAR), column("w", MysqlType.VARCHAR));
    KeyEncoder encoder = KeyEncoder.ofKeys(columns, List.of(told));
    byte[] expected = key(encoder, columns, "\u00e4b", "\u0000A\u0000B");
    assertArrayEquals(expected, key(encoder, columns, "aB", null));
    assertArrayEquals(expected, key(encoder, columns, "a-b", null));
    assertArrayEquals(key(encoder, columns, "x", ""), key(encoder, columns, "", null));
    assertArrayEquals(new byte[] {0}, key(encoder, columns, null, null));
  }

  @Test
  void weightsOfWhatIsNoStringDoNotCount() {
    List<ColumnDefinition> columns =
        List.of(column("c", MysqlType.BIGINT), column("w", MysqlType.VARCHAR));
    KeyEncoder encoder = KeyEncoder.ofKeys(columns, List.of(new RowKey(0, 1)));
    assertEquals(
        -1,
        Integer.signum(
            Arrays.compareUnsigned(
                key(encoder, columns, "9", null), key(encoder, columns, "10", null))));
  }

  @Test
  void severalKeysInTheirDirections() {
    List<ColumnDefinition> columns =
        List.of(column("a", MysqlType.VARCHAR), column("b", MysqlType.INT));
    KeyEncoder encoder =
        KeyEncoder.ofSort(
            columns,
            List.of(new SortKey(new RowKey(0, -1), true), new SortKey(new RowKey(1, -1), false)));
    String[][] order = {
      {"b", "1"},
      {"ab", "1"},
      {"a\u0000", "0"},
      {"a", null},
      {"a", "-5"},
      {"a", "3"},
      {"", "9"},
      {null, "1"},
      {null, "2"}
    };
    for (int i = 1; i < order.length; i++) {
      byte[] before = key(encoder, columns, order[i - 1]);
      byte[] after = key(encoder, columns, order[i]);
      assertEquals(-1, Integer.signum(Arrays.compareUnsigned(before, after)), "at " + i);
    }
  }

  @Test
  void textThatIsNoNumberIsAnError() {
    List<ColumnDefinition> columns = List.of(column("c", MysqlType.INT));
    KeyEncoder encoder = KeyEncoder.ofKeys(columns, List.of(new RowKey(0, -1)));
    assertThrows(AlraiException.class, () -> key(encoder, columns, "1x"));
  }

  @Test
  void headsAreTheBeginningsOfKeysHoweverTheyCameToBe() {
    byte[][] table = new byte[128][];
    Arrays.setAll(
        table, c -> c == '-' ? new byte[0] : c == 'w' ? new byte[] {7, 7, 7} : new byte[] {0, 9});
    List<ColumnDefinition> columns =
        List.of(
            column("c", MysqlType.VARCHAR),
            column("w", MysqlType.VARCHAR),
            column("n", MysqlType.BIGINT));
    for (boolean descending : new boolean[] {false, true}) {
      KeyEncoder encoder =
          KeyEncoder.ofSort(
              columns,
              List.of(
                  new SortKey(new RowKey(0, 1, Optional.of(new AsciiWeights(table))), descending),
                  new SortKey(new RowKey(2, -1), false)));
      for (int length = 0; length < 40; length++) {
        for (String unit : List.of("x", "w", "-", "x-w")) {
          headOf(encoder, columns, unit.repeat(length), null, "5");
          headOf(encoder, columns, "\u00e4", unit.repeat(length), "5");
        }
      }
      headOf(encoder, columns, null, null, null);
    }
  }

  private static void headOf(
      KeyEncoder encoder, List<ColumnDefinition> columns, @Nullable String... values) {
    byte[] whole = key(encoder, columns, values);
    ListRows rows = new ListRows(columns).add(values);
    rows.advance();
    GrowingBytes head = new GrowingBytes(1);
    boolean all = encoder.encodeHead(rows.row(), head);
    assertEquals(whole.length < KeyEncoder.HEAD_BYTES, all);
    assertArrayEquals(
        Arrays.copyOf(whole, Math.min(whole.length, KeyEncoder.HEAD_BYTES)), head.copy());
  }

  private static void ascending(ColumnDefinition column, @Nullable String... values) {
    List<ColumnDefinition> columns = List.of(column);
    for (boolean descending : new boolean[] {false, true}) {
      KeyEncoder encoder =
          KeyEncoder.ofSort(columns, List.of(new SortKey(new RowKey(0, -1), descending)));
      for (int i = 1; i < values.length; i++) {
        int order =
            Arrays.compareUnsigned(
                key(encoder, columns, values[i - 1]), key(encoder, columns, values[i]));
        assertEquals(
            descending ? 1 : -1, Integer.signum(order), values[i - 1] + " before " + values[i]);
      }
    }
  }

  private static void equal(ColumnDefinition column, String... values) {
    List<ColumnDefinition> columns = List.of(column);
    KeyEncoder encoder = KeyEncoder.ofKeys(columns, List.of(new RowKey(0, -1)));
    for (String value : values) {
      assertArrayEquals(key(encoder, columns, values[0]), key(encoder, columns, value), value);
    }
  }

  private static byte[] key(
      KeyEncoder encoder, List<ColumnDefinition> columns, @Nullable String... values) {
    ListRows rows = new ListRows(columns).add(values);
    rows.advance();
    GrowingBytes out = new GrowingBytes(1);
    encoder.encode(rows.row(), out);
    return out.copy();
  }
}
