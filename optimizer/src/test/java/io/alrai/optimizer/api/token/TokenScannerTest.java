package io.alrai.optimizer.api.token;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.alrai.optimizer.api.text.LexicalMode;
import io.alrai.optimizer.parse.TokenTexts;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Every lexical form of MySQL. */
final class TokenScannerTest {
  private static final LexicalMode ANSI = new LexicalMode(StandardCharsets.UTF_8, true, false);
  private static final LexicalMode RAW = new LexicalMode(StandardCharsets.UTF_8, false, true);

  @Test
  void words() {
    assertTokens("a$b _c é1 1a 0X41", "WORD:a$b WORD:_c WORD:é1 WORD:1a WORD:0X41");
    assertTokens("`a``b` ``", "QUOTED:`a``b` QUOTED:``");
    assertTokens("t.1a.2 . x", "WORD:t DOT:. WORD:1a DOT:. WORD:2 DOT:. WORD:x");
    assertTokens("t.1e5", "WORD:t DOT:. WORD:1e5");
  }

  @Test
  void numbers() {
    assertTokens("1 .5 1. 1.5", "INTEGER:1 DECIMAL:.5 DECIMAL:1. DECIMAL:1.5");
    assertTokens("1e5 1E+5 1.5e-5 .5e1", "FLOAT:1e5 FLOAT:1E+5 FLOAT:1.5e-5 FLOAT:.5e1");
    assertTokens("1e 1e+", "WORD:1e WORD:1e OPERATOR:+");
    assertTokens("0x4f 0b01 0x 0xg 0b2", "HEX:0x4f BIT:0b01 WORD:0x WORD:0xg WORD:0b2");
    assertTokens("x'4F' X'' b'01' B'1'", "HEX:x'4F' HEX:X'' BIT:b'01' BIT:B'1'");
    assertTokens("x'4'", "BROKEN:x'4'");
    assertTokens("t .5", "WORD:t DECIMAL:.5");
  }

  @Test
  void strings() {
    assertTokens("'a''b' 'a\\'b' \"a\"\"b\"", "STRING:'a''b' STRING:'a\\'b' STRING:\"a\"\"b\"");
    assertTokens("n'x' N'y' n 'z'", "NATIONAL_STRING:n'x' NATIONAL_STRING:N'y' WORD:n STRING:'z'");
    assertTokens("_utf8mb4'x'", "WORD:_utf8mb4 STRING:'x'");
    assertTokens("'abc", "BROKEN:'abc");
    assertTokens("'abc\\'", "BROKEN:'abc\\'");
    assertTokens(ANSI, "\"a\\\" 'b'", "QUOTED:\"a\\\" STRING:'b'");
    assertTokens(RAW, "'a\\' 'b'", "STRING:'a\\' STRING:'b'");
  }

  @Test
  void variables() {
    assertTokens(
        "@a.b$c @'x y' @`q` @\"z\"",
        "USER_VARIABLE:@a.b$c USER_VARIABLE:@'x y'" + " USER_VARIABLE:@`q` USER_VARIABLE:@\"z\"");
    assertTokens(
        "@@global.x @@`y` @",
        "SYSTEM_VARIABLE:@@global DOT:. WORD:x" + " SYSTEM_VARIABLE:@@`y` USER_VARIABLE:@");
    assertTokens("u@localhost", "WORD:u USER_VARIABLE:@localhost");
  }

  @Test
  void comments() {
    assertTokens("a -- b\nc", "WORD:a WORD:c");
    assertTokens("a --b\nc", "WORD:a OPERATOR:- OPERATOR:- WORD:b WORD:c");
    assertTokens("a --", "WORD:a");
    assertTokens("a # b\nc/*d*/e", "WORD:a WORD:c WORD:e");
    assertTokens("a /* b", "WORD:a BROKEN:/* b");
    assertTokens("/*+ h */ /*+*/ /* + */", "HINT:/*+ h */ HINT:/*+*/");
    assertTokens("5--1", "INTEGER:5 OPERATOR:- OPERATOR:- INTEGER:1");
  }

  @Test
  void versionComments() {
    assertTokens("/*! a */ b", "WORD:a WORD:b");
    assertTokens("/*!50110 a*/b", "WORD:a WORD:b");
    assertTokens("/*!90704 a*/b /*!90705 c*/ d", "WORD:a WORD:b WORD:d");
    assertTokens("/*!050110 a*/b", "WORD:a WORD:b");
    assertTokens("/*!99999 a /* b */ c */ d", "WORD:d");
    assertTokens("/*!50110 a -- */", "WORD:a BROKEN:");
    assertTokens("a /*! b", "WORD:a WORD:b BROKEN:");
    assertTokens("a */ b", "WORD:a OPERATOR:* OPERATOR:/ WORD:b");
  }

  @Test
  void operators() {
    assertTokens(
        "a<=>b<=c>=d<>e!=f<<g>>h||i&&j:=k->l->>m",
        "WORD:a OPERATOR:<=> WORD:b OPERATOR:<= WORD:c OPERATOR:>= WORD:d OPERATOR:<> WORD:e"
            + " OPERATOR:!= WORD:f OPERATOR:<< WORD:g OPERATOR:>> WORD:h OPERATOR:|| WORD:i"
            + " OPERATOR:&& WORD:j OPERATOR::= WORD:k ARROW:-> WORD:l ARROW:->> WORD:m");
    assertTokens("(?,?);", "OPEN:( PARAMETER:? COMMA:, PARAMETER:? CLOSE:) SEMICOLON:;");
    assertTokens("{d}\\", "OTHER:{ WORD:d OTHER:} OTHER:\\");
  }

  private static void assertTokens(String sql, String expected) {
    assertTokens(LexicalMode.DEFAULT, sql, expected);
  }

  private static void assertTokens(LexicalMode mode, String sql, String expected) {
    assertEquals(expected, TokenTexts.of(sql, mode));
  }
}
