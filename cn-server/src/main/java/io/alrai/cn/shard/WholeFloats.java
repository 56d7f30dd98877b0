package io.alrai.cn.shard;

import io.alrai.cn.branch.BranchStatements;
import io.alrai.cn.branch.Commands;
import io.alrai.cn.branch.StatementIdSink;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Set;

/**
 * A query whose rows come in the form of STMT_EXECUTE, the only one that has all digits of a FLOAT:
 * it is prepared, run once and closed. What the mysqld cannot prepare runs as text. Event loop
 * only.
 */
final class WholeFloats implements ShardStatement {
  private static final Set<Integer> AS_TEXT =
      Set.of(
          ErrorCode.ER_MAX_PREPARED_STMT_COUNT_REACHED.errno(),
          ErrorCode.ER_UNSUPPORTED_PS.errno());

  private final byte[] sql;
  private final String home;
  private boolean binaryRows = true;

  WholeFloats(byte[] sql, String home) {
    this.sql = sql;
    this.home = home;
  }

  @Override
  public String home() {
    return home;
  }

  @Override
  public boolean isSmallText() {
    return false;
  }

  @Override
  public boolean binaryRows() {
    return binaryRows;
  }

  @Override
  public void send(Branch branch, ReplySink reply) {
    binaryRows = true;
    branch.send(
        Commands.command(ByteBufAllocator.DEFAULT, Command.STMT_PREPARE, sql),
        ReplyKind.PREPARE,
        new StatementIdSink(id -> run(branch, id, reply), new Unprepared(branch, reply)));
    branch.flush();
  }

  private static void run(Branch branch, int id, ReplySink reply) {
    ByteBuf out = ByteBufAllocator.DEFAULT.buffer(16);
    int header = Packets.begin(out, 0);
    out.writeByte(Command.STMT_EXECUTE).writeIntLE(id).writeByte(0).writeIntLE(1);
    Packets.end(out, header);
    branch.send(out, ReplyKind.RESULTS, reply);
    branch.sendQuietly(BranchStatements.closeCommand(id));
    branch.flush();
  }

  /** The error of the statement, unless only its preparation has it. */
  private final class Unprepared implements ReplySink {
    private final Branch branch;
    private final ReplySink reply;

    Unprepared(Branch branch, ReplySink reply) {
      this.branch = branch;
      this.reply = reply;
    }

    @Override
    public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
      int payload = header + Packets.HEADER;
      binaryRows =
          kind != PacketKind.ERR
              || !AS_TEXT.contains(
                  ErrPacket.parse(buf, payload, length - Packets.HEADER).toException().errno());
      if (binaryRows) {
        reply.packet(kind, buf, header, length);
      }
    }

    @Override
    public void chunkEnd() {
      if (binaryRows) {
        reply.chunkEnd();
      }
    }

    @Override
    public void end(int status) {
      if (binaryRows) {
        reply.end(status);
      } else {
        ShardStatement.text(sql, home).send(branch, reply);
      }
    }

    @Override
    public void failed(AlraiException reason) {
      reply.failed(reason);
    }
  }
}
