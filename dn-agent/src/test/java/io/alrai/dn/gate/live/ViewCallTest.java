package io.alrai.dn.gate.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
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

  private int followed;
  private final Runnable follower = () -> followed++;

  @Test
  void somethingFollowsAnOpeningThatIsNotRepeated() {
    ViewCall call = call(false);
    call.showBehind("SELECT WAIT");
    mysqldAnswers();
    call.undo();
    mysqldAnswers();
    assertEquals(0, followed);
    call.show();
    assertEquals(1, followed, "before the mysqld has answered");
  }

  @Test
  void theCnIsAnsweredWhenNothingMoreComesFromTheMysqldForIt() {
    ViewCall call = call(false);
    call.show();
    mysqldAnswers();
    Opening refused = new Opening.Refused(new HlcTimestamp(8));
    call.answer(refused);
    assertFalse(call.done().isDone(), "the reply to the undoing would be taken for the CN's");
    mysqldAnswers();
    assertEquals(refused, call.done().join());
    assertEquals(List.of("XA START", "XA ROLLBACK"), sent());
  }

  @Test
  void aViewOfBeforeIsUndoneOnce() {
    ViewCall call = call(true);
    call.showBehind("SELECT WAIT");
    mysqldAnswers();
    call.undo();
    mysqldAnswers();
    call.show();
    mysqldAnswers();
    call.answer(new Opening.Open());
    assertEquals(new Opening.Open(), call.done().join());
    assertEquals(List.of("SELECT WAIT;XA ROLLBACK;XA START", "XA ROLLBACK", "XA START"), sent());
  }

  @Test
  void aPlainViewEndsThatOfBefore() {
    channel.pipeline().addLast(branch);
    ViewCall call =
        new ViewCall(
            branch,
            new HlcTimestamp(7),
            "START TRANSACTION READ ONLY",
            "ROLLBACK",
            true,
            follower,
            0);
    call.showBehind("SELECT WAIT");
    mysqldAnswers();
    call.undo();
    mysqldAnswers();
    assertEquals(List.of("SELECT WAIT;START TRANSACTION READ ONLY", "ROLLBACK"), sent());
  }

  @Test
  void aViewOfBeforeDoesNotOutliveARefusal() {
    ViewCall call = call(true);
    call.answer(new Opening.Refused(new HlcTimestamp(8)));
    assertEquals(List.of("XA ROLLBACK"), sent());
    mysqldAnswers();
    assertTrue(call.done().isDone());
  }

  @Test
  void itIsOverOnceItIsAnswered() {
    ViewCall call = call(false);
    assertFalse(call.over());
    call.answer(new Opening.Refused(new HlcTimestamp(8)));
    assertTrue(call.over(), "what was about to be sent would be taken for the CN's");
    assertEquals(List.of(), sent());
  }

  private ViewCall call(boolean again) {
    channel.pipeline().addLast(branch);
    return new ViewCall(branch, new HlcTimestamp(7), "XA START", "XA ROLLBACK", again, follower, 0);
  }

  /** The texts that the mysqld got. */
  private List<String> sent() {
    List<String> texts = new ArrayList<>();
    ByteBuf packet;
    while ((packet = channel.readOutbound()) != null) {
      packet.skipBytes(Packets.HEADER + 1);
      texts.add(packet.toString(StandardCharsets.UTF_8));
      packet.release();
    }
    return texts;
  }

  private void mysqldAnswers() {
    ByteBuf ok = Unpooled.buffer();
    Packets.writeOk(ok, 1, new OkPacket(0, 0, 2, 0, ""));
    channel.writeInbound(ok);
  }
}
