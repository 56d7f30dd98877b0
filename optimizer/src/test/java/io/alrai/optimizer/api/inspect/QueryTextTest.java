package io.alrai.optimizer.api.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.optimizer.api.AdminStatement.TableName;
import io.alrai.optimizer.api.text.LexicalMode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QueryTextTest {
  private static final LexicalMode ANSI = new LexicalMode(StandardCharsets.UTF_8, true, false);

  @Test
  void aLimitIsThatOfTheWholeQuery() {
    assertTrue(QueryText.isLimited("SELECT a FROM t LIMIT 3", LexicalMode.DEFAULT));
    assertFalse(QueryText.isLimited("SELECT a FROM t", LexicalMode.DEFAULT));
    assertFalse(
        QueryText.isLimited("SELECT a FROM (SELECT 1 AS a LIMIT 3) AS d", LexicalMode.DEFAULT));
    assertFalse(QueryText.isLimited("DELETE FROM t LIMIT 3", LexicalMode.DEFAULT));
  }

  @Test
  void tablesAreThoseThatAreNamed() {
    assertEquals(
        List.of(new TableName(Optional.empty(), "t"), new TableName(Optional.of("shop"), "users")),
        QueryText.tables("SELECT * FROM t JOIN shop.users USING (a)", LexicalMode.DEFAULT));
    assertEquals(
        List.of(new TableName(Optional.empty(), "T x")),
        QueryText.tables("SELECT * FROM \"T x\"", ANSI));
  }

  @Test
  void whatIsNoQueryNamesNone() {
    assertEquals(List.of(), QueryText.tables("SELECT FROM WHERE", LexicalMode.DEFAULT));
  }
}
