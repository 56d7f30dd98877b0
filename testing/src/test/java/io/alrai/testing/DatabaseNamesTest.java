package io.alrai.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class DatabaseNamesTest {
  private static String renamed(String sql) {
    return DatabaseNames.inStatement(sql, "script", "a`b'c");
  }

  @Test
  void namesAreReplaced() {
    assertEquals("USE `a``b'c`", renamed("USE script"));
    assertEquals(
        "SELECT * FROM `a``b'c`.t, `a``b'c`.u", renamed("SELECT * FROM script.t, script.u"));
    assertEquals("SELECT * FROM `a``b'c`.t", renamed("SELECT * FROM `script`.t"));
    assertEquals("WHERE S = 'a`b''c'", renamed("WHERE S = 'script'"));
    assertEquals("WHERE S = \"a`b'c\"", renamed("WHERE S = \"script\""));
  }

  @Test
  void textsThatAreRunAreStatements() {
    assertEquals(
        "PREPARE s FROM 'SELECT ''x'' FROM `a``b''c`.t'",
        renamed("PREPARE s FROM 'SELECT ''x'' FROM script.t'"));
  }

  @Test
  void othersStay() {
    for (String sql :
        new String[] {
          "SELECT script2.a, x.script, script_gone.b",
          "SELECT 'scripts', '\\'', 1",
          "SELECT 'it''s'"
        }) {
      assertEquals(sql, renamed(sql));
    }
  }

  @Test
  void patternsAreEscaped() {
    assertEquals(
        "SHOW DATABASES LIKE '\\%x'",
        DatabaseNames.inStatement("SHOW DATABASES LIKE 'script'", "script", "%x"));
    assertEquals(
        "SHOW DATABASES LIKE 'a\\_b%'",
        DatabaseNames.inStatement("SHOW DATABASES LIKE 'script%'", "script", "a_b"));
    assertEquals("SELECT 'a_b'", DatabaseNames.inStatement("SELECT 'script'", "script", "a_b"));
  }
}
