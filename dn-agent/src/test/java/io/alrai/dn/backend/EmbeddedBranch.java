package io.alrai.dn.backend;

import io.alrai.common.id.DnId;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.dn.link.ReadWatch;
import io.alrai.dn.link.Unfit;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;

/** A branch at the end of a channel whose other end is the test. */
final class EmbeddedBranch {
  static final long CONNECTION_ID = 7;

  final EmbeddedChannel channel = new EmbeddedChannel();

  /** What its home was notified of: returned, returned dead, lost, or why it is unfit. */
  final List<String> home = new ArrayList<>();

  final PipelinedBranch branch =
      new PipelinedBranch(
          new DnId("dn-1"),
          channel,
          CONNECTION_ID,
          new PipelinedBranch.Home() {
            @Override
            public void returned(PipelinedBranch returned) {
              home.add(returned.alive() ? "returned" : "returned dead");
            }

            @Override
            public void unfit(PipelinedBranch unfit, Unfit reason) {
              home.add(reason.label());
            }

            @Override
            public void lost(PipelinedBranch lost) {
              home.add("lost");
            }
          },
          ReadWatch.NONE);

  EmbeddedBranch() {
    channel.pipeline().addLast(branch);
  }

  /** The mysqld says OK: autocommit is on, no transaction open. */
  void answerOk() {
    ByteBuf ok = Unpooled.buffer();
    Packets.writeOk(ok, 1, new OkPacket(0, 0, 2, 0, ""));
    channel.writeInbound(ok);
  }
}
