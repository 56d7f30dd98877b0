package io.alrai.executor.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.TextCollation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TextsTest {
  /** Two strings off the heap. */
  private record Pair(MemorySegment one, MemorySegment other, TextCollation collation) {
    boolean equal() {
      return Texts.equal(
          one.address(), one.byteSize(), other.address(), other.byteSize(), collation.ordinal());
    }

    int compare() {
      return Integer.signum(
          Texts.compare(
              one.address(),
              one.byteSize(),
              other.address(),
              other.byteSize(),
              collation.ordinal()));
    }
  }

  private static Pair pair(Arena arena, String one, String other, TextCollation collation) {
    return new Pair(bytes(arena, one), bytes(arena, other), collation);
  }

  private static MemorySegment bytes(Arena arena, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    MemorySegment segment = arena.allocate(Math.max(1, bytes.length));
    MemorySegment.copy(MemorySegment.ofArray(bytes), 0, segment, 0, bytes.length);
    return segment.asSlice(0, bytes.length);
  }

  private static void same(String one, String other, TextCollation collation) {
    try (Arena arena = Arena.ofConfined()) {
      assertTrue(pair(arena, one, other, collation).equal());
      assertEquals(0, pair(arena, one, other, collation).compare());
      assertEquals(0, pair(arena, other, one, collation).compare());
    }
  }

  private static void less(String one, String other, TextCollation collation) {
    try (Arena arena = Arena.ofConfined()) {
      assertFalse(pair(arena, one, other, collation).equal());
      assertEquals(-1, pair(arena, one, other, collation).compare());
      assertEquals(1, pair(arena, other, one, collation).compare());
    }
  }

  private static void refused(String one, String other, TextCollation collation) {
    try (Arena arena = Arena.ofConfined()) {
      for (Pair pair :
          new Pair[] {pair(arena, one, other, collation), pair(arena, other, one, collation)}) {
        AlraiException equality = assertThrows(AlraiException.class, pair::equal);
        AlraiException order = assertThrows(AlraiException.class, pair::compare);
        assertEquals(ErrorCode.ER_NOT_SUPPORTED_YET.errno(), equality.errno());
        assertEquals(ErrorCode.ER_NOT_SUPPORTED_YET.errno(), order.errno());
      }
    }
  }

  @Test
  void stringsOfOtherLengthsAreNotEqualUnseen() {
    for (TextCollation folding :
        new TextCollation[] {TextCollation.UTF8MB4_0900_AI_CI, TextCollation.UTF8MB4_GENERAL_CI}) {
      refused("A", "ä", folding);
      refused("ae", "aé", folding);
      refused("ss", "ß", folding);
      refused("a", "a\u0301", folding);
      same("a", "A", folding);
      less("a", "ab", folding);
      less("ab", "Ba", folding);
      less("ab", "baä", folding);
    }
    refused("ab", "ab\u0001", TextCollation.UTF8MB4_0900_AI_CI);
    refused("", "\u0001", TextCollation.UTF8MB4_0900_AI_CI);
  }

  @Test
  void blanksAtTheEndCountWhereTheCollationDoesNotPad() {
    less("a", "a ", TextCollation.UTF8MB4_0900_AI_CI);
    less("a", "a ", TextCollation.UTF8MB4_0900_BIN);
    same("a", "A  ", TextCollation.UTF8MB4_GENERAL_CI);
    same("ä", "ä ", TextCollation.UTF8MB4_BIN);
    less("a\t", "a", TextCollation.UTF8MB4_BIN);
    less("ä", "äa", TextCollation.UTF8MB4_BIN);
  }
}
