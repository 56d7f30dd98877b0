package io.alrai.executor.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextNumbersTest {
  private static ColumnDefinition column(MysqlType type, int flags, int length, int decimals) {
    return ColumnDefinition.expression("c", type, 63, length, flags, decimals);
  }

  private static String value(RowSource rows, int column) {
    return new String(rows.row().value(column), StandardCharsets.US_ASCII);
  }

  @Test
  void numbersAreAsAMysqldWritesThem() {
    List<ColumnDefinition> columns =
        List.of(
            column(MysqlType.FLOAT, 0, 12, 31),
            column(MysqlType.VARCHAR, 0, 10, 31),
            column(MysqlType.DOUBLE, ColumnDefinition.ZEROFILL, 12, 2),
            column(MysqlType.INT, ColumnDefinition.ZEROFILL, 6, 0),
            column(MysqlType.DOUBLE, 0, 22, 31),
            column(MysqlType.FLOAT, 0, 12, 31));
    RowSource rows =
        TextNumbers.of(new ListRows(columns).add("16777216", "7", "12345678", "7", "0.1", null));
    assertEquals(columns, rows.columns());
    assertTrue(rows.advance());
    assertEquals("16777200", value(rows, 0));
    assertEquals("7", value(rows, 1));
    assertEquals("012345678.00", value(rows, 2));
    assertEquals("000007", value(rows, 3));
    assertEquals("0.1", value(rows, 4));
    assertTrue(rows.row().isNull(5));
    assertFalse(rows.advance());
  }

  @Test
  void rowsWithoutSuchNumbersStayWhatTheyAre() {
    RowSource rows = new ListRows(List.of(column(MysqlType.BIGINT, 0, 20, 0))).add("1");
    assertSame(rows, TextNumbers.of(rows));
  }
}
