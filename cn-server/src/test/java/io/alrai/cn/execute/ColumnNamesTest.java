package io.alrai.cn.execute;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.optimizer.syntax.ColumnLabels;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColumnNamesTest {
  @Test
  void expressionsAreNamedByTheirText() {
    assertEquals(
        List.of("SUM( k )", "b", "c", "1 +  a"),
        named("SELECT SUM( k ), k AS b, c , 1 +  a FROM t", "SUM(k)", "b", "c", "1 + a"));
  }

  @Test
  void starStandsForAnyNumberOfColumns() {
    assertEquals(
        List.of("a+ 1", "x", "y", "b+ 1"),
        named("SELECT a+ 1, t.*, b+ 1 FROM t", "a+1", "x", "y", "b+1"));
  }

  @Test
  void theFirstOfAUnionNames() {
    assertEquals(List.of("a+ 1"), named("(SELECT a+ 1 FROM t) UNION SELECT b+ 1 FROM t", "a+1"));
  }

  @Test
  void literalsAndColumnsKeepTheirNames() {
    assertEquals(List.of("x", "a", "1"), named("SELECT 'x', t.a, 1 FROM t", "x", "a", "1"));
  }

  private static List<String> named(String sql, String... names) {
    List<ColumnDefinition> columns =
        Arrays.stream(names)
            .map(name -> ColumnDefinition.expression(name, MysqlType.BIGINT, 63, 20, 0, 0))
            .toList();
    return ColumnNames.named(columns, ColumnLabels.of(sql, false, false).names()).stream()
        .map(ColumnDefinition::name)
        .toList();
  }
}
