package io.alrai.cn.analytic;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.cn.settings.SessionSettings;
import io.alrai.cn.settings.SettingsRegistry;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SessionFitTest {
  private static Optional<String> obstacle(String name, String literal) {
    SettingsRegistry registry = new SettingsRegistry();
    SessionSettings settings = registry.with(registry.defaults(), Map.of(name, literal));
    return SessionFit.obstacle(settings, "SELECT 1");
  }

  @Test
  void whatClientsSetAtEveryConnectPasses() {
    assertEquals(Optional.empty(), obstacle("character_set_results", "NULL"));
    assertEquals(Optional.empty(), obstacle("sql_select_limit", "10"));
    assertEquals(Optional.empty(), obstacle("transaction_isolation", "'READ-COMMITTED'"));
    assertEquals(
        Optional.empty(),
        obstacle("sql_mode", "'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,ANSI_QUOTES'"));
    assertEquals(Optional.empty(), obstacle("sql_mode", "''"));
  }

  @Test
  void whatGivesExpressionsAnotherMeaningDoesNot() {
    assertEquals(
        Optional.of("the session's sql_mode = 'PIPES_AS_CONCAT'"),
        obstacle("sql_mode", "'PIPES_AS_CONCAT'"));
    // LIKE has no escape character then
    assertEquals(
        Optional.of("the session's sql_mode = 'NO_BACKSLASH_ESCAPES'"),
        obstacle("sql_mode", "'NO_BACKSLASH_ESCAPES'"));
    assertEquals(
        Optional.of("the session's div_precision_increment = 9"),
        obstacle("div_precision_increment", "9"));
    assertEquals(
        Optional.of("the session's collation_connection = 'utf8mb4_bin'"),
        obstacle("collation_connection", "'utf8mb4_bin'"));
    assertEquals(
        Optional.of("the session's character_set_client = 'latin1'"),
        obstacle("character_set_client", "'latin1'"));
    assertEquals(
        Optional.of("the session's sql_big_selects = 0"), obstacle("sql_big_selects", "0"));
  }

  @Test
  void aHintThatSetsVariablesDoesNot() {
    SessionSettings none = new SettingsRegistry().defaults();
    assertEquals(
        Optional.of("the hint SET_VAR"),
        SessionFit.obstacle(none, "SELECT /*+ set_var(sql_mode='') */ 1"));
    assertEquals(Optional.empty(), SessionFit.obstacle(none, "SELECT 'SET_VAR'"));
  }
}
