package io.alrai.cn.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Lenenc;
import io.alrai.executor.operator.Row;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotsBesideTest {
  private static final int UTF8 = 255;

  /** How a value of a query stands in an expression. */
  private static String sql(MysqlType type, int charset, String value) {
    ByteBuf payload = Unpooled.buffer();
    Lenenc.writeBytes(payload, value.getBytes(StandardCharsets.UTF_8));
    byte[] bytes = ByteBufUtil.getBytes(payload);
    Row row = new Row(1);
    row.set(bytes, 0, bytes.length);
    List<ColumnDefinition> columns =
        List.of(ColumnDefinition.expression("c", type, charset, 20, 0, 0));
    RowSlots statement = new RowSlots(columns, row);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new SlotsBeside(statement, 1, columns, row, 0, new LiteralText(false, true)).appendSql(1, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void bytesAreNoNumber() {
    assertEquals("_binary X'3132'", sql(MysqlType.VARCHAR, ColumnDefinition.BINARY_CHARSET, "12"));
    assertEquals("_binary X'3132'", sql(MysqlType.BLOB, ColumnDefinition.BINARY_CHARSET, "12"));
    assertEquals("X'3132'", sql(MysqlType.BIT, ColumnDefinition.BINARY_CHARSET, "12"));
    assertEquals("'12'", sql(MysqlType.VARCHAR, UTF8, "12"));
  }

  @Test
  void datesAreNoTextsButThoseWithZeros() {
    assertEquals(
        "DATE'2024-02-29'", sql(MysqlType.DATE, ColumnDefinition.BINARY_CHARSET, "2024-02-29"));
    assertEquals(
        "'2024-00-00'", sql(MysqlType.DATE, ColumnDefinition.BINARY_CHARSET, "2024-00-00"));
  }
}
