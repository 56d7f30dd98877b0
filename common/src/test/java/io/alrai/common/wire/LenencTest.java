package io.alrai.common.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

class LenencTest {
  @Test
  void whatIsWrittenIsRead() {
    for (int size : new int[] {0, 1, 250, 251, 0xffff, 0x10000, 1 << 24}) {
      ByteBuf buf = Unpooled.buffer();
      Lenenc.writeBytes(buf, new byte[size]);
      buf.writeByte(7);
      assertEquals(size, Lenenc.readBytes(buf).length);
      assertEquals(7, buf.readByte());
    }
  }

  @Test
  void nullHasNoBytes() {
    ByteBuf buf = Unpooled.wrappedBuffer(new byte[] {(byte) 0xfb, 7});
    assertArrayEquals(new byte[0], Lenenc.readBytes(buf));
    assertEquals(7, buf.readByte());
  }

  @Test
  void aStringThatIsSaidToBeLongerThanAllThereIsTakesNoMemory() {
    for (long length : new long[] {5, 0x7fffffff, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE, -1}) {
      ByteBuf buf = Unpooled.buffer();
      buf.writeByte(0xfe).writeLongLE(length).writeInt(0);
      assertThrows(IndexOutOfBoundsException.class, () -> Lenenc.readBytes(buf));
    }
  }
}
