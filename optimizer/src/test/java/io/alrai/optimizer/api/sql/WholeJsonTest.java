package io.alrai.optimizer.api.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.common.sql.Sql;
import org.junit.jupiter.api.Test;

class WholeJsonTest {
  private static String withoutTypes(Sql value) {
    return WholeJson.withoutTypes("SELECT " + WholeJson.of(value).text() + " AS x, 1 FROM t");
  }

  @Test
  void namesAsTheClientWritesThemAreTextsWithoutTypes() {
    assertEquals(
        "SELECT CONVERT(u.doc USING utf8mb4) AS x, 1 FROM t", withoutTypes(Sql.of("u.doc")));
    assertEquals(
        "SELECT CONVERT(JSON_ARRAY(a, `b`) USING utf8mb4) AS x, 1 FROM t",
        withoutTypes(Sql.of("JSON_ARRAY(a, `b`)")));
  }

  @Test
  void namesOfAnyCharactersAreTextsWithoutTypes() {
    for (String name : new String[] {"doc", "a`b", "a\nb", "$1\\", "IF(CONVERT("}) {
      Sql value = Sql.EMPTY.name(name);
      assertEquals(
          "SELECT CONVERT(" + value.text() + " USING utf8mb4) AS x, 1 FROM t", withoutTypes(value));
    }
  }

  @Test
  void severalOfThemAreTexts() {
    String text = WholeJson.of(Sql.EMPTY.name("a")).text();
    String other = WholeJson.of(Sql.EMPTY.name("b")).text();
    assertEquals(
        "IF(CONVERT(x USING utf8mb4)) CONVERT(`a` USING utf8mb4), CONVERT(`b` USING utf8mb4)",
        WholeJson.withoutTypes("IF(CONVERT(x USING utf8mb4)) " + text + ", " + other));
  }
}
