package io.alrai.optimizer.api.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.optimizer.api.ShapedStatement;
import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.api.text.StatementKind;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

final class ShapeScannerTest {
  private static final LexicalMode ANSI = new LexicalMode(StandardCharsets.UTF_8, true, false);

  @Test
  void literalsBecomeSlots() {
    assertShape("SELECT c FROM t WHERE id=5", "SELECT c FROM t WHERE id=?", "5");
    assertShape(
        "select * from t where a in (1,'x' , 2.5e3) and b like 'y%' limit 3, 4",
        "select * from t where a in (?,?,?) and b like ? limit ?,?", "1|'x'|2.5e3|'y%'|3|4");
    assertShape(
        "UPDATE t SET a = a + 1, b=x'41', c = 0x42 WHERE d BETWEEN b'1' AND 0b11",
        "UPDATE t SET a = a + ?,b=?,c = ? WHERE d BETWEEN ? AND ?",
        "1|x'41'|0x42|b'1'|0b11");
    assertShape("DELETE FROM t WHERE a <=> 'it''s'", "DELETE FROM t WHERE a <=> ?", "'it''s'");
    assertShape("DO SLEEP(1)", "DO SLEEP(?)", "1");
    assertShape("CALL p(1, @x)", "CALL p(?,@x)", "1");
    assertShape("VALUES ROW(1,2), ROW(3,4)", "VALUES ROW(?,?),ROW(?,?)", "1|2|3|4");
    assertShape("(SELECT 1) UNION (SELECT 2)", "(SELECT ?) UNION (SELECT ?)", "1|2");
    assertShape(
        "WITH c AS (SELECT 1) SELECT * FROM c", "WITH c AS (SELECT ?) SELECT * FROM c", "1");
    assertShape(
        "SELECT CASE a WHEN 1 THEN 'x' ELSE 2 END",
        "SELECT CASE a WHEN ? THEN ? ELSE ? END",
        "1|'x'|2");
    assertShape("SELECT d + INTERVAL 3 DAY", "SELECT d + INTERVAL ? DAY", "3");
    assertShape("SELECT'a'FROM t", "SELECT ? FROM t", "'a'");
  }

  @Test
  void explainHasSlotsBehindItsVerb() {
    assertShape("EXPLAIN FORMAT='json' SELECT 1", "EXPLAIN FORMAT='json' SELECT ?", "1");
    assertShape(
        "explain sharding delete from t where a=1",
        "explain sharding delete from t where a=?",
        "1");
    assertShape("DESC t 'a%'", "DESC t 'a%'", "");
  }

  @Test
  void otherStatementsKeepTheirLiterals() {
    assertShape("SET @a = 1", "SET @a = 1", "");
    assertShape("SET @a = (SELECT 1)", "SET @a = (SELECT 1)", "");
    assertShape("CREATE TABLE t(a int default 5)", "CREATE TABLE t(a int default 5)", "");
    assertShape("SHOW TABLES LIKE 'x%'", "SHOW TABLES LIKE 'x%'", "");
    assertShape("SET @a = ?", "SET @a = ?", "?");
  }

  @Test
  void signsBelongToNumbersWhereAValueStarts() {
    assertShape("SELECT -1, +2, - 3", "SELECT ?,?,- ?", "-1|+2|3");
    assertShape("SELECT a -1, a- -1, a--1", "SELECT a -?,a- ?,a-?", "1|-1|-1");
    assertShape(
        "SELECT * FROM t WHERE a=-5 AND b>(-.5) AND c!=-1e5",
        "SELECT * FROM t WHERE a=? AND b>(?) AND c!=?",
        "-5|-.5|-1e5");
    assertShape("SELECT-1", "SELECT ?", "-1");
    assertShape("SELECT -'a', -0x41, ~-1", "SELECT -?,-?,~?", "'a'|0x41|-1");
  }

