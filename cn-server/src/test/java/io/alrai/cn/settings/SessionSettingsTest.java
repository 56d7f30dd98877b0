package io.alrai.cn.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SessionSettingsTest {
  private final SettingsRegistry registry = new SettingsRegistry();
  private final SessionSettings plain = registry.defaults();

  @Test
  void aBranchGetsTheSessionsUserVariables() {
    SessionSettings mine = plain.withUserVariables(Map.of("a", "1", "odd `name`", "NULL"));
    assertEquals(
        "SET @`a`=1,@`odd ``name```=_binary'',@`odd ``name```=NULL", mine.difference(null).text());
    assertEquals(
        "SET @`a`=1,@`odd ``name```=_binary'',@`odd ``name```=NULL", mine.difference(plain).text());
  }

  @Test
  void nothingOfOneSessionIsLeftForTheNext() {
    SessionSettings mine = plain.withUserVariables(Map.of("a", "1", "b", "2"));
    SessionSettings other = plain.withUserVariables(Map.of("b", "3"));
    assertEquals(
        "SET @`a`=_binary'',@`a`=NULL,@`b`=_binary'',@`b`=NULL", plain.difference(mine).text());
    assertEquals("SET @`a`=_binary'',@`a`=NULL,@`b`=3", other.difference(mine).text());
  }

  @Test
  void withoutUserVariablesTheSettingsAreTheSameObject() {
    assertSame(plain, plain.withUserVariables(Map.of()));
  }

  @Test
  void checksAreOnAgainForTheNextSession() {
    SessionSettings without =
        registry.with(plain, Map.of("foreign_key_checks", "0", "unique_checks", "0"));
    assertEquals(
        "SET SESSION foreign_key_checks=@@GLOBAL.foreign_key_checks,"
            + "SESSION unique_checks=@@GLOBAL.unique_checks",
        plain.difference(without).text());
  }

  @Test
  void oneVariableCanBeLeftOut() {
    SessionSettings limited = registry.with(plain, Map.of("sql_select_limit", "5"));
    assertEquals(
        "SET SESSION sql_select_limit=DEFAULT",
        limited.without("sql_select_limit").difference(limited).text());
    assertSame(plain, plain.without("sql_select_limit"));
  }

  @Test
  void whatAStatementMayHaveAssignedIsSentAgain() {
    SessionSettings mine = plain.withUserVariables(Map.of("a", "1", "b", "2"));
    SessionSettings assigning = mine.doubting(Set.of("a"));
    assertEquals("", assigning.difference(mine).text());
    assertEquals("SET @`a`=1", mine.difference(assigning).text());
    assertEquals("SET @`a`=1", mine.difference(assigning.without("sql_select_limit")).text());
    assertSame(mine, mine.doubting(Set.of()));
  }

  @Test
  void textsOfSystemVariablesDoNotDependOnTheConnectionsCharacterSet() {
    SessionSettings mode = registry.with(plain, "sql_mode", "'ANSI_QUOTES'");
    assertEquals("SET SESSION sql_mode=_utf8mb4'ANSI_QUOTES'", mode.difference(null).text());
  }
}
