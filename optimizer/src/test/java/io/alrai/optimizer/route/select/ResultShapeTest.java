package io.alrai.optimizer.route.select;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.optimizer.api.shape.ShapedText;
import io.alrai.optimizer.syntax.SourceText;
import io.alrai.optimizer.syntax.Statement;
import io.alrai.optimizer.syntax.StatementParser;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultShapeTest {
  @Test
  void literalsBehindTheListOfTablesChangeNoColumn() {
    assertTrue(decides("SELECT a, b AS c FROM t WHERE a > 5 LIMIT 3"));
    assertTrue(decides("SELECT t.*, COUNT(*) FROM (t JOIN u ON u.a = 1) WHERE b = @x"));
  }

  @Test
  void literalsOfTheListDo() {
    assertFalse(decides("SELECT a + 1 FROM t"));
    assertFalse(decides("SELECT a, ? FROM t"));
  }

  @Test
  void literalsOfInnerQueriesMay() {
    assertFalse(decides("SELECT * FROM (SELECT a + 1 AS b FROM t) d"));
    assertFalse(decides("WITH d AS (SELECT 'x' AS b) SELECT b FROM d"));
    assertFalse(decides("SELECT a FROM t UNION SELECT 1"));
    assertTrue(decides("SELECT * FROM (SELECT a FROM t) d"));
  }

  @Test
  void userVariablesHaveAnyType() {
    assertFalse(decides("SELECT a, @x FROM t"));
    assertTrue(decides("SELECT a, @@sql_mode FROM t"));
  }

  private static boolean decides(String sql) {
    SourceText text = SourceText.of(ShapedText.of(sql).shape(), false, false);
    Statement.Select select = (Statement.Select) StatementParser.parse(text);
    return ResultShape.decides(select.query(), text, List.of());
  }
}
