package io.alrai.common.secret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Against what mysqld 9.7.4 has in mysql.user. */
class PasswordHashTest {
  private static final String SECRET =
      "244124303041243F2579351A776D5E26323271450A5B115E1B1353765147775147"
          + "48506F344950355A33516E314941454A6D70576237582E5A6C335A355458786E3755587634";
  private static final String NOT_ASCII =
      "24412430304124225C764646275A542150427B704C5A7D2712053275482F776A68"
          + "3030794E7871536A6A594269756D2E4C6A67356C48714B70497556567953653375414F3636";
  private static final String ONE_LETTER =
      "24412430304124024E0B7E4D711A736541775A3A2849193232180C587778477031"
          + "73586B454C7155514331304E653035364F2E533877547A645962394243487556496A4E5035";

  private static PasswordHash ofMysqld(String hex) {
    String text = new String(HexFormat.of().parseHex(hex), StandardCharsets.ISO_8859_1);
    PasswordHash hash = PasswordHash.parse(text).orElseThrow();
    assertEquals(text, hash.text());
    assertEquals(10, hash.thousands());
    return hash;
  }

  private static byte[] bytes(String password) {
    return password.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void passwordsOfAMysqldAreRecognized() {
    assertTrue(ofMysqld(SECRET).matches(bytes("secret")));
    assertFalse(ofMysqld(SECRET).matches(bytes("secreT")));
    assertFalse(ofMysqld(SECRET).matches(bytes("")));
    assertTrue(ofMysqld(NOT_ASCII).matches(bytes("pässwörd")));
    assertTrue(ofMysqld(ONE_LETTER).matches(bytes("p")));
  }

  /** The vectors of the algorithm's specification, whose salts are of 16 characters at most. */
  @Test
  void digestsAreThoseOfTheSpecification() {
    assertEquals("5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5", digest("saltstring", 5000));
    assertEquals("3xv.VbSHBb41AL9AvLeujZkZRBAwqFMz2.opqey6IcA", digest("saltstringsaltst", 10_000));
  }

  private static String digest(String salt, int rounds) {
    return Sha256Crypt.digest(bytes("Hello world!"), bytes(salt), rounds);
  }

  @Test
  void noTwoAreAlike() {
    PasswordHash one = PasswordHash.of(bytes("x"));
    PasswordHash other = PasswordHash.of(bytes("x"));
    assertNotEquals(one, other);
    assertTrue(one.matches(bytes("x")));
    assertTrue(other.matches(bytes("x")));
    assertEquals(Optional.of(one), PasswordHash.parse(one.text()));
    byte[] longest = bytes("y".repeat(256));
    assertTrue(PasswordHash.of(longest).matches(longest));
    assertFalse(one.matches(bytes("x".repeat(257))));
    assertFalse(one.toString().contains(one.digest()));
  }

  @Test
  void whatIsNotOfTheFormIsNone() {
    String salted = "a".repeat(20) + "1".repeat(43);
    assertEquals(15, PasswordHash.parse("$A$00F$" + salted).orElseThrow().thousands());
    assertEquals(4095, PasswordHash.parse("$A$FFF$" + salted).orElseThrow().thousands());
    for (String text :
        List.of(
            "",
            "$A$005$",
            "$A$005$" + salted + "1",
            "$A$005$" + salted.substring(1),
            "$A$000$" + salted,
            "$A$00Z$" + salted,
            "$A$05$" + salted,
            "$B$005$" + salted,
            "$A$005$\u00e4" + salted.substring(1))) {
      assertEquals(Optional.empty(), PasswordHash.parse(text), text);
    }
  }
}
