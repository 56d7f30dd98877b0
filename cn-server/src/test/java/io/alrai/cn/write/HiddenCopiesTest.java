package io.alrai.cn.write;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.id.PhysicalSchema;
import io.alrai.common.type.MysqlType;
import io.alrai.gms.api.Column;
import io.alrai.gms.api.Partitioning;
import io.alrai.gms.api.Table;
import java.util.List;
import org.junit.jupiter.api.Test;

class HiddenCopiesTest {
  private static Column column(String name, MysqlType type, boolean generated) {
    return new Column(name, type, false, 0, 0, "", "", true, false, false, generated);
  }

  private static String digest(Column... columns) {
    Table table =
        new Table(
            1,
            "s",
            "t",
            List.of(columns),
            List.of(Table.IMPLICIT_KEY),
            List.of(),
            false,
            new Partitioning.Broadcast(),
            1,
            List.of(),
            List.of(),
            false,
            false);
    String sql = HiddenCopies.select(table, new PhysicalSchema("s_b")).text();
    String before = "SELECT `__alrai_id`,SHA2(CONCAT_WS(',','',";
    String after = "),256) FROM `s_b`.`t` ORDER BY 2,1 FOR UPDATE";
    String digest = sql.substring(before.length(), sql.length() - after.length());
    assertEquals(before + digest + after, sql);
    return digest;
  }

  /** A SET plus 0 is a DOUBLE, in which members after the 53rd hide the first ones. */
  @Test
  void eachMemberOfASetCounts() {
    assertEquals("IFNULL(CAST(`a` AS UNSIGNED),'-')", digest(column("a", MysqlType.SET, false)));
  }

  @Test
  void stringsCountByTheirBytes() {
    assertEquals("IFNULL(SHA2(`a`,256),'-')", digest(column("a", MysqlType.VARCHAR, false)));
  }

  @Test
  void whatMysqldsMakeThemselvesIsLeftOut() {
    assertEquals(
        "IFNULL(`b`,'-')",
        digest(
            column("a", MysqlType.INT, true),
            column("b", MysqlType.INT, false),
            column(Table.IMPLICIT_KEY, MysqlType.BIGINT, false)));
  }
}
