package io.alrai.dn.gate.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.alrai.common.id.DnId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.link.ReadWatch;
import io.alrai.dn.link.ViewOpener.Opening;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

class ViewCallTest {
  private static final PipelinedBranch.Home HOME =
      new PipelinedBranch.Home() {
        @Override
        public void returned(PipelinedBranch branch) {}

        @Override
        public void lost(PipelinedBranch branch) {}
      };

  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final PipelinedBranch branch =
      new PipelinedBranch(new DnId("dn-1"), channel, 1, HOME, ReadWatch.NONE);

  @Test
  void theCnIsAnsweredWhenNothingMoreComesFromTheMysqldForIt() {
    channel.pipeline().addLast(branch);
    ViewCall call = new ViewCall(branch, new HlcTimestamp(7), "BEGIN", "ROLLBACK");
    call.run("BEGIN");
    mysqldAnswers();
    call.run("ROLLBACK");
    Opening refused = new Opening.Refused(new HlcTimestamp(8));
    call.answer(refused);
    assertFalse(call.done().isDone(), "the reply to ROLLBACK would be taken for the CN's");
    mysqldAnswers();
    assertEquals(refused, call.done().join());
    channel.releaseOutbound();
  }

  private void mysqldAnswers() {
    ByteBuf ok = Unpooled.buffer();
    Packets.writeOk(ok, 1, new OkPacket(0, 0, 2, 0, ""));
    channel.writeInbound(ok);
  }
}
