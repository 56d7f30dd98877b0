package io.alrai.common.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.Test;

final class ReplyFramerTest {
  private static final int MORE = ServerStatus.AUTOCOMMIT | ServerStatus.MORE_RESULTS_EXISTS;

  private final ReplyFramer framer = new ReplyFramer();

  private PacketKind accept(int... payload) {
    ByteBuf buf = Unpooled.buffer();
    for (int each : payload) {
      buf.writeByte(each);
    }
    // what follows in the buffer is another packet's
    int length = buf.writerIndex();
    buf.writeZero(32);
    return framer.accept(buf, 0, length);
  }

  private void violates(int... payload) {
    assertThrows(ReplyFramer.Violation.class, () -> accept(payload));
  }

  private static int[] ok(int status) {
    return new int[] {0, 0, 0, status, 0, 0, 0};
  }

  @Test
  void aResultIsFollowedToItsEnd() {
    framer.begin(ReplyKind.RESULTS);
    assertEquals(PacketKind.COLUMN_COUNT, accept(2));
    assertEquals(PacketKind.COLUMN, accept(3, 'd', 'e', 'f'));
    assertEquals(PacketKind.LAST_COLUMN, accept(3, 'd', 'e', 'f'));
    assertEquals(PacketKind.ROW, accept(0xfb, 0xfb));
    assertEquals(PacketKind.ROW, accept(0, 0));
    assertFalse(framer.done());
    assertEquals(PacketKind.RESULT_END, accept(0xfe, 0, 0, MORE, 0, 0, 0));
    assertFalse(framer.done());
    assertEquals(PacketKind.OK, accept(ok(ServerStatus.AUTOCOMMIT)));
    assertTrue(framer.done());
    assertEquals(ServerStatus.AUTOCOMMIT, framer.status());
    violates(ok(2));
  }

  @Test
  void anErrorEndsAReplyWhereverItComes() {
    framer.begin(ReplyKind.RESULTS);
    accept(1);
    assertEquals(PacketKind.ERR, accept(0xff, 0x10, 4));
    assertTrue(framer.done());
    framer.begin(ReplyKind.PREPARE);
    accept(0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0);
    assertEquals(PacketKind.ERR, accept(0xff, 0x10, 4));
    assertTrue(framer.done());
  }

  @Test
  void nobodyIsAskedForAFile() {
    framer.begin(ReplyKind.RESULTS);
    violates(0xfb, 'f');
    framer.begin(ReplyKind.STATUS);
    violates(0xfb, 'f');
  }

  @Test
  void aFileIsWantedOnce() {
    framer.begin(ReplyKind.FILE);
    assertEquals(PacketKind.FILE_WANTED, accept(0xfb, 'x'));
    assertFalse(framer.done());
    violates(0xfb, 'x');
    framer.begin(ReplyKind.FILE);
    assertEquals(PacketKind.FILE_WANTED, accept(0xfb, 'x'));
    assertEquals(PacketKind.OK, accept(ok(ServerStatus.AUTOCOMMIT)));
    assertTrue(framer.done());
    framer.begin(ReplyKind.FILE);
    assertEquals(PacketKind.ERR, accept(0xff, 0x10, 4));
    assertTrue(framer.done());
    framer.begin(ReplyKind.FILE);
    violates(1);
  }

  @Test
  void oneAnswerIsOne() {
    framer.begin(ReplyKind.STATUS);
    violates(ok(MORE));
    framer.begin(ReplyKind.STATUS);
    violates(1);
  }

  @Test
  void whatIsCutOffIsNotReadIntoTheNextPacket() {
    int[][] starts = {
      {}, {0}, {0, 0}, {0, 0, 0, 2}, {0, 0xfe, 0, 2, 0, 0, 0}, {0xff, 1}, {0xfc, 1}
    };
    for (int[] start : starts) {
      framer.begin(ReplyKind.RESULTS);
      violates(start);
    }
    framer.begin(ReplyKind.PREPARE);
    violates(0, 1, 0, 0, 0, 1, 0, 1, 0);
    framer.begin(ReplyKind.RESULTS);
    accept(1);
    violates(0);
    framer.begin(ReplyKind.RESULTS);
    accept(1);
    accept(3, 'd', 'e', 'f');
    violates(0xfe, 0, 0);
  }

  @Test
  void thereAreNoMoreColumnsThanMysqldCanHave() {
    framer.begin(ReplyKind.RESULTS);
    violates(0xfc, 1, 0x10);
    framer.begin(ReplyKind.RESULTS);
    violates(0xfe, 0, 0, 0, 0, 0, 0, 0, 0x80);
    framer.begin(ReplyKind.RESULTS);
    assertEquals(PacketKind.COLUMN_COUNT, accept(0xfc, 0, 0x10));
  }
}