  @Test
  void literalsThatAreStructureStay() {
    assertShape("SELECT a 'x', b AS 'y', 'z' w FROM t", "SELECT a 'x',b AS 'y',? w FROM t", "'z'");
    assertShape(
        "SELECT a FROM t ORDER BY 1, 2 DESC, a+1 LIMIT 1,2",
        "SELECT a FROM t ORDER BY 1,2 DESC,a+? LIMIT ?,?",
        "1|1|2");
    assertShape(
        "SELECT a FROM t GROUP BY 1, FIELD(a, 1, 2) HAVING a > 1",
        "SELECT a FROM t GROUP BY 1,FIELD(a,?,?) HAVING a > ?",
        "1|2|1");
    assertShape(
        "SELECT CAST(a AS DECIMAL(10,2)), CONVERT(5, CHAR(10)), CAST('1' AS TIME(3))",
        "SELECT CAST(a AS DECIMAL(10,2)),CONVERT(?,CHAR(10)),CAST(? AS TIME(3))",
        "5|'1'");
    assertShape("SELECT TIMESTAMP('2020-01-01')", "SELECT TIMESTAMP(?)", "'2020-01-01'");
    assertShape("SELECT DATE '2020-01-01'", "SELECT DATE '2020-01-01'", "");
    assertShape("SELECT a->'$.x', a ->> '$.y'", "SELECT a->'$.x',a ->> '$.y'", "");
    assertShape("SELECT GROUP_CONCAT(a SEPARATOR ',')", "SELECT GROUP_CONCAT(a SEPARATOR ',')", "");
    assertShape("SELECT a LIKE 'x' ESCAPE '|'", "SELECT a LIKE ? ESCAPE '|'", "'x'");
    assertShape("SELECT a COLLATE 'utf8mb4_bin'", "SELECT a COLLATE 'utf8mb4_bin'", "");
    assertShape("SELECT 1, 'a' 'b', 2", "SELECT ?,'a' 'b',?", "1|2");
    assertShape(
        "SELECT /*+ MAX_EXECUTION_TIME(5) */ 1", "SELECT /*+ MAX_EXECUTION_TIME(5) */ 1", "");
    assertShape("SELECT t.limit, 1 FROM t.order", "SELECT t.limit,? FROM t.order", "1");
  }

  @Test
  void hintsBeforeTheFirstWord() {
    ShapedText shaped = ShapedText.of("/*+ a(1) */ SELECT 1");
    assertEquals("/*+ a(1) */ SELECT ?", shaped.shape());
    assertEquals(StatementKind.QUERY, shaped.kind());
  }

  @Test
  void introducers() {
    assertShape("SELECT _utf8mb4'a', n'b'", "SELECT _utf8mb4'a',n'b'", "");
    assertShape("SELECT _latin1'é', N'é'", "SELECT _latin1X'c3a9',_utf8mb3 X'c3a9'", "");
    assertShape("SELECT _binary'\\0é' , _BINARY 'b'", "SELECT ?,?", "_binary'\\0é'|_BINARY 'b'");
    assertShape("SELECT a _binary 'x'", "SELECT a _binary 'x'", "");
    assertShape("SELECT _foo 'é'", "SELECT _foo 'é'", "");
  }

  @Test
  void blanksAndComments() {
    assertShape(
        " \n/* c */SELECT /*x*/ a,\n b -- y\n ,c # z\n FROM ( t )", "SELECT a,b,c FROM (t)", "");
    assertShape("/*!40101 SELECT */ 1", "SELECT ?", "1");
    assertShape("SELECT /*!40101 1 -- */", "SELECT ? /*", "1");
    assertShape("COUNT (a)", "COUNT (a)", "");
  }

  @Test
  void ansiQuotesBecomeBackticks() {
    ShapedStatement shaped = ShapedText.of("SELECT \"a\"\"`b\" FROM \"t\" WHERE x = 'y'", ANSI);
    assertEquals("SELECT `a\"``b` FROM `t` WHERE x = ?", shaped.shape());
    assertEquals("SELECT ? FROM t", ShapedText.of("SELECT \"a\" FROM t").shape());
  }

