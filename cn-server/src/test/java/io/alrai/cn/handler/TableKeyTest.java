package io.alrai.cn.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Column;
import io.alrai.optimizer.api.HandlerStatement.Form;
import io.alrai.optimizer.api.HandlerStatement.KeyValue;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TableKeyTest {
  private static final KeyPart A = part("a", MysqlType.INT, false, false, 0);
  private static final KeyPart B = part("b", MysqlType.INT, true, false, 0);
  private static final KeyPart D = part("d", MysqlType.DECIMAL, true, true, 0);
  private static final KeyPart C = part("c", MysqlType.VARCHAR, false, false, 2);

  @Test
  void ordersBothWays() {
    TableKey key = key(D, A);
    assertEquals("`d` DESC, `a`", key.orderBy(true));
    assertEquals("`d`, `a` DESC", key.orderBy(false));
  }

  @Test
  void goesOnBehindARow() {
    TableKey key = key(B, A);
    assertEquals("(`b` > 5 OR `b` = 5 AND `a` > 1)", behind(key, true, "5", "1"));
    assertEquals("((`b` < 5 OR `b` IS NULL) OR `b` = 5 AND `a` < 1)", behind(key, false, "5", "1"));
    assertEquals("(`b` IS NOT NULL OR `b` IS NULL AND `a` > 1)", behind(key, true, "NULL", "1"));
    assertEquals("(FALSE OR `b` IS NULL AND `a` < 1)", behind(key, false, "NULL", "1"));
  }

  @Test
  void goesOnBehindARowOfADescendingIndex() {
    TableKey key = key(D, A);
    assertEquals("((`d` < 5 OR `d` IS NULL) OR `d` = 5 AND `a` > 1)", behind(key, true, "5", "1"));
    assertEquals("(`d` > 5 OR `d` = 5 AND `a` < 1)", behind(key, false, "5", "1"));
    assertEquals("(FALSE OR `d` IS NULL AND `a` > 1)", behind(key, true, "NULL", "1"));
  }

  @Test
  void goesOnBehindTheFirstParts() {
    TableKey key = key(B, C, A);
    assertEquals("`b` > 5", behind(key, true, "5"));
    assertEquals("(`b` > 5 OR `b` = 5)", key.behind(List.of("5"), true, true));
    assertEquals(
        "(`b` > 5 OR `b` = 5 AND (LEFT(`c`, 2) > 'x' OR LEFT(`c`, 2) = 'x'))",
        key.behind(List.of("5", "'x'"), true, true));
    assertEquals("`b` IS NULL AND LEFT(`c`, 2) = 'x'", key.equal(List.of("NULL", "'x'")));
  }

  @Test
  void givesValuesTheTypesOfTheirColumns() {
    assertEquals("7", value(A, Form.INTEGER, "7"));
    assertEquals("{CAST(('7x') AS SIGNED)}", value(A, Form.STRING, "'7x'"));
    assertEquals("{CAST((1.5) AS DECIMAL(6, 2))}", value(D, Form.EXPRESSION, "1.5"));
    assertEquals("LEFT('xyz', 2)", value(C, Form.STRING, "'xyz'"));
    assertEquals("LEFT({CAST((5) AS CHAR)}, 2)", value(C, Form.INTEGER, "5"));
    assertEquals("NULL", value(C, Form.NULL, "null"));
    KeyPart e = new KeyPart(A.column().map(TableKeyTest::asEnum), "", 0, false, "'x','y'");
    assertEquals("2", value(e, Form.INTEGER, "2"));
    assertEquals("{FIELD('y', 'x','y')}", value(e, Form.STRING, "'y'"));
  }

  private static Column asEnum(Column column) {
    return column(column.name(), MysqlType.ENUM, true);
  }

  private static String value(KeyPart part, Form form, String sql) {
    return part.value(new KeyValue(form, sql), expression -> "{" + expression + "}");
  }

  private static String behind(TableKey key, boolean forward, String... values) {
    return key.behind(List.of(values), forward, false);
  }

  private static TableKey key(KeyPart... order) {
    return new TableKey("k", List.of(order), List.of(order), "", true);
  }

  private static KeyPart part(
      String name, MysqlType type, boolean nullable, boolean descending, int prefix) {
    return new KeyPart(Optional.of(column(name, type, nullable)), "", prefix, descending, "");
  }

  private static Column column(String name, MysqlType type, boolean nullable) {
    String charset = type == MysqlType.VARCHAR ? "utf8mb4" : "";
    return new Column(name, type, false, 6, 2, charset, "", nullable, false, false, false);
  }
}
