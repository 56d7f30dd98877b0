package io.alrai.cn.command;

import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.session.Session;
import io.alrai.cn.shard.ShardStatement;
import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Answers FIELD_LIST from the shadow table's columns. Event loop only. */
final class FieldList implements BranchTaker, ReplySink {
  private final CommandClient connection;
  private final String table;
  private final ByteBuf out;
  private int sequence = 1;
  private @Nullable Branch branch;
  private @Nullable AlraiException error;

  FieldList(CommandClient connection, String table) {
    this.connection = connection;
    this.table = table;
    this.out = connection.channel().alloc().buffer(512);
  }

  @Override
  public void taken(Branch taken) {
    branch = taken;
    Session session = connection.session();
    BranchPreparation.queue(taken, session.variables().ofBackends(), session.schema());
    ShardStatement.text(Sql.of("SELECT * FROM ").name(table).words(" LIMIT 0")).send(taken, this);
  }

  @Override
  public void refused(AlraiException reason) {
    failed(reason);
  }

  @Override
  public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
    if (kind == PacketKind.COLUMN || kind == PacketKind.LAST_COLUMN) {
      int begin = Packets.begin(out, sequence++);
      out.writeBytes(buf, header + Packets.HEADER, length - Packets.HEADER);
      out.writeByte(0xfb);
      Packets.end(out, begin);
    } else if (kind == PacketKind.ERR) {
      error = ErrPacket.parse(buf, header + Packets.HEADER, length - Packets.HEADER).toException();
    }
  }

  @Override
  public void chunkEnd() {}

  @Override
  public void end(int status) {
    Branch used = branch;
    if (used != null) {
      used.release();
    }
    AlraiException refused = error;
    if (refused != null) {
      out.release();
      connection.fail(refused, 1);
      return;
    }
    Packets.writeEof(out, sequence, 0, connection.session().statusFlags());
    connection.channel().writeAndFlush(out, connection.channel().voidPromise());
    connection.done();
  }

  @Override
  public void failed(AlraiException reason) {
    Branch used = branch;
    if (used != null) {
      used.close(); // nobody knows how far the reply came
    }
    out.release();
    connection.fail(reason, 1);
  }
}