  @Test
  void rowsFold() {
    assertRows("INSERT INTO t VALUES (1,'a')", "INSERT INTO t VALUES (?,?)", 1, 2, 0);
    assertRows(
        "INSERT INTO t (a,b) VALUES (1,'a') , ( 2, NULL ),(-3,'c')",
        "INSERT INTO t (a,b) VALUES (?,?)",
        3,
        2,
        0);
    assertRows(
        "INSERT INTO t VALUES (1,NOW()),(2,NOW()) ON DUPLICATE KEY UPDATE a=VALUES(a)+1",
        "INSERT INTO t VALUES (?,NOW()) ON DUPLICATE KEY UPDATE a=VALUES(a)+?",
        2,
        1,
        0);
    assertRows("REPLACE t VALUE (?,1),(?,2)", "REPLACE t VALUE (?,?)", 2, 2, 0);
    assertRows("INSERT INTO t VALUES (),()", "INSERT INTO t VALUES ()", 2, 0, 0);
    assertRows(
        "INSERT INTO t VALUES ((1+2)*a),((3+4)*a)", "INSERT INTO t VALUES ((?+?)*a)", 2, 2, 0);
  }

  @Test
  void unequalRowsStay() {
    assertRows(
        "INSERT INTO t VALUES (1),(2),(3),(a),(4)",
        "INSERT INTO t VALUES (?),(?),(?),(a),(?)",
        0,
        0,
        0);
    assertRows("INSERT INTO t VALUES (1),(2,3)", "INSERT INTO t VALUES (?),(?,?)", 0, 0, 0);
    assertRows(
        "INSERT INTO t VALUES (NULL),(NULL IS NULL)",
        "INSERT INTO t VALUES (?),(NULL IS NULL)",
        0,
        0,
        0);
    assertRows("INSERT INTO t VALUES (1),(2),", "INSERT INTO t VALUES (?),(?),", 0, 0, 0);
    assertRows("INSERT INTO t VALUES (1),(2),x", "INSERT INTO t VALUES (?),(?),x", 0, 0, 0);
    assertRows("INSERT INTO t VALUES (1),(2),(3", "INSERT INTO t VALUES (?),(?),(?", 0, 0, 0);
  }

  @Test
  void notRows() {
    assertRows(
        "INSERT INTO t SET a=1 ON DUPLICATE KEY UPDATE b=VALUES(b)",
        "INSERT INTO t SET a=? ON DUPLICATE KEY UPDATE b=VALUES(b)",
        0,
        0,
        0);
    assertRows(
        "INSERT INTO t (SELECT 1) ON DUPLICATE KEY UPDATE b=VALUES(b)",
        "INSERT INTO t (SELECT ?) ON DUPLICATE KEY UPDATE b=VALUES(b)",
        0,
        0,
        0);
    assertRows("INSERT INTO t SELECT NULL", "INSERT INTO t SELECT NULL", 0, 0, 0);
  }

  @Test
  void rowPositions() {
    String sql = "INSERT INTO t VALUES (1) , ( NULL )";
    ShapedText shaped = ShapedText.of(sql);
    assertEquals("(1)", sql.substring(shaped.rowStart(0), shaped.rowEnd(0)));
    assertEquals("( NULL )", sql.substring(shaped.rowStart(1), shaped.rowEnd(1)));
    assertEquals("NULL", sql.substring(shaped.slotStart(1), shaped.slotEnd(1)));
  }

  @Test
  void manyRowsHaveTheShapeOfOne() {
    StringBuilder sql = new StringBuilder("INSERT INTO t VALUES (0,'r')");
    for (int i = 1; i < 50_000; i++) {
      sql.append(",(").append(i).append(",'r").append(i).append("')");
    }
    ShapedText many = ShapedText.of(sql.toString());
    ShapedText one = ShapedText.of("INSERT INTO t VALUES (7,'x')");
    assertEquals(one.shapeHash(), many.shapeHash());
    assertEquals(50_000, many.foldedRows());
    assertEquals(100_000, many.slotCount());
  }

