package io.alrai.dn.binlog;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.changelog.RowChange;
import io.alrai.common.changelog.RowImage;
import io.alrai.common.changelog.TableChanges;
import io.alrai.common.type.Collations;
import io.alrai.dn.link.KeyedTable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rows out of the log of a real mysqld, of every type, compared with what it selects. */
class TransactionRowsIT {
  private static final String MICROS = "TIMESTAMPDIFF(MICROSECOND,'1970-01-01',%s)";
  private static final String TIME_MICROS =
      "TIMESTAMPDIFF(MICROSECOND,'2000-01-01',ADDTIME(TIMESTAMP'2000-01-01 00:00:00',%s))";
  private static final String TEXT = "HEX(CONVERT(%s USING utf8mb4))";
  private static final BiFunction<RowImage, Integer, String> NUMBER =
      (row, i) -> Long.toString(row.number(i));
  private static final BiFunction<RowImage, Integer, String> BYTES =
      (row, i) -> HexFormat.of().withUpperCase().formatHex(row.bytes(i));

  /**
   * A column.
   *
   * @param select what the mysqld is asked to compare with
   * @param values its values in the rows, as literals; after them comes a row of NULLs
   */
  private record Column(
      String type, String select, BiFunction<RowImage, Integer, String> shown, String... values) {}

  private static Column number(String type, String... values) {
    return new Column(type, "%s", NUMBER, values);
  }

  private static Column text(String type, String... values) {
    return new Column(type, TEXT, BYTES, values);
  }

  private static Column bytes(String type, String... values) {
    return new Column(type, "HEX(%s)", BYTES, values);
  }

  private static Column decimal(int precision, int scale, String... values) {
    return new Column(
        "DECIMAL(" + precision + "," + scale + ")",
        "%s",
        (row, i) -> {
          BigInteger unscaled = BigInteger.valueOf(row.number(i));
          if (precision > 18) {
            byte[] wide = row.bytes(i).clone();
            for (int k = 0; k < 8; k++) {
              byte low = wide[k];
              wide[k] = wide[15 - k];
              wide[15 - k] = low;
            }
            unscaled = new BigInteger(wide);
          }
          return new BigDecimal(unscaled, scale).toPlainString();
        },
        values);
  }

