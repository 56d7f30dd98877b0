package io.alrai.cn.ccl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.alrai.gms.api.Catalog;
import io.alrai.gms.api.CclRule;
import io.alrai.gms.api.CclRules;
import io.alrai.gms.client.LocalGms;
import io.alrai.optimizer.api.AdminStatement;
import io.alrai.optimizer.api.Need;
import io.alrai.optimizer.api.Needs;
import io.alrai.optimizer.api.Planned.Work;
import io.alrai.optimizer.api.shape.ShapedText;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which rule a statement is under. */
class RuleBookTest {
  private static final Work READ = new Work.Administrative(new AdminStatement.WithCalls());
  private static final CclRule.Filter NONE = CclRule.Filter.NONE;
  private static final CclRule.Client ANYBODY = CclRule.Client.ANYBODY;

  private final LocalGms gms = new LocalGms(() -> 1_000);
  private final RuleBook book = new RuleBook(new RuleTotals(new LongAdder(), new LongAdder()));
  private long created;

  private void rule(String name, String on, CclRule.Client to, CclRule.Filter filter) {
    int dot = on.lastIndexOf('.');
    gms.submit(
        CclRules.put(
            new CclRule(
                name,
                new CclRule.Scope(on.substring(0, dot), on.substring(dot + 1)),
                to,
                CclRule.Verb.SELECT,
                filter,
                CclRule.Limits.USUAL,
                created++)));
  }

  private static CclRule.Filter keywords(String... keywords) {
    return new CclRule.Filter(List.of(keywords), List.of());
  }

  /** The rule of a statement over shop.t. */
  private @Nullable String under(String sql, @Nullable String digest) {
    return under(gms.catalog(), sql, digest, new Need.OnTable("shop", "t", 1));
  }

  private @Nullable String under(
      Catalog catalog, String sql, @Nullable String digest, Need... needs) {
    ShapedText text = ShapedText.of(sql);
    ShapeRules rules = book.of(catalog, READ, text, "shop", () -> new Needs(List.of(needs)));
    RuleQueue found = rules == null ? null : rules.find(new RuleTurnTest.Statement(text, digest));
    return found == null ? null : found.rule().name();
  }

  @ParameterizedTest
  @CsvSource({
    "*.*, true",
    "shop.*, true",
    "shop.t, true",
    "*.t, true",
    "shop.T, false",
    "sho_.*, false",
    "other.*, false",
    "shop.u, false"
  })
  void tables(String on, boolean is) {
    rule("r", on, ANYBODY, NONE);
    assertEquals(is ? "r" : null, under("SELECT * FROM t", null));
  }

  @Test
  void aStatementWithoutTablesIsOfItsSchema() {
    rule("t", "shop.t", ANYBODY, NONE);
    assertNull(under(gms.catalog(), "SELECT 1", null));
    rule("shop", "shop.*", ANYBODY, NONE);
    assertEquals("shop", under(gms.catalog(), "SELECT 1", null));
  }

  @Test
  void verbsAndClients() {
    rule("other", "*.*", new CclRule.Client("v", "%"), NONE);
    rule("host", "*.*", new CclRule.Client("u", "10.1.%"), NONE);
    assertNull(under("SELECT * FROM t", null));
    rule("u", "*.*", new CclRule.Client("u", "10.0.%"), NONE);
    assertEquals("u", under("SELECT * FROM t", null));
    assertNull(under("UPDATE t SET a = 1", null));
    assertNull(under("COMMIT", null));
  }

  @Test
  void theOlderOfTwoHolds() {
    rule("b", "*.*", ANYBODY, NONE);
    rule("a", "shop.t", ANYBODY, NONE);
    assertEquals("b", under("SELECT * FROM t", null));
    gms.submit(CclRules.drop("B"));
    assertEquals("a", under("SELECT * FROM t", null));
  }

