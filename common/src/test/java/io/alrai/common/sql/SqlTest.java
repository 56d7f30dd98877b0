package io.alrai.common.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
    assertEquals("'root@%'", Sql.EMPTY.literal("root@%").text());
    for (String value : List.of("a'b", "a\\b", "ä", "a\nb", "\t")) {
      assertEquals(Sql.EMPTY.string(value), Sql.EMPTY.literal(value));
    }
    assertEquals("x'00ff'", Sql.EMPTY.hex(new byte[] {0, -1}).text());
  }

  @Test
  void wordsOfOthersAreLettersAndDigits() {
    assertEquals(
        "COLLATE utf8mb4_0900_ai_ci", Sql.of("COLLATE ").word("utf8mb4_0900_ai_ci").text());
    for (String none : List.of("", "a b", "a;", "`a`", "a-b", "\u00e4")) {
      assertThrows(IllegalArgumentException.class, () -> Sql.EMPTY.word(none), none);
    }
  }

  @Test
  void whatIsOfOthersIsTold() {
    Sql own = Sql.of("a ").name("b").string("c").number(1);
    assertFalse(own.isWritten());
    assertTrue(own.written("d").words(" e").isWritten());
    assertTrue(own.add(Sql.client("d")).isWritten());
    assertTrue(Sql.join(", ", List.of(own, Sql.client("d"))).isWritten());
    assertEquals(", a", Sql.join(", ", List.of(Sql.EMPTY, Sql.of("a"))).text());
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