  @Test
  void statementsAreSplitAtSemicolons() {
    byte[] sql = "SELECT ';' ; /* ; */ DO 1 ; ;".getBytes(StandardCharsets.UTF_8);
    ShapeScanner scanner = new ShapeScanner();
    scanner.scan(sql, 0, sql.length, LexicalMode.DEFAULT);
    assertEquals("SELECT ?", scanner.shape());
    assertEquals("SELECT ';' ", scanner.text());
    assertTrue(scanner.hasMore());
    int next = scanner.consumed();
    scanner.scan(sql, next, sql.length - next, LexicalMode.DEFAULT);
    assertEquals("DO ?", scanner.shape());
    assertEquals(StatementKind.DO, scanner.kind());
    assertFalse(scanner.hasMore());
    assertEquals(" /* ; */ DO 1 ", scanner.text());
  }

  @Test
  void bodiesOfRoutinesAreNotSplit() {
    String sql = "CREATE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END";
    assertEquals(sql, ShapedText.of(sql).text());
    String traced = "trace " + sql;
    assertEquals(traced, ShapedText.of(traced).text());
  }

  @Test
  void emptyStatements() {
    assertEquals(StatementKind.EMPTY, ShapedText.of(" ").kind());
    byte[] sql = "-- x".getBytes(StandardCharsets.UTF_8);
    ShapeScanner scanner = new ShapeScanner();
    scanner.scan(sql, 0, sql.length, LexicalMode.DEFAULT);
    assertEquals(StatementKind.EMPTY, scanner.kind());
    assertTrue(scanner.hasComment());
  }

  @Test
  void hashAloneIsNotTrusted() {
    ShapeScanner scanner = new ShapeScanner();
    byte[] sql = "SELECT a FROM t WHERE b = 1".getBytes(StandardCharsets.UTF_8);
    scanner.scan(sql, 0, sql.length, LexicalMode.DEFAULT);
    ShapedText same = ShapedText.of("SELECT  a FROM t WHERE b = 'other'");
    assertTrue(scanner.sameShape(same));
    assertFalse(scanner.sameShape(ShapedText.of("SELECT a FROM t WHERE c = 1")));
    ShapedText ansi = ShapedText.of("SELECT a FROM t WHERE b = 1", ANSI);
    assertFalse(scanner.sameShape(ansi));
    assertNotEquals(same.shapeHash(), ansi.shapeHash());
    assertTrue(scanner.sameShape(scanner.snapshot()));
  }

  @Test
  void positionsCountFromTheStatement() {
    byte[] sql = "xxSELECT 15, ?yy".getBytes(StandardCharsets.UTF_8);
    ShapeScanner scanner = new ShapeScanner();
    scanner.scan(sql, 2, sql.length - 4, LexicalMode.DEFAULT);
    assertEquals("SELECT ?,?", scanner.shape());
    assertEquals(7, scanner.slotStart(0));
    assertEquals(9, scanner.slotEnd(0));
    assertFalse(scanner.isParameter(0));
    assertEquals(0, scanner.parameter(1));
    assertEquals(12, scanner.slotEnd(1));
  }

  private static void assertShape(String sql, String shape, String slots) {
    ShapedText shaped = ShapedText.of(sql);
    assertEquals(shape, shaped.shape());
    StringJoiner texts = new StringJoiner("|");
    byte[] bytes = shaped.textBytes();
    for (int slot = 0; slot < shaped.slotCount(); slot++) {
      int start = shaped.slotStart(slot);
      int count = shaped.slotEnd(slot) - start;
      texts.add(new String(bytes, start, count, StandardCharsets.UTF_8));
    }
    assertEquals(slots, texts.toString());
  }

  private static void assertRows(String sql, String shape, int rows, int perRow, int first) {
    ShapedText shaped = ShapedText.of(sql);
    assertEquals(shape, shaped.shape());
    assertEquals(rows, shaped.foldedRows());
    assertEquals(perRow, shaped.slotsPerRow());
    assertEquals(first, shaped.firstRowSlot());
  }
}
