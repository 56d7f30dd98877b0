package io.alrai.common.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

class StateChangeTest {
  private static final StateChange CHANGE = new StateChange("v", "12");

  private final ByteBuf out = Unpooled.buffer();

  @Test
  void anOkTellsItBehindItsSentence() {
    Packets.writeOk(out, 1, new OkPacket(3, 0, 2, 0, "hi"), CHANGE);
    assertEquals(
        "12000001"
            + "00"
            + "03"
            + "00"
            + "0240"
            + "0000"
            + "026869"
            + "07"
            + "00"
            + "05"
            + "0176"
            + "023132",
        ByteBufUtil.hexDump(out));
  }

  @Test
  void withoutASentenceThereIsAnEmptyOneBeforeIt() {
    Packets.writeResultEnd(out, 9, 0, 2, CHANGE);
    assertEquals(
        "10000009"
            + "fe"
            + "00"
            + "00"
            + "0240"
            + "0000"
            + "00"
            + "07"
            + "00"
            + "05"
            + "0176"
            + "023132",
        ByteBufUtil.hexDump(out));
  }

  @Test
  void noChangeCostsNothing() {
    Packets.writeOk(out, 1, new OkPacket(0, 0, 2, 0, ""), StateChange.NONE);
    Packets.writeResultEnd(out, 2, 0, 2, StateChange.NONE);
    assertEquals(
        "07000001" + "00" + "0000" + "0200" + "0000" + "07000002" + "fe" + "0000" + "0200" + "0000",
        ByteBufUtil.hexDump(out));
  }

  @Test
  void whatNeedsLongerLengthsIsADefect() {
    assertThrows(
        IllegalArgumentException.class, () -> new StateChange("v", "x".repeat(200)).write(out));
  }
}
