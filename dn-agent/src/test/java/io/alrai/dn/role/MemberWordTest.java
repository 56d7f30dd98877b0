package io.alrai.dn.role;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.dn.RecordedBytes;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class MemberWordTest {
  @Test
  void itIsReadAsItWasWritten() {
    for (MemberWord word : new MemberWord[] {new MemberWord(-1, ""), new MemberWord(7, "größer")}) {
      assertEquals(word, MemberWord.decode(word.encode()));
    }
  }

  /** What the release before this one says. */
  @Test
  void itIsWrittenAndReadAsByThatOne() {
    MemberWord word = new MemberWord(1L << 40, "größer");
    byte[] recorded =
        Objects.requireNonNull(
            RecordedBytes.compared("member-word-1", Map.of("Word", word.encode())).get("Word"));
    assertEquals(word, MemberWord.decode(recorded));
  }

  @Test
  void whatIsNoneIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> MemberWord.decode(new byte[0]));
    assertThrows(IllegalArgumentException.class, () -> MemberWord.decode(new byte[] {2, 0}));
    assertThrows(IllegalArgumentException.class, () -> MemberWord.decode(new byte[] {1, 0}));
  }
}
