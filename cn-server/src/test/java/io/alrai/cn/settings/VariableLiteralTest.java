package io.alrai.cn.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class VariableLiteralTest {
  private static String literal(MysqlType type, int flags, String value) {
    return VariableLiteral.of(
        ColumnDefinition.expression("x", type, 255, 20, flags, 0),
        value.getBytes(StandardCharsets.UTF_8),
        "utf8mb4",
        "utf8mb4_0900_ai_ci");
  }

  @Test
  void numbersKeepTheirTypes() {
    assertEquals("-5", literal(MysqlType.INT, 0, "-5"));
    assertEquals("CAST(5 AS UNSIGNED)", literal(MysqlType.BIGINT, ColumnDefinition.UNSIGNED, "5"));
    assertEquals("1.50", literal(MysqlType.DECIMAL, 0, "1.50"));
    assertEquals("7.", literal(MysqlType.DECIMAL, 0, "7"));
    assertEquals("1000e0", literal(MysqlType.DOUBLE, 0, "1000"));
    assertEquals("1e100", literal(MysqlType.DOUBLE, 0, "1e100"));
    assertEquals("CAST(65 AS UNSIGNED)", literal(MysqlType.BIT, ColumnDefinition.UNSIGNED, "A"));
  }

  @Test
  void stringsKeepTheirCollationWhateverTheSessionsSettings() {
    assertEquals(
        "_utf8mb4 x'6127' COLLATE utf8mb4_0900_ai_ci", literal(MysqlType.VARCHAR, 0, "a'"));
    assertEquals("_utf8mb4 x'3230'", literal(MysqlType.DATE, ColumnDefinition.BINARY, "20"));
    assertEquals(
        "x'00ff'",
        VariableLiteral.of(
            ColumnDefinition.expression("x", MysqlType.BLOB, 63, 2, 0, 0),
            new byte[] {0, (byte) 0xff},
            "binary",
            "binary"));
  }
}
