package io.alrai.cn.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import org.junit.jupiter.api.Test;

class PreparedRoomTest {
  @Test
  void allSessionsTogetherHaveABoundAndLongTextsCountMore() {
    PreparedRoom room = new PreparedRoom(5);
    room.require(100);
    room.take(100);
    room.take(48 << 10);
    AlraiException refused = assertThrows(AlraiException.class, () -> room.require(1));
    assertEquals(1461, refused.errno());
    room.give(48 << 10);
    assertEquals(1, room.taken());
    room.require(1);
    assertThrows(AlraiException.class, () -> room.require(64 << 20));
  }

  @Test
  void aSmallHeapHasWhatMySqlHas() {
    PreparedRoom room = PreparedRoom.of(64 << 20);
    for (int i = 0; i < 16_382; i++) {
      room.require(10);
      room.take(10);
    }
    assertThrows(AlraiException.class, () -> room.require(10));
  }
}
