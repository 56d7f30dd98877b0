package io.alrai.cn.branch;

import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.PacketKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;

/**
 * Passes the reply of a watched read on, unless the read was disturbed: then nothing of it, and it
 * must be done again. Event loop only.
 */
public final class WatchedReply implements ReplySink {
  private final ReplySink reply;
  private final Branch branch;
  private final Runnable again;
  private boolean begun;
  private boolean swallowing;

  /**
   * A sink around a reply's.
   *
   * @param branch watched before the read was sent
   * @param again runs when the reply of a disturbed read has ended
   */
  public WatchedReply(ReplySink reply, Branch branch, Runnable again) {
    this.reply = reply;
    this.branch = branch;
    this.again = again;
  }

  @Override
  public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
    if (!begun) {
      begun = true;
      swallowing = branch.disturbed();
    }
    if (!swallowing) {
      reply.packet(kind, buf, header, length);
    }
  }

  @Override
  public void chunkEnd() {
    if (!swallowing) {
      reply.chunkEnd();
    }
  }

  @Override
  public void end(int status) {
    if (swallowing) {
      again.run();
    } else {
      reply.end(status);
    }
  }

  @Override
  public void failed(AlraiException reason) {
    reply.failed(reason);
  }
}