  private static final List<Column> COLUMNS =
      List.of(
          number("TINYINT", "-128", "127"),
          number("YEAR", "1901", "2155"),
          number("TINYINT UNSIGNED", "0", "255"),
          number("SMALLINT", "-32768", "32767"),
          number("SMALLINT UNSIGNED", "0", "65535"),
          number("MEDIUMINT", "-8388608", "8388607"),
          number("MEDIUMINT UNSIGNED", "0", "16777215"),
          number("INT", "-2147483648", "2147483647"),
          number("INT UNSIGNED", "0", "4294967295"),
          number("BIGINT", "-9223372036854775808", "9223372036854775807"),
          new Column(
              "BIGINT UNSIGNED",
              "%s",
              (row, i) -> Long.toUnsignedString(row.number(i)),
              "0",
              "18446744073709551615"),
          decimal(5, 2, "-999.99", "0.01"),
          decimal(18, 0, "-999999999999999999", "999999999999999999"),
          decimal(18, 18, "-0.000000000000000001", "0.999999999999999999"),
          decimal(30, 10, "-99999999999999999999.9999999999", "12345678901234567890.0000000001"),
          decimal(38, 0, "-99999999999999999999999999999999999999", "7"),
          new Column(
              "FLOAT",
              "CAST(%s AS DOUBLE)",
              (row, i) ->
                  BigDecimal.valueOf(Float.intBitsToFloat((int) row.number(i)))
                      .stripTrailingZeros()
                      .toPlainString(),
              "-1.5",
              "0.25"),
          new Column(
              "DOUBLE",
              "%s",
              (row, i) ->
                  BigDecimal.valueOf(Double.longBitsToDouble(row.number(i)))
                      .stripTrailingZeros()
                      .toPlainString(),
              "-1234.56789",
              "0.1"),
          new Column("DATE", "TO_DAYS(%s)-719528", NUMBER, "'1000-01-01'", "'9999-12-31'"),
          new Column("DATETIME", MICROS, NUMBER, "'1000-01-01 00:00:00'", "'9999-12-31 23:59:59'"),
          new Column(
              "DATETIME(3)",
              MICROS,
              NUMBER,
              "'1969-12-31 23:59:59.999'",
              "'2024-02-29 12:13:14.5'"),
          new Column(
              "DATETIME(6)",
              MICROS,
              NUMBER,
              "'1970-01-01 00:00:00.000001'",
              "'2024-02-29 01:02:03.4'"),
          new Column(
              "TIMESTAMP(4)",
              MICROS,
              NUMBER,
              "'1970-01-01 00:00:01.2345'",
              "'2038-01-19 03:14:07.9'"),
          new Column("TIMESTAMP", MICROS, NUMBER, "'1999-12-31 23:59:59'", "'2000-01-01 00:00:00'"),
          new Column("TIME", TIME_MICROS, NUMBER, "'-838:59:59'", "'838:59:59'"),
          new Column("TIME(2)", TIME_MICROS, NUMBER, "'-00:00:00.01'", "'10:11:12.99'"),
          new Column("TIME(6)", TIME_MICROS, NUMBER, "'-12:13:14.000001'", "'00:00:00.000001'"),
          text("CHAR(10) CHARACTER SET utf8mb4", "'a'", "_utf8mb4 0xF09F9880C3A9"),
          text("VARCHAR(300) CHARACTER SET latin1", "_latin1 0x80E98192", "REPEAT('x',299)"),
          text("CHAR(255) CHARACTER SET utf8mb4", "REPEAT(_utf8mb4 0xC3A9,255)", "''"),
          text("VARCHAR(20) CHARACTER SET utf16", "_utf8mb4 0xF09F9880C3A9", "'b'"),
          text("VARCHAR(20) CHARACTER SET gbk", "_utf8mb4 0xE4B8ADE69687", "'b'"),
          text("VARCHAR(20) CHARACTER SET cp1251 COLLATE cp1251_bin", "_utf8mb4 0xD0B4", "''"),
          text("TEXT CHARACTER SET utf8mb3", "_utf8mb4 0xC3A4", "REPEAT('y',70000 DIV 2)"),
          text("LONGTEXT CHARACTER SET utf8mb4", "REPEAT('z',70000)", "''"),
          bytes("BINARY(5)", "0x0100", "0x0102030405"),
          bytes("VARBINARY(300)", "0x00FF00", "''"),
          bytes("TINYBLOB", "0x00", "''"),
          bytes("MEDIUMBLOB", "REPEAT(0x01,300)", "0xFE"),
          new Column("BIT(1)", "%s+0", NUMBER, "b'0'", "b'1'"),
          new Column(
              "BIT(37)", "%s+0", NUMBER, "b'1010'", "b'1000000000000000000000000000000000001'"),
          new Column("ENUM('a','b','c')", "%s+0", NUMBER, "'c'", "'a'"),
          new Column("SET('a','b','c','d','e','f','g','h','i')", "%s+0", NUMBER, "'a,i'", "''"),
          new Column("GEOMETRY", "HEX(%s)", BYTES, "ST_GeomFromText('POINT(1 2)')", "NULL"),
          text(
              "JSON",
              "'{\"b\": [1, -70000, 5000000000, true, null, \"q\\\\\"\\\\n\\\\u0001\"], \"a\": {}}'",
              "JSON_ARRAY(CAST(1.50 AS DECIMAL(10,2)), 1e20, 0.5, 3e0, -1.25e-30, 18446744073709551615,"
                  + " DATE'2020-02-29', TIME'-01:02:03.5', TIMESTAMP'2020-02-29 01:02:03',"
                  + " 0xFF00, 123456789012345680.0e0, 40000, 3000000000)"),
          text("JSON", "CONCAT('[\"', REPEAT('x',70000), '\", 70000, {\"k\": 1}]')", "'\"s\"'"),
          number("INT UNSIGNED", "4294967295", "1"));

  @TempDir Path temporary;
  private final HandGate gate = new HandGate();
  private StreamedServer server;
  private TransactionRows rows;

  @BeforeEach
  void start() throws Exception {
    server = new StreamedServer(temporary.resolve("dn-1"), gate);
    server.attach();
    gate.open();
    server.query("CREATE DATABASE d");
    List<Collations.Collation> collations = new ArrayList<>();
    for (List<String> row :
        server.query(
            "SELECT ID, COLLATION_NAME, CHARACTER_SET_NAME FROM information_schema.COLLATIONS")) {
      collations.add(
          new Collations.Collation(
              Integer.parseInt(row.get(0)), row.get(1), row.get(2), false, false));
    }
    rows = new TransactionRows(new Collations(collations), table -> table.table().equals("t"));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
  }

  private List<TableChanges> last() {
    return rows.decode(gate.passed().getLast());
  }

  private static String list(java.util.function.IntFunction<String> each) {
    return java.util.stream.IntStream.range(0, COLUMNS.size())
        .mapToObj(each)
        .collect(Collectors.joining(","));
  }

  /** The columns of a row as the mysqld says, and as the log says. */
  private void assertSame(int id, RowImage row) throws Exception {
    String asked = list(i -> "IFNULL(" + COLUMNS.get(i).select().formatted("c" + i) + ",'NULL')");
    List<String> expected =
        server
            .query("SET time_zone='+00:00';SELECT " + asked + " FROM d.t WHERE id=" + id)
            .getFirst();
    assertEquals(id, row.number(0));
    for (int i = 0; i < COLUMNS.size(); i++) {
      String shown = row.isNull(i + 1) ? "NULL" : COLUMNS.get(i).shown().apply(row, i + 1);
      assertEquals(expected.get(i), shown, COLUMNS.get(i).type() + " of row " + id);
    }
  }

