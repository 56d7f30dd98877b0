package io.alrai.common.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class SqlTest {
  @Test
  void namesStayNames() {
    assertEquals("`a`", Sql.EMPTY.name("a").text());
    assertEquals(
        "DROP TABLE `x``; DROP DATABASE ``y`.`t'\"\\`",
        Sql.of("DROP TABLE ").name("x`; DROP DATABASE `y", "t'\"\\").text());
    assertEquals("(`a`, `b```)", Sql.of("(").names(List.of("a", "b`")).words(")").text());
  }

  @Test
  void stringsHoldUnderAnyMode() {
    assertEquals("_utf8mb4 x''", Sql.EMPTY.string("").text());
    assertEquals("_utf8mb4 x'275c22'", Sql.EMPTY.string("'\\\"").text());
    assertEquals("_utf8mb4 x'c3a4'", Sql.EMPTY.string("ä").text());
  }

  @Test
  void texts() {
    Sql text = Sql.of("SELECT ").number(-7).add(Sql.of(" FROM ").written("t JOIN u"));
    assertEquals("SELECT -7 FROM t JOIN u", text.text());
    assertEquals("SELECT -7 FROM t JOIN u", text.toString());
    assertEquals("a, b", Sql.join(", ", List.of(Sql.of("a"), Sql.of("b"))).text());
    assertTrue(Sql.EMPTY.isEmpty());
    assertEquals(Sql.of("a").words("b"), Sql.of("ab"));
  }
}
