package io.alrai.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.sql.Sql;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class HostileNamesTest {
  private static final List<String> SCRIPT =
      List.of(
          "CREATE TABLE t (id INT PRIMARY KEY, `note` TEXT, KEY k (note(3)), CONSTRAINT c CHECK (id > 0))",
          "CREATE OR REPLACE VIEW script.v (p, q) AS SELECT id, note AS m FROM t AS u",
          "CREATE PROCEDURE fill(IN n INT, OUT r INT) lb: BEGIN DECLARE i INT; SET i = n; END",
          "CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW SET NEW.note = 'id'",
          "ALTER TABLE t ADD COLUMN extra INT AFTER id",
          "CREATE USER g_a, 'g_b'@'%'",
          "SELECT COUNT(*), CAST(id AS CHAR), DATE(d) FROM t");

  private static Set<String> declared() {
    return SCRIPT.stream()
        .flatMap(sql -> DeclaredNames.of(sql).names().stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String name(HostileNames names, String word) {
    return Sql.quote(names.name(word));
  }

  @Test
  void whatIsDeclaredIsFound() {
    assertEquals(
        Set.of(
            "c", "extra", "fill", "i", "id", "k", "lb", "m", "n", "note", "p", "q", "r", "t", "tr",
            "u", "v"),
        declared());
    assertEquals(Set.of("g_a", "g_b"), DeclaredNames.of(SCRIPT.get(5)).accounts());
  }

  @Test
  void tokensAreTheText() {
    for (String sql : SCRIPT) {
      assertEquals(
          sql, SqlToken.of(sql).stream().map(SqlToken::text).collect(Collectors.joining()));
    }
  }

  @Test
  void eachNameIsItsOwnInAllForms() {
    for (long seed = 0; seed < 20; seed++) {
      HostileNames names = HostileNames.of(SCRIPT, false, seed);
      Set<String> hostile = declared().stream().map(names::name).collect(Collectors.toSet());
      assertEquals(declared().size(), hostile.size());
      assertTrue(hostile.stream().allMatch(name -> name.length() <= 64));
      assertTrue(names.name("g_b").length() <= 32);
      HostileNames ascii = HostileNames.of(SCRIPT, true, seed);
      assertTrue(
          declared().stream()
              .allMatch(word -> ascii.name(word).chars().allMatch(letter -> letter < 128)));
    }
  }

  @Test
  void statementsHaveThem() {
    for (long seed = 0; seed < 20; seed++) {
      HostileNames names = HostileNames.of(SCRIPT, false, seed);
      String t = name(names, "t");
      String id = name(names, "id");
      assertEquals(
          "SELECT %s.%s, 'id', @id, x'41' FROM script.%s".formatted(t, id, t),
          names.in("SELECT t.id, 'id', @id, x'41' FROM script.t"));
      assertEquals(
          "/*alrai PARTITION BY KEY(" + id + ") */", names.in("/*alrai PARTITION BY KEY(id) */"));
      assertEquals("SELECT 1 -- id", names.in("SELECT 1 -- id"));
      String inText = names.name("id").replace("`", "``").replace("'", "''");
      assertEquals(
          "PREPARE s FROM 'SELECT `%s` FROM dual'".formatted(inText),
          names.in("PREPARE s FROM 'SELECT id FROM dual'"));
      String account = names.name("g_b").replace("'", "''");
      assertEquals("DROP USER '%s'@'%%'".formatted(account), names.in("DROP USER 'g_b'@'%'"));
    }
  }

  @Test
  void textsOfTheCatalogAreNames() {
    for (long seed = 0; seed < 20; seed++) {
      HostileNames names = HostileNames.of(SCRIPT, false, seed);
      String v = names.name("v").replace("'", "''");
      assertEquals(
          "SELECT * FROM information_schema.VIEWS WHERE TABLE_NAME = '" + v + "'",
          names.in("SELECT * FROM information_schema.VIEWS WHERE TABLE_NAME = 'v'"));
      assertEquals(
          "SHOW TABLES LIKE '" + v.replace("_", "\\_").replace("%", "\\%") + "'",
          names.in("SHOW TABLES LIKE 'v'"));
    }
  }
}
