package io.alrai.dn.backend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.ReadWatch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PipelinedBranchTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final List<String> home = new ArrayList<>();
  private final PipelinedBranch branch =
      new PipelinedBranch(
          new DnId("dn-1"),
          channel,
          7,
          new PipelinedBranch.Home() {
            @Override
            public void returned(PipelinedBranch returned) {
              home.add(returned.alive() ? "returned" : "returned dead");
            }

            @Override
            public void lost(PipelinedBranch lost) {
              home.add("lost");
            }
          },
          ReadWatch.NONE);

  PipelinedBranchTest() {
    channel.pipeline().addLast(branch);
  }

  private void send() {
    branch.send(Unpooled.wrappedBuffer(new byte[] {1, 0, 0, 0, 14}), ReplyKind.STATUS, NOTHING);
    branch.flush();
  }

  private boolean sent() {
    ByteBuf out = channel.readOutbound();
    if (out != null) {
      out.release();
    }
    return out != null;
  }

  private void answer() {
    ByteBuf ok = Unpooled.buffer();
    Packets.writeOk(ok, 1, new OkPacket(0, 0, 2, 0, ""));
    channel.writeInbound(ok);
  }

  @Test
  void aHeldBranchSendsNothingMore() {
    send();
    assertTrue(sent());
    branch.hold();
    branch.hold();
    answer();
    send();
    branch.resume();
    assertFalse(sent());
    branch.resume();
    assertTrue(sent());
    answer();
    assertFalse(branch.busy());
  }

  @Test
  void aHeldBranchServesNobodyElseUntilTheKillIsThrough() {
    send();
    assertTrue(branch.busy());
    branch.hold();
    answer();
    branch.release();
    assertEquals(List.of(), home);
    branch.resume();
    assertEquals(List.of("returned"), home);
  }

  @Test
  void aBranchThatIsKeptServesNobodyElseUntilWhatIsPreparedOnItIsEnded() {
    branch.keep();
    branch.release();
    assertEquals(List.of(), home);
    send();
    assertTrue(sent(), "it can still be told to end it");
    answer();
    branch.hold();
    branch.letGo();
    assertEquals(List.of(), home);
    branch.resume();
    assertEquals(List.of("returned"), home);
  }

  @Test
  void aBranchThatWasKeptAndNotGivenBackStaysItsHolders() {
    branch.keep();
    branch.letGo();
    assertEquals(List.of(), home);
    branch.release();
    assertEquals(List.of("returned"), home);
  }

  @Test
  void aHeldBranchThatBreaksIsNoMatterForItsHolder() {
    branch.hold();
    branch.release();
    channel.close();
    branch.resume();
    assertEquals(List.of("lost", "returned dead"), home);
    assertNull(channel.readOutbound());
    assertNotNull(branch.state());
  }

  private List<String> texts() {
    List<String> texts = new ArrayList<>();
    ByteBuf out;
    while ((out = channel.readOutbound()) != null) {
      texts.add(
          out.toString(Packets.HEADER + 1, out.readableBytes() - Packets.HEADER - 1, US_ASCII));
      out.release();
    }
    return texts;
  }

  @Test
  void aViewThatNobodyNeedsEndsBeforeTheNextCommand() {
    branch.releaseViewed();
    assertEquals(List.of("returned"), home);
    assertEquals(List.of(), texts());
    send();
    assertEquals(List.of("COMMIT", ""), texts());
    answer();
    answer();
    assertFalse(branch.busy());
    send();
    assertEquals(List.of(""), texts());
  }

  @Test
  void whoInheritsAViewEndsIt() {
    assertFalse(branch.inherits());
    branch.releaseViewed();
    assertTrue(branch.inherits());
    assertFalse(branch.inherits());
    send();
    assertEquals(List.of(""), texts());
  }

  @Test
  void aBranchWhoseViewDoesNotEndIsClosed() {
    branch.releaseViewed();
    assertFalse(branch.endOldView());
    assertEquals(List.of(), texts());
    assertTrue(branch.endOldView());
    assertEquals(List.of("COMMIT"), texts());
    ByteBuf error = Unpooled.buffer();
    Packets.writeErr(error, 1, 1317, "70100", "Query execution was interrupted");
    channel.writeInbound(error);
    assertFalse(branch.alive());
  }

  @Test
  void aViewBehindAStatementEndsAtOnce() {
    send();
    branch.releaseViewed();
    assertEquals(List.of("", "COMMIT"), texts());
    answer();
    assertEquals(List.of(), home);
    answer();
    assertEquals(List.of("returned"), home);
    assertFalse(branch.inherits());
  }

  private static final ReplySink NOTHING =
      new ReplySink() {
        @Override
        public void packet(PacketKind kind, ByteBuf buf, int header, int length) {}

        @Override
        public void chunkEnd() {}

        @Override
        public void end(int status) {}

        @Override
        public void failed(AlraiException reason) {}
      };
}
