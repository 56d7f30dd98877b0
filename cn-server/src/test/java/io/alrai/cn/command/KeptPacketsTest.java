package io.alrai.cn.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.wire.PacketKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What other CNs read of what agents keep for them. */
class KeptPacketsTest {
  /** Packets of so many bytes with these codes, after three other bytes. */
  private static ByteBuf packets(int bytes, int... codes) {
    ByteBuf all = Unpooled.buffer().writeMedium(0);
    for (int code : codes) {
      all.writeByte(code).writeMediumLE(bytes).writeByte(7).writeZero(bytes);
    }
    return all;
  }

  private static boolean whole(ByteBuf all) {
    return KeptPackets.areWhole(all, 3, all.readableBytes() - 3);
  }

  /** Another code needs another version of the envelope. */
  @Test
  void codesAreWhatTheyAre() {
    Map<PacketKind, Integer> codes = new EnumMap<>(PacketKind.class);
    for (PacketKind kind : PacketKind.values()) {
      byte code = KeptPackets.code(kind);
      if (code != KeptPackets.NEVER) {
        codes.put(kind, (int) code);
        assertEquals(kind, KeptPackets.kind(code));
      }
    }
    Map<PacketKind, Integer> fixed =
        Map.of(
            PacketKind.COLUMN_COUNT, 1,
            PacketKind.COLUMN, 2,
            PacketKind.LAST_COLUMN, 3,
            PacketKind.ROW, 4,
            PacketKind.RESULT_END, 5);
    assertEquals(fixed, codes);
  }

  @Test
  void aReplyHasItsPacketsInTheirOrder() {
    assertTrue(whole(packets(1, 1, 3, 5)));
    assertTrue(whole(packets(9, 1, 2, 2, 3, 4, 4, 5)));
    assertFalse(whole(packets(1)));
    assertFalse(whole(packets(1, 5)));
    assertFalse(whole(packets(1, 1, 5)));
    assertFalse(whole(packets(1, 1, 3, 2, 5)));
    assertFalse(whole(packets(1, 1, 3, 4)));
    assertFalse(whole(packets(1, 1, 3, 5, 5)));
    assertFalse(whole(packets(1, 1, 3, 5, 1, 3, 5)));
    assertFalse(whole(packets(1, 1, 3, 0, 5)));
    assertFalse(whole(packets(1, 1, 3, 6, 5)));
    assertFalse(whole(packets(1, 1, 3, 255, 5)));
  }

  @Test
  void itsPacketsFillIt() {
    ByteBuf all = packets(4, 1, 3, 4, 5);
    assertTrue(whole(all));
    for (int length = 0; length < all.readableBytes() - 3; length++) {
      assertFalse(KeptPackets.areWhole(all, 3, length), length + " bytes");
    }
    assertFalse(whole(all.copy().writeByte(5)));
    assertFalse(whole(all.copy().setMediumLE(4, 0xffffff)));
    assertFalse(whole(all.copy().setMediumLE(4, 3)));
    assertFalse(whole(packets(0, 1, 3, 5)));
  }
}
