package io.alrai.common.type;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class CharacterBytesTest {
  private static void assertWhole(boolean whole, String charset, String hex) {
    byte[] text = HexFormat.of().parseHex(hex);
    assertEquals(whole, CharacterBytes.of(charset).areWhole(text), charset + " " + hex);
  }

  @Test
  void wholeCharacters() {
    for (String whole :
        new String[] {"", "61", "c3a4", "e0a080", "ed9fbf", "f0908080", "f48fbfbf"}) {
      assertWhole(true, "utf8mb4", whole);
    }
    for (String half :
        new String[] {
          "c3", "c361", "80", "c080", "e08080", "eda080", "f0808080", "f4908080", "ff"
        }) {
      assertWhole(false, "utf8mb4", half);
    }
    assertWhole(false, "utf8mb3", "f0908080");
    assertWhole(true, "latin1", "ff");
    assertWhole(true, "sjis", "955cb1");
    assertWhole(false, "sjis", "950a");
    assertWhole(true, "ujis", "8fa1a18eb1");
    assertWhole(false, "ujis", "8fa161");
    assertWhole(true, "gb18030", "8130813081fe41");
    assertWhole(false, "gb18030", "81308141");
  }

  @Test
  void wrongBytesInAnotherCharacterSet() {
    byte[] text = HexFormat.of().parseHex("61c361ffc3a4e2");
    assertArrayEquals(
        HexFormat.of().parseHex("613f613fc3a4"), CharacterBytes.of("utf8mb4").marked(text));
  }
}
