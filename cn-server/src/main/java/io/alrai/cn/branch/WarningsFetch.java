package io.alrai.cn.branch;

import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Queue;

/**
 * Passes a reply on, and where it tells of warnings asks for them before it says that the reply is
 * complete: afterwards the branch may serve another statement. Event loop only.
 */
public final class WarningsFetch implements ReplySink {
  private final ReplySink reply;
  private final Branch branch;
  private final Queue<Condition> conditions;
  private int warnings;

  /**
   * A sink around a reply's.
   *
   * @param conditions takes the warnings; thread-safe
   */
  public WarningsFetch(ReplySink reply, Branch branch, Queue<Condition> conditions) {
    this.reply = reply;
    this.branch = branch;
    this.conditions = conditions;
  }

  @Override
  public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
    if (kind == PacketKind.OK || kind == PacketKind.RESULT_END) {
      warnings = OkPacket.parse(buf, header + Packets.HEADER, length - Packets.HEADER).warnings();
    }
    reply.packet(kind, buf, header, length);
  }

  @Override
  public void chunkEnd() {
    reply.chunkEnd();
  }

  @Override
  public void end(int status) {
    if (warnings == 0) {
      reply.end(status);
      return;
    }
    branch.send(
        Commands.query(ByteBufAllocator.DEFAULT, Sql.of("SHOW WARNINGS")),
        ReplyKind.RESULTS,
        new Rows(status));
    branch.flush();
  }

  @Override
  public void failed(AlraiException reason) {
    reply.failed(reason);
  }

  /** Rows of level, code and message. */
  private final class Rows implements ReplySink {
    private final int status;

    Rows(int status) {
      this.status = status;
    }

    @Override
    public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
      if (kind == PacketKind.ROW) {
        ByteBuf row = buf.slice(header + Packets.HEADER, length - Packets.HEADER);
        conditions.add(new Condition(text(row), Integer.parseInt(text(row)), text(row)));
      }
    }

    private static String text(ByteBuf row) {
      return new String(Lenenc.readBytes(row), StandardCharsets.UTF_8);
    }

    @Override
    public void chunkEnd() {}

    @Override
    public void end(int ended) {
      reply.end(status);
    }

    @Override
    public void failed(AlraiException reason) {
      reply.end(status);
    }
  }
}
