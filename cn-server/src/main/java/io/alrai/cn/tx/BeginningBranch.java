package io.alrai.cn.tx;

import io.alrai.cn.branch.Commands;
import io.alrai.cn.snapshot.ForwardingBranch;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.backend.Semicolons;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * A branch whose first command is a text, and goes after the statements that begin the branch, in
 * one text with them: mysqld stops a text at its first error, so that nothing runs on a branch that
 * has not begun. A text that might have a second statement is sent by itself after the branch has
 * begun, because a second statement must be refused. Event loop only.
 */
final class BeginningBranch extends ForwardingBranch {
  private final byte[] beginning;
  private final int statements;
  private boolean begun;

  /**
   * A branch that has not begun.
   *
   * @param beginning statements without rows, with semicolons between them
   * @param statements how many
   */
  BeginningBranch(Branch branch, Sql beginning, int statements) {
    super(branch);
    this.beginning = beginning.text().getBytes(StandardCharsets.UTF_8);
    this.statements = statements;
  }

  @Override
  public void send(ByteBuf command, ReplyKind reply, ReplySink sink) {
    if (begun) {
      super.send(command, reply, sink);
      return;
    }
    begun = true;
    if (Semicolons.mayFollow(command)) {
      super.require(Commands.query(command.alloc(), beginning), ReplyKind.SEVERAL);
      super.send(command, reply, sink);
      return;
    }
    int text = command.readerIndex() + Packets.HEADER + 1;
    if (command.getByte(text - 1) != Command.QUERY || reply != ReplyKind.RESULTS) {
      throw new IllegalStateException("a branch begins with another command than a text");
    }
    int length = command.writerIndex() - text;
    ByteBuf whole = command.alloc().buffer(Packets.HEADER + 1 + beginning.length + 1 + length);
    int header = Packets.begin(whole, 0);
    whole.writeByte(Command.QUERY).writeBytes(beginning).writeByte(';');
    whole.writeBytes(command, text, length);
    Packets.end(whole, header);
    command.release();
    super.send(whole, ReplyKind.SEVERAL, new OwnReply(sink));
  }

  /** The error when it is not known whether the statement has run. */
  private AlraiException outOfStep() {
    return new AlraiException(
        ErrorCode.CR_SERVER_LOST, "the mysqld of " + dn() + " gave no answer to a statement");
  }

  /**
   * Passes on the statement's own answer, without those of the statements that begin the branch.
   */
  private final class OwnReply implements ReplySink {
    private final ReplySink reply;
    private int left = statements;
    private boolean failed;

    OwnReply(ReplySink reply) {
      this.reply = reply;
    }

    @Override
    public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
      if (failed) {
        return;
      }
      if (left == 0) {
        int sequence = header + Packets.HEADER - 1;
        buf.setByte(sequence, buf.getByte(sequence) - statements);
        reply.packet(kind, buf, header, length);
      } else if (kind == PacketKind.ERR) {
        fail(ErrPacket.parse(buf, header + Packets.HEADER, length - Packets.HEADER).toException());
      } else if (kind == PacketKind.OK) {
        left--;
      } else {
        fail(outOfStep());
      }
    }

    private void fail(AlraiException reason) {
      failed = true;
      close();
      reply.failed(reason);
    }

    @Override
    public void chunkEnd() {
      if (!failed) {
        reply.chunkEnd();
      }
    }

    @Override
    public void end(int status) {
      if (left > 0 && !failed) {
        fail(outOfStep());
      } else if (!failed) {
        reply.end(status);
      }
    }

    @Override
    public void failed(AlraiException reason) {
      if (!failed) {
        reply.failed(reason);
      }
    }
  }
}
