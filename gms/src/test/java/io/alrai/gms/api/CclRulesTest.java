package io.alrai.gms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.gms.client.LocalGms;
import java.util.List;
import org.junit.jupiter.api.Test;

/** CCL rules among the settings of a catalog. */
class CclRulesTest {
  private final LocalGms gms = new LocalGms(() -> 1_000);

  private static CclRule rule(String name, long created, String... words) {
    return new CclRule(
        name,
        new CclRule.Scope("it's\\n a \"db\"", "t\n`x`"),
        new CclRule.Client("ü\\", "10.%"),
        CclRule.Verb.UPDATE,
        new CclRule.Filter(List.of(words), List.of("ab", "cd")),
        new CclRule.Limits(1, 2, 3, false),
        created);
  }

  @Test
  void theyAreReadAsTheyWereWritten() {
    CclRule second = rule("B \\ \n'", 7, "a\nb", "", "\\n");
    CclRule first = rule("zz", 3);
    gms.submit(CclRules.put(second));
    long version = gms.submit(CclRules.put(first)).version();
    assertEquals(List.of(first, second), CclRules.of(gms.catalog()));
    assertTrue(CclRules.has(gms.catalog(), "ZZ"));
    assertTrue(CclRules.has(gms.catalog(), "b \\ \n'"));
    assertEquals(2, CclRules.count(gms.catalog()));
    assertTrue(gms.submit(CclRules.drop("Zz")).version() > version);
    assertFalse(CclRules.has(gms.catalog(), "zz"));
    gms.submit(CclRules.put(first));
    gms.submit(new CatalogCommand.PutSetting("global.x", "1"));
    gms.submit(CclRules.clear(gms.catalog()));
    assertEquals(List.of(), CclRules.of(gms.catalog()));
    assertEquals(1, gms.catalog().settings().size());
  }

  @Test
  void oneOfALaterVersionIsLeftOut() {
    gms.submit(new CatalogCommand.PutSetting("ccl.r", "2\nwhatever"));
    assertEquals(List.of(), CclRules.of(gms.catalog()));
    assertTrue(CclRules.has(gms.catalog(), "r"));
  }
}
