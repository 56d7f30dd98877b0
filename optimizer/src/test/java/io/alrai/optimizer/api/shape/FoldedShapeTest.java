package io.alrai.optimizer.api.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.optimizer.api.text.LexicalMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class FoldedShapeTest {
  private final FoldedShape folded = new FoldedShape();

  private String fold(String sql) {
    return folded.fold(ShapedText.of(sql)) ? folded.scanner().shape() : "none";
  }

  @Test
  void literalsOfStatementsThatAreNotOverDataGo() {
    assertEquals("SET @id = 0", fold("SET @id = 4711"));
    assertEquals("SET timestamp=0,@a=''", fold("SET timestamp=1.5, @a='it''s'"));
    assertEquals("KILL QUERY 0", fold("KILL QUERY 123"));
    assertEquals("PREPARE s FROM ''", fold("PREPARE s FROM 'SELECT \\'x\\''"));
    assertEquals("SET @'' = -0", fold("SET @'name' = -1e5"));
    assertEquals("SET @`a 1` = 0", fold("SET @`a 1` = x'41'"));
    assertEquals("SET @a = -''", fold("SET @a = -N'b'"));
    assertEquals(
        "CREATE PROCEDURE p() BEGIN SELECT 0; SELECT ''; END",
        fold("CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 'a'; END"));
  }

  @Test
  void othersStayAsTheyAre() {
    for (String sql :
        List.of("", "COMMIT", "SAVEPOINT s17", "SET @a = ?", "SELECT 1 FROM `t2` WHERE a = 'x'")) {
      assertEquals("none", fold(sql));
    }
  }

  @Test
  void literalsThatAreStructureGo() {
    assertEquals("SELECT DATE '' FROM t", fold("SELECT DATE '2026-11-29' FROM t"));
    assertEquals(
        "SELECT _utf8mb4'',? FROM t ORDER BY 0", fold("SELECT _utf8mb4'a', 'b' FROM t ORDER BY 1"));
  }

  @Test
  void brokenStringsAreNoStrings() {
    assertTrue(folded.fold(ShapedText.of("SELECT 'unended")));
    assertFalse(folded.scanner().sameShape(ShapedText.of("SELECT 'x'")));
    assertNotEquals("SELECT ?", folded.scanner().shape());
  }

  @Test
  void bothFormsOfAStatementFoldAlike() {
    byte[] sql = "SET @a = 'x'".getBytes(StandardCharsets.UTF_8);
    ShapeScanner scanner = new ShapeScanner();
    scanner.scan(sql, 0, sql.length, LexicalMode.DEFAULT);
    assertTrue(folded.fold(scanner));
    ShapedText first = folded.scanner().snapshot();
    assertTrue(folded.fold(ShapedText.of("SET @a = 'another one'")));
    assertTrue(folded.scanner().sameShape(first));
  }

  @Test
  void maskedShapesTellNoValues() {
    assertEquals(
        "CHANGE X TO PASSWORD=?,PORT=?",
        FoldedShape.masked(ShapedText.of("CHANGE X TO PASSWORD='geheim', PORT=3306")));
    assertEquals("SELEC ?", FoldedShape.masked(ShapedText.of("SELEC 'geheim")));
    assertEquals("SELECT ? FROM t", FoldedShape.masked(ShapedText.of("SELECT 1 FROM t")));
  }
}
