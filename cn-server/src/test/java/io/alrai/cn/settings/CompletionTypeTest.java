package io.alrai.cn.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.optimizer.api.AdminStatement.Wish;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CompletionTypeTest {
  @Test
  void whatTheStatementSaysWins() {
    for (CompletionType type : CompletionType.values()) {
      assertTrue(type.chains(Wish.YES));
      assertFalse(type.chains(Wish.NO));
      assertTrue(type.releases(Wish.YES));
      assertFalse(type.releases(Wish.NO));
      assertEquals(type == CompletionType.CHAIN, type.chains(Wish.UNSAID));
      assertEquals(type == CompletionType.RELEASE, type.releases(Wish.UNSAID));
    }
  }

  @Test
  void sessionsBeginWithTheGlobalOneAndNoBackendIsTold() {
    GlobalVariables globals =
        new GlobalVariables(
            () -> Map.of("global.completion_type", "'CHAIN'", "global.sql_mode", "''"));
    assertEquals(CompletionType.CHAIN, CompletionType.initial(globals));
    assertEquals(Map.of("sql_mode", "''"), globals.ofBackends());
    assertEquals(CompletionType.NO_CHAIN, CompletionType.initial(new GlobalVariables(Map::of)));
  }
}
