package io.alrai.cn.columnar;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.columnar.scan.ColumnKind;
import io.alrai.common.sql.Sql;
import java.util.List;
import org.junit.jupiter.api.Test;

class IndexedColumnsTest {
  /** A SET plus 0 is a DOUBLE, in which members after the 53rd hide the first ones. */
  @Test
  void eachMemberOfASetIsRead() {
    assertEquals(
        "CAST(`a` AS UNSIGNED)",
        IndexedColumns.expression(
                Sql.EMPTY.name("a"), new ColumnKind.LabelSet(List.of("x"), "utf8mb4_bin"))
            .text());
  }
}
