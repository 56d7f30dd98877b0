package io.alrai.gms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ShownAccountTest {
  @Test
  void accountsAreLikeStrings() {
    assertEquals("'it\\'s'@'say \\\"x\\\"'", Account.shown("it's", "say \"x\""));
    assertEquals("'a\\\\b`c'@'%'", Account.shown("a\\b`c", "%"));
    assertEquals("'a\\nb\\rc\\Zd'@''", Account.shown("a\nb\rc\u001ad", ""));
  }

  @Test
  void rolesAreBetweenBackquotes() {
    assertEquals("`a`b's`@`h`", Account.shown(Account.key("a`b's", "h")));
  }
}
