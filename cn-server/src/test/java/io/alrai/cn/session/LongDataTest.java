package io.alrai.cn.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LongDataTest {
  private static final int MOST = 16 << 20;
  private static final long ROOM = 64 << 20;

  private final AtomicLong room = new AtomicLong(ROOM);
  private final LongData data = new LongData(room);

  private void send(int parameter, int bytes) {
    ByteBuf piece = Unpooled.buffer(bytes).writeZero(bytes);
    data.add(parameter, 2, piece, MOST);
    piece.release();
  }

  private int refusal() {
    return assertThrows(AlraiException.class, data::check).errno();
  }

  @Test
  void piecesBecomeValues() {
    data.add(1, 2, Unpooled.wrappedBuffer(new byte[] {1, 2}), MOST);
    data.add(0, 2, Unpooled.EMPTY_BUFFER, MOST);
    data.add(1, 2, Unpooled.wrappedBuffer(new byte[] {3}), MOST);
    data.check();
    assertArrayEquals(new byte[] {1, 2, 3}, data.get(1));
    assertArrayEquals(new byte[0], data.get(0));
    data.clear();
    assertTrue(data.isEmpty());
    assertEquals(ROOM, room.get());
  }

  /** Sixteen thousand pieces of a value are not copied sixteen thousand times. */
  @Test
  void manyPieces() {
    assertTimeoutPreemptively(
        Duration.ofSeconds(20),
        () -> {
          for (int i = 0; i < 16 << 10; i++) {
            send(0, 1 << 10);
          }
        });
    data.check();
    assertEquals(MOST, data.get(0).length);
  }

  @Test
  void aValueHasTheBoundOfAPacket() {
    send(0, MOST);
    data.check();
    send(0, 1);
    assertEquals(1105, refusal());
    assertTrue(data.isEmpty(), "nothing of it is kept");
    assertEquals(ROOM, room.get());
    send(0, 1);
    assertEquals(1105, refusal(), "until it is reset");
    data.reset();
    send(0, 1);
    data.check();
  }

  @Test
  void allTogetherHaveABound() {
    LongData other = new LongData(room);
    send(0, MOST);
    ByteBuf piece = Unpooled.buffer(MOST).writeZero(MOST);
    other.add(0, 1, piece, MOST);
    other.check();
    send(1, 1);
    assertEquals(1041, refusal());
    other.add(0, 1, Unpooled.EMPTY_BUFFER, MOST);
    other.check();
    piece.release();
  }

  @Test
  void thereIsNoSuchParameter() {
    send(2, 1);
    assertEquals(1210, refusal());
  }
}
