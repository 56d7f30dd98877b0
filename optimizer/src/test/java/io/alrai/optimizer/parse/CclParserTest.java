package io.alrai.optimizer.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CclRule;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.CclStatement;
import io.alrai.optimizer.api.Planner;
import io.alrai.optimizer.api.shape.ShapedText;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CCL rules as PolarDB-X writes them. */
final class CclParserTest {
  private static final Planner.Context CONTEXT =
      new Planner.Context(Catalog.EMPTY, "shop", false, false);
  private static final String DIGEST = "0123456789abcdef".repeat(4);

  private static CclStatement parse(String sql) {
    AdminStatement.Parsed parsed = AdminParser.parse(ShapedText.of(sql), CONTEXT).orElseThrow();
    return ((AdminStatement.Ccl) parsed).statement();
  }

  private static CclRule rule(String sql) {
    return ((CclStatement.Create) parse(sql)).rule();
  }

  @Test
  void aRuleWithAllThatThereIs() {
    CclStatement.Create create =
        (CclStatement.Create)
            parse(
                "create ccl_rule if not exists `r``1 'x'` on `my db`.`a.b` to 'it''s'@'10.%' for"
                    + " select filter by keyword('a', 'it''s') filter by template('"
                    + DIGEST.toUpperCase(Locale.ROOT)
                    + "') with max_concurrency = 10, WAIT_QUEUE_SIZE=100, wait_timeout=5,"
                    + " fast_match=0;");
    assertTrue(create.ifNotExists());
    assertEquals(
        new CclRule(
            "r`1 'x'",
            new CclRule.Scope("my db", "a.b"),
            new CclRule.Client("it's", "10.%"),
            CclRule.Verb.SELECT,
            new CclRule.Filter(List.of("a", "it's"), List.of(DIGEST)),
            new CclRule.Limits(10, 100, 5, false),
            0),
        create.rule());
  }

  @Test
  void whatIsNotSaidIsAsUsual() {
    CclRule rule = rule("CREATE CCL_RULE r ON *.* FOR DELETE WITH WAIT_QUEUE_SIZE=3");
    assertEquals(CclRule.Client.ANYBODY, rule.to());
    assertEquals(new CclRule.Limits(0, 3, 600, true), rule.limits());
    assertTrue(rule.on().isAny());
    assertTrue(rule("CREATE CCL_RULE r ON `*`.`*` FOR DELETE WITH FAST_MATCH=1").on().isAny());
    assertFalse(rule("CREATE CCL_RULE r ON shop.* FOR INSERT WITH FAST_MATCH=1").on().isAny());
    assertFalse(
        ((CclStatement.Create) parse("CREATE CCL_RULE r ON *.* FOR UPDATE WITH MAX_CONCURRENCY=0"))
            .ifNotExists());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "u@localhost | u | localhost",
        "`u`@`H` | u | h",
        "'ü'@'%' | ü | %",
        "u | u | %",
        "'u'@'' | u | %",
        "'u'@ '1' | u | 1",
      })
  void accounts(String written, String user, String host) {
    assertEquals(
        new CclRule.Client(user, host),
        rule("CREATE CCL_RULE r ON *.* TO " + written + " FOR SELECT WITH MAX_CONCURRENCY=1").to());
  }

  @Test
  void theOthers() {
    assertEquals(new CclStatement.Show(List.of()), parse("SHOW CCL_RULES"));
    assertEquals(new CclStatement.Show(List.of("a", "b c")), parse("show ccl_rule a, `b c`"));
    assertEquals(new CclStatement.Drop(List.of("a"), false), parse("DROP CCL_RULE a"));
    assertEquals(
        new CclStatement.Drop(List.of("a", "b"), true), parse("DROP CCL_RULE IF EXISTS a,b"));
    assertEquals(new CclStatement.Clear(), parse("CLEAR CCL_RULES"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE CCL_RULE r ON *.* FOR SELECT",
        "CREATE CCL_RULE r ON *.* FOR SELECT WITH",
        "CREATE CCL_RULE r ON *.* FOR REPLACE WITH MAX_CONCURRENCY=1",
        "CREATE CCL_RULE r ON t FOR SELECT WITH MAX_CONCURRENCY=1",
        "CREATE CCL_RULE r ON *.* FOR SELECT WITH MAX_CONCURRENCY=1, MAX_CONCURRENCY=2",
        "CREATE CCL_RULE r ON *.* FOR SELECT WITH MAX_CONCURRENCY=-1",
        "CREATE CCL_RULE r ON *.* FOR SELECT WITH MAX_CONCURRENCY=1 x",
        "CREATE CCL_RULE r ON *.* FOR SELECT WITH OTHER=1",
        "CREATE CCL_RULE r ON *.* FOR SELECT FILTER BY KEYWORD() WITH MAX_CONCURRENCY=1",
        "CREATE CCL_RULE 'r' ON *.* FOR SELECT WITH MAX_CONCURRENCY=1",
        "CREATE CCL_RULES",
        "SHOW CCL_RULE",
        "CLEAR CCL_RULE r",
        "DROP CCL_RULES",
      })
  void whatIsNearThemIsNoStatement(String sql) {
    assertEquals(1064, assertThrows(AlraiException.class, () -> parse(sql)).errno());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FOR SELECT FILTER BY TEMPLATE('9037e5e2') WITH MAX_CONCURRENCY=1 | 1210",
        "FOR SELECT FILTER BY KEYWORD('') WITH MAX_CONCURRENCY=1 | 1210",
        "FOR SELECT WITH MAX_CONCURRENCY=2147483648 | 1210",
        "FOR SELECT WITH FAST_MATCH=2 | 1210",
        "FOR SELECT WITH LIGHT_WAIT=1 | 1235",
        "FOR SELECT FILTER BY QUERY 'SELECT 1' WITH MAX_CONCURRENCY=1 | 1235",
      })
  void whatIsRefusedHasASentence(String rest, int errno) {
    assertEquals(
        errno,
        assertThrows(AlraiException.class, () -> parse("CREATE CCL_RULE r ON *.* " + rest))
            .errno());
  }

  @Test
  void whatIsAroundRulesIsRefused() {
    for (String sql :
        List.of(
            "SLOW_SQL_CCL GO",
            "CREATE CCL_TRIGGER t ON shop WHEN x",
            "SHOW CCL_TRIGGERS",
            "CLEAR CCL_TRIGGERS")) {
      assertEquals(1235, assertThrows(AlraiException.class, () -> parse(sql)).errno(), sql);
    }
    String longName = "n".repeat(65);
    assertEquals(
        1059, assertThrows(AlraiException.class, () -> parse("DROP CCL_RULE " + longName)).errno());
    String keyword = "k".repeat(513);
    assertEquals(
        1210,
        assertThrows(
                AlraiException.class,
                () ->
                    parse(
                        "CREATE CCL_RULE r ON *.* FOR SELECT FILTER BY KEYWORD('"
                            + keyword
                            + "') WITH MAX_CONCURRENCY=1"))
            .errno());
  }
}