  @Test
  void everyTypeComesAsItIsSelected() throws Exception {
    server.query(
        "CREATE TABLE d.t (id INT PRIMARY KEY,"
            + list(i -> "c" + i + " " + COLUMNS.get(i).type() + " NULL")
            + ")");
    String insert =
        "SET time_zone='+00:00';INSERT INTO d.t VALUES (1,"
            + list(i -> COLUMNS.get(i).values()[0])
            + "),(2,"
            + list(i -> COLUMNS.get(i).values()[1])
            + "),(3,"
            + list(i -> "NULL")
            + ")";
    server.query(insert);
    List<TableChanges> changes = last();
    assertEquals(1, changes.size());
    assertEquals("d.t", changes.getFirst().schema() + "." + changes.getFirst().table());
    List<RowImage> images = new ArrayList<>();
    for (RowChange change : changes.getFirst().changes()) {
      images.add(((RowChange.Insert) change).after());
    }
    assertEquals(3, images.size());
    for (int id = 1; id <= 3; id++) {
      assertSame(id, images.get(id - 1));
    }
    server.query("UPDATE d.t SET c0=5, c1=NULL WHERE id=2");
    RowChange.Update update = (RowChange.Update) last().getFirst().changes().getFirst();
    assertEquals(images.get(1), update.before());
    assertSame(2, update.after());
    server.query("DELETE FROM d.t WHERE id=1");
    assertEquals(List.of(new RowChange.Delete(images.get(0))), last().getFirst().changes());
  }

  /** The key comes after fields of every type, which must be skipped. */
  @Test
  void keysAreFoundBehindFieldsOfEveryType() throws Exception {
    server.query(
        "CREATE TABLE d.u ("
            + list(i -> "c" + i + " " + COLUMNS.get(i).type() + " NULL")
            + ", `K` BIGINT, id SMALLINT UNSIGNED, PRIMARY KEY (id, `K`))");
    KeyedTable keyed = new KeyedTable("d", "u", List.of("id", "K"));
    RowKeys keys =
        new RowKeys(name -> name.table().equals("u") ? List.of(keyed) : List.<KeyedTable>of());
    server.query(
        "SET time_zone='+00:00';INSERT INTO d.u VALUES ("
            + list(i -> COLUMNS.get(i).values()[0])
            + ",-1,60000),("
            + list(i -> COLUMNS.get(i).values()[1])
            + ",9223372036854775807,2),("
            + list(i -> "NULL")
            + ",5,3)");
    assertArrayEquals(
        new long[] {row(keyed, 60_000, -1), row(keyed, 2, Long.MAX_VALUE), row(keyed, 3, 5)},
        keys.read(gate.passed().getLast()));
    server.query("UPDATE d.u SET id=4 WHERE id=3");
    assertArrayEquals(
        new long[] {row(keyed, 3, 5), row(keyed, 4, 5)}, keys.read(gate.passed().getLast()));
    server.query("DELETE FROM d.u WHERE id=60000");
    assertArrayEquals(new long[] {row(keyed, 60_000, -1)}, keys.read(gate.passed().getLast()));
    server.query("ALTER TABLE d.u RENAME COLUMN `K` TO l");
    server.query("DELETE FROM d.u WHERE id=4");
    BinlogTransaction renamed = gate.passed().getLast();
    assertThrows(BinlogException.class, () -> keys.read(renamed));
  }

  private static long row(KeyedTable table, long... values) {
    long row = table.rowHash();
    for (long value : values) {
      row = KeyedTable.rowHash(row, value);
    }
    return row;
  }

  @Test
  void tablesThatNobodyFollowsAreLeftOut() throws Exception {
    server.query("CREATE TABLE d.t (id INT PRIMARY KEY);CREATE TABLE d.u (id INT PRIMARY KEY)");
    server.query(
        "BEGIN;INSERT INTO d.t VALUES (1);INSERT INTO d.u VALUES (2);"
            + "INSERT INTO d.t VALUES (3);COMMIT");
    List<TableChanges> changes = last();
    assertEquals(1, changes.size());
    assertEquals(
        List.of(1L, 3L),
        changes.getFirst().changes().stream()
            .map(change -> ((RowChange.Insert) change).after().number(0))
            .toList());
  }

  @Test
  void whatNoCalendarHasIsRefusedByName() throws Exception {
    server.query("CREATE TABLE d.t (id INT PRIMARY KEY, day DATE)");
    server.query("SET sql_mode='';INSERT INTO d.t VALUES (1,'2024-00-00')");
    BinlogException e = assertThrows(BinlogException.class, this::last);
    assertTrue(e.getMessage().contains("d.t.day"), e.getMessage());
    assertTrue(e.getMessage().contains("2024-00-00"), e.getMessage());
  }
}
