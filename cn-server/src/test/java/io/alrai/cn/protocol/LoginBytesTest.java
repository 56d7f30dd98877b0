package io.alrai.cn.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Where unfinished logins are kept, and how much of them. */
class LoginBytesTest {
  private final AtomicLong room = new AtomicLong(20_000);

  private static ByteBuf come(int bytes) {
    return Unpooled.directBuffer(bytes).writeZero(bytes);
  }

  private static ByteBuf all(LoginBytes kept, int pieces, int bytes) {
    ByteBuf whole = Unpooled.EMPTY_BUFFER;
    for (int i = 0; i < pieces; i++) {
      ByteBuf piece = come(bytes);
      whole = kept.cumulate(ByteBufAllocator.DEFAULT, whole, piece);
      assertEquals(0, piece.refCnt());
      assertFalse(whole.isDirect());
    }
    return whole;
  }

  @Test
  void usualLoginsAreFree() {
    LoginBytes kept = new LoginBytes(room);
    ByteBuf whole = all(kept, 40, 40);
    assertEquals(1600, whole.readableBytes());
    assertEquals(20_000, room.get());
    whole.release();
    kept.close();
    assertEquals(20_000, room.get());
  }

  @Test
  void largeOnesHaveABound() {
    LoginBytes first = new LoginBytes(room);
    ByteBuf whole = all(first, 9, 1000);
    assertEquals(20_000 - 16_384, room.get());
    LoginBytes second = new LoginBytes(room);
    ByteBuf piece = come(3000);
    assertThrows(
        LoginBytes.NoRoom.class,
        () -> second.cumulate(ByteBufAllocator.DEFAULT, Unpooled.EMPTY_BUFFER, piece));
    assertEquals(0, piece.refCnt());
    whole.release();
    first.close();
    second.close();
    assertEquals(20_000, room.get());
  }
}
