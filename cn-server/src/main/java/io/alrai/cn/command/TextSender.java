package io.alrai.cn.command;

import io.alrai.cn.shard.Commands;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;

/** Sends one command, as often as it takes. */
final class TextSender implements PinnedForward.Sender {
  private final ByteBuf command;

  /** Takes the buffer. */
  TextSender(ByteBuf command) {
    this.command = command;
  }

  @Override
  public void send(Branch branch, ReplySink reply) {
    branch.send(command.retainedDuplicate(), ReplyKind.RESULTS, reply);
    branch.flush();
  }

  @Override
  public boolean sendsText() {
    return command.readableBytes() < Commands.SMALL;
  }

  @Override
  public void over() {
    command.release();
  }
}