  @Test
  void digests() {
    rule("r", "*.*", ANYBODY, new CclRule.Filter(List.of(), List.of("aa", "bb")));
    assertEquals("r", under("SELECT * FROM t", "bb"));
    assertNull(under("SELECT * FROM t", "cc"));
    assertNull(under("SELECT * FROM t", null));
  }

  @ParameterizedTest
  @CsvSource({
    "FROM, true",
    "from, true",
    "T, true",
    "fro, false",
    "Bob, true",
    "bob, false",
    "'Bob ', false",
    "7, true",
    "it's, true",
    "it''s, false",
    "my col, true",
    "comment, false"
  })
  void keywordsAreWholeWordsOrValues(String keyword, boolean is) {
    rule("r", "*.*", ANYBODY, keywords(keyword));
    String sql =
        "SELECT /* comment */ `my col` FROM t WHERE a = 'Bob' AND b IN (7, 8) AND c = 'it''s'";
    assertEquals(is ? "r" : null, under(sql, null));
  }

  @Test
  void keywordsStandInTheirOrder() {
    rule("r", "*.*", ANYBODY, keywords("from", "Bob", "order", "LIMIT"));
    assertEquals("r", under("SELECT a FROM t WHERE b = 'Bob' ORDER BY c LIMIT 3", null));
    assertNull(under("SELECT a FROM t WHERE b = 'bob' ORDER BY c LIMIT 3", null));
    assertNull(under("SELECT 'Bob' FROM t ORDER BY c LIMIT 3", null));
    assertNull(under("SELECT a FROM t WHERE b = 'Bob' ORDER BY c", null));
  }

  @Test
  void valuesOfAllRowsAreLookedAt() {
    gms.submit(
        CclRules.put(
            new CclRule(
                "r",
                new CclRule.Scope("*", "*"),
                ANYBODY,
                CclRule.Verb.INSERT,
                keywords("30", "33", "39"),
                CclRule.Limits.USUAL,
                0)));
    String rows = "INSERT INTO t VALUES (1,'x'),(30,'y'),(33,'z') ON DUPLICATE KEY UPDATE a = ";
    assertEquals("r", under(rows + "39", null));
    assertNull(under(rows + "38", null));
    assertNull(under("INSERT INTO t VALUES (33,'x'),(30,'y') ON DUPLICATE KEY UPDATE a=39", null));
  }

  @Test
  void manyRulesAreNoTrouble() {
    for (int i = 0; i < CclRules.MOST; i++) {
      rule("r" + i, "shop.t" + i, ANYBODY, keywords("k" + i));
    }
    assertNull(under("SELECT * FROM t", null));
    rule("last", "shop.t", ANYBODY, NONE);
    assertEquals("last", under("SELECT * FROM t", null));
    assertEquals(CclRules.MOST + 1, book.counts().size());
  }

  @Test
  void anOlderCatalogBringsNoRuleBack() {
    rule("r", "*.*", ANYBODY, NONE);
    Catalog before = gms.catalog();
    assertEquals("r", under(before, "SELECT 1", null));
    gms.submit(CclRules.drop("r"));
    book.follow(gms.catalog());
    assertNull(under(before, "SELECT 1", null));
  }

  @Test
  void aRuleThatStaysKeepsItsCounts() {
    rule("r", "*.*", ANYBODY, NONE);
    under("SELECT 1", null);
    CclRule kept = book.counts().keySet().iterator().next();
    rule("s", "*.*", ANYBODY, NONE);
    under("SELECT 1", null);
    assertEquals(2, book.counts().get(kept).matched());
    ShapedText text = ShapedText.of("SELECT 1");
    ShapeRules rules = book.of(gms.catalog(), READ, text, "", () -> Needs.NONE);
    assertNotNull(rules);
    RuleTurnTest.Statement statement = new RuleTurnTest.Statement(text, null);
    assertSame(rules.find(statement), rules.find(statement));
    assertEquals(4, book.total().matched());
    assertEquals(1, book.total().knownShapes());
  }
}
