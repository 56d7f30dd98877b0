package io.alrai.cn.digest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.optimizer.api.shape.ShapedText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DigestTableTest {
  private final List<ShapeName> unnamed = new ArrayList<>();
  private final DigestTable table = new DigestTable(unnamed::add);

  private ShapeCount find(String sql, String schema) {
    return table.find(ShapedText.of(sql), schema);
  }

  private static StatementEnd end(String sql, long nanos, int errno) {
    StatementEnd end = new StatementEnd();
    end.sql = sql.getBytes(StandardCharsets.UTF_8);
    end.length = end.sql.length;
    end.nanos = nanos;
    end.errno = errno;
    return end;
  }

  @Test
  void shapesOfOneSchemaCountTogether() {
    ShapeCount one = find("SELECT 1", "a");
    assertSame(one, find("SELECT 2", "a"));
    assertNotSame(one, find("SELECT 1", "b"));
    assertNotSame(one, find("SELECT 1, 2", "a"));
    assertNotSame(find("INSERT INTO t VALUES (1)", "a"), find("INSERT INTO t VALUES (1),(2)", "a"));
    assertEquals(5, unnamed.size());
  }

  @Test
  void whatHasNoRoomCountsInOneRow() {
    for (int i = 0; i < DigestTable.MOST_SHAPES; i++) {
      find("SELECT c" + i, "").add(end("SELECT c" + i, 1000, 0));
    }
    ShapeCount rest = find("SELECT more", "");
    assertSame(rest, find("SELECT other FROM t", "x"));
    rest.add(end("SELECT more", 1000, 1064));
    List<ShapeCount> copies = table.copies(0, DigestTable.slots());
    assertEquals(DigestTable.MOST_SHAPES + 1, copies.size());
    assertEquals(1, copies.getLast().errors);
    table.clear();
    assertTrue(table.copies(0, DigestTable.slots()).isEmpty());
    assertNotSame(rest, find("SELECT more", ""));
  }

  @Test
  void longShapesAreBounded() {
    String wide = "a,".repeat(DigestTable.MOST_BYTES / 4);
    ShapeCount first = find("SELECT " + wide + "b", "");
    ShapeCount second = find("SELECT " + wide + "c", "");
    assertNotSame(first, second);
    assertSame(second, find("SELECT " + wide + "d", ""));
  }

  @Test
  void whatIsFullByBytesRecovers() {
    String wide = "a,".repeat(DigestTable.MOST_BYTES / 4);
    find("SELECT " + wide + "b", "");
    ShapeCount rest = find("SELECT " + wide + "c", "");
    table.clear();
    assertNotSame(rest, find("SELECT " + wide + "c", ""));
  }

  @Test
  void questionsTakeRoom() {
    String list = "1,".repeat(DigestQuestion.MOST_LENGTH / 2);
    int fit = 0;
    ShapeCount rest = find("SELECT " + "a,".repeat(DigestTable.MOST_BYTES / 2) + "b", "");
    while (find("SELECT " + list + "c" + fit, "") != rest) {
      fit++;
    }
    assertEquals(DigestTable.MOST_BYTES / DigestQuestion.MOST_LENGTH / 2 - 1, fit);
  }

  @Test
  void valuesOfStatementsThatAreNotOverDataAreFolded() {
    for (int i = 0; i < DigestTable.MOST_SHAPES + 1; i++) {
      find("SET @id = " + i, "");
      find("SET timestamp=" + i + ".5", "");
      find("KILL " + i, "");
      find("PREPARE s FROM 'SELECT " + i + "'", "");
      find("EXPLAIN FOR CONNECTION " + i, "");
      find("SELECT DATE '" + i + "' FROM t WHERE a = 1", "");
    }
    assertEquals(6, unnamed.size());
    assertEquals("SET @id = 0", unnamed.getFirst().question().sql());
    assertNotSame(find("SET @id = 'x'", ""), find("SET @other = 'x'", ""));
    assertNotSame(
        find("INSERT INTO t VALUES (_latin1'a')", ""),
        find("INSERT INTO t VALUES (_latin1'a'),(_latin1'b')", ""));
  }

  @Test
  void namesWithoutEndLeaveRoomForData() {
    for (int i = 0; i < DigestTable.MOST_SHAPES + 1; i++) {
      find("SAVEPOINT s" + i, "");
    }
    ShapeCount rest = find("SAVEPOINT more", "");
    assertNotSame(rest, find("SELECT a FROM t", ""));
    assertSame(rest, find("SAVEPOINT others", ""));
    table.clear();
    assertNotSame(rest, find("SAVEPOINT more", ""));
  }

  @Test
  void schemasAreSpreadOverTheSlots() {
    for (int i = 0; i < 1_000; i++) {
      find("SELECT 1", "tenant" + i).add(end("SELECT 1", 1, 0));
    }
    for (int from = 0; from < DigestTable.slots(); from += 1_024) {
      int found = table.copies(from, from + 1_024).size();
      assertTrue(found < 250, found + " at " + from);
    }
  }

  @Test
  void shapesThatNoMysqldNamesTellNoValues() {
    ShapedText text = ShapedText.of("ALTER CLUSTER PASSWORD 'geheim', 4711");
    ShapeName.Digest own = DigestNames.own(DigestQuestion.of(text, text));
    assertEquals("ALTER CLUSTER PASSWORD ?,?", own.text());
  }

  @Test
  void countsAddUp() {
    ShapeCount one = find("SELECT 1", "");
    one.add(end("SELECT 1", 2_000_000, 0));
    one.add(end("SELECT 2", 1_000, 1146));
    ShapeCount sum = one.copy();
    sum.add(one.copy());
    assertEquals(4, sum.count);
    assertEquals(2, sum.errors);
    assertEquals(1_000, sum.minNanos);
    assertEquals(2_000_000, sum.maxNanos);
    assertEquals("SELECT 1", sum.sample);
    assertEquals(2, sum.latencies.count(LatencyBuckets.of(2_000_000_000L)));
    assertTrue(sum.latencies.quantile(0.95, 4) >= 2_000_000_000L);
    assertEquals(10_000_000, sum.latencies.quantile(0.5, 4));
  }

  @Test
  void samplesHaveNoPasswords() {
    String sql = "CREATE USER a IDENTIFIED BY 'geheim'";
    ShapeCount count = find(sql, "");
    count.add(end(sql, 1, 0));
    assertEquals("CREATE USER a IDENTIFIED BY <secret>", count.sample);
  }

  @Test
  void bucketsAreThoseOfMysql() {
    assertEquals(0, LatencyBuckets.of(9_999_999));
    assertEquals(1, LatencyBuckets.of(10_000_000));
    assertEquals(100, LatencyBuckets.of(954_992_586));
    assertEquals(449, LatencyBuckets.of(Long.MAX_VALUE));
    assertEquals(9_120_108_393_559_408L, LatencyBuckets.low(449));
    assertEquals(-1, LatencyBuckets.high(449));
  }

  private static String question(String sql) {
    ShapedText text = ShapedText.of(sql);
    return DigestQuestion.of(text, text).sql();
  }

  @Test
  void questionsAreShort() {
    String sql =
        "INSERT INTO t VALUES (1, '"
            + "x".repeat(1 << 20)
            + "'), (2, 'y'), (3, 'z'), (4, 'q')"
            + " ON DUPLICATE KEY UPDATE a = 5";
    assertEquals(
        "INSERT INTO t VALUES (1, 'x'), (2, 'y') ON DUPLICATE KEY UPDATE a = 5", question(sql));
    assertEquals("SELECT 0 FROM t WHERE a = 0", question("SELECT ? FROM t WHERE a = ?"));
    assertEquals("SELECT 0 FROM t WHERE a LIKE 0", question("SELECT?FROM t WHERE a LIKE?"));
  }

  @Test
  void literalsOfAllKindsAreShort() {
    String wide = "41".repeat(10_000);
    assertEquals(
        "SELECT x'41',x'41','x',_latin1'x',N'x',b'1',-0 ,@a FROM t WHERE b = 'y'",
        question(
            "SELECT x'%1$s',0x%1$s,\"%1$s\",_latin1'%1$s',N'%1$s',0b%2$s,-%1$s /* %1$s */,@a"
                    .formatted(wide, "1".repeat(100))
                + " FROM t -- "
                + wide
                + "\n WHERE b = 'y'"));
    assertEquals("SET @a = 'x'", question("SET @a = '" + wide + "'"));
    assertEquals("SELECT '", question("SELECT '" + wide));
  }
}
