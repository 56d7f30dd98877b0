package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class MemberWordTest {
  @Test
  void itIsReadAsItWasWritten() {
    for (MemberWord word : new MemberWord[] {new MemberWord(-1, ""), new MemberWord(7, "größer")}) {
      assertEquals(word, MemberWord.decode(word.encode()));
    }
  }

  @Test
  void whatIsNoneIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> MemberWord.decode(new byte[0]));
    assertThrows(IllegalArgumentException.class, () -> MemberWord.decode(new byte[] {2, 0}));
    assertThrows(IllegalArgumentException.class, () -> MemberWord.decode(new byte[] {1, 0}));
  }
}
