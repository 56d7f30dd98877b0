package io.alrai.cn.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.optimizer.api.inspect.ColumnLabels;
import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.api.text.LexicalMode;
import java.nio.charset.StandardCharsets;
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

  @Test
  void statementsThatBeginAlikeShareTheirNames() {
    ColumnNames names = new ColumnNames();
    List<String> first = labels(names, "SELECT SUM(k) FROM t WHERE id = 1");
    assertEquals(List.of("SUM(k)"), first);
    assertSame(first, labels(names, "SELECT SUM(k) FROM t WHERE id = 27"));
    assertEquals(List.of("sum( k )"), labels(names, "SELECT sum( k ) FROM t WHERE id = 1"));
  }

  @Test
  void literalsInTheListAreNamedEachTime() {
    ColumnNames names = new ColumnNames();
    assertEquals(List.of("k + 1", ""), labels(names, "SELECT k + 1, 2 FROM t WHERE id = 3"));
    assertEquals(List.of("k + 4", ""), labels(names, "SELECT k + 4, 5 FROM t WHERE id = 6"));
    assertEquals(List.of("", "k + 7"), labels(names, "SELECT k, k + 7 FROM t"));
    assertEquals(List.of("", "k + 8"), labels(names, "SELECT k, k + 8 FROM t"));
  }

  private static List<String> labels(ColumnNames names, String sql) {
    return names.labels(
        ShapedText.of(sql), sql.getBytes(StandardCharsets.UTF_8), LexicalMode.DEFAULT);
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
