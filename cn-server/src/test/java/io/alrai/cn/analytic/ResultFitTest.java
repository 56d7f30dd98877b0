package io.alrai.cn.analytic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.type.Collations;
import io.alrai.common.type.Collations.Collation;
import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.executor.fragment.ValueType;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultFitTest {
  private static final int UTF8MB4 = 255;
  private static final int LATIN1 = 8;
  private static final int ZEROFILL = 64;
  private static final ValueType TEXT = ValueType.string(5, TextCollation.UTF8MB4_0900_AI_CI, true);

  private final ResultFit fit =
      new ResultFit(
          new Collations(
              List.of(
                  new Collation(UTF8MB4, "utf8mb4_0900_ai_ci", "utf8mb4", true, false),
                  new Collation(LATIN1, "latin1_swedish_ci", "latin1", true, true))));

  private boolean fits(ValueType value, MysqlType type, int charset, int flags, int decimals) {
    return fit.fits(
        List.of(ColumnDefinition.expression("c", type, charset, 10, flags, decimals)),
        List.of(value));
  }

  @Test
  void numbersFitWithTheirScaleAndSign() {
    assertEquals(true, fits(ValueType.bigint(true), MysqlType.INT, 63, 0, 0));
    assertEquals(true, fits(ValueType.bigint(true), MysqlType.BIGINT, 63, 0, 0));
    assertEquals(
        false, fits(ValueType.bigint(true), MysqlType.BIGINT, 63, ColumnDefinition.UNSIGNED, 0));
    assertEquals(
        true, fits(ValueType.unsigned(true), MysqlType.BIGINT, 63, ColumnDefinition.UNSIGNED, 0));
    assertEquals(true, fits(ValueType.decimal(12, 2, true), MysqlType.DECIMAL, 63, 0, 2));
    assertEquals(false, fits(ValueType.decimal(12, 2, true), MysqlType.DECIMAL, 63, 0, 6));
    assertEquals(false, fits(ValueType.bigint(true), MysqlType.DECIMAL, 63, 0, 0));
    assertEquals(true, fits(ValueType.floating(true), MysqlType.DOUBLE, 63, 0, 31));
    assertEquals(false, fits(ValueType.floating(true), MysqlType.DOUBLE, 63, 0, 2));
    assertEquals(false, fits(ValueType.bigint(true), MysqlType.INT, 63, ZEROFILL, 0));
  }

  @Test
  void textsFitInTheCharacterSetThatTheyAreIn() {
    assertEquals(true, fits(TEXT, MysqlType.VARCHAR, UTF8MB4, 0, 0));
    assertEquals(false, fits(TEXT, MysqlType.VARCHAR, LATIN1, 0, 0));
    assertEquals(false, fits(TEXT, MysqlType.CHAR, UTF8MB4, ColumnDefinition.ENUM, 0));
    assertEquals(false, fits(TEXT, MysqlType.JSON, UTF8MB4, 0, 0));
  }

  @Test
  void momentsFitWithTheirDigits() {
    assertEquals(true, fits(ValueType.datetime(3, true), MysqlType.DATETIME, 63, 0, 3));
    assertEquals(false, fits(ValueType.datetime(0, true), MysqlType.DATETIME, 63, 0, 6));
    assertEquals(false, fits(ValueType.datetime(0, true), MysqlType.TIMESTAMP, 63, 0, 0));
    assertEquals(true, fits(ValueType.date(true), MysqlType.DATE, 63, 0, 0));
  }

  @Test
  void allColumnsMustFit() {
    assertEquals(false, fit.fits(List.of(), List.of(ValueType.bigint(true))));
  }
}
