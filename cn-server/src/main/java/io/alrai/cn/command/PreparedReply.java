package io.alrai.cn.command;

import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.branch.BranchStatements;
import io.alrai.cn.branch.Commands;
import io.alrai.cn.session.PreparedStatement;
import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Prepares a statement against the shadow schema for its metadata, and gives the client the reply
 * under the CN's own number. Event loop only.
 */
final class PreparedReply implements ReplySink {
  private final CommandClient connection;
  private final PreparedStatement statement;
  private final Branch branch;
  private final KeptStatements<Integer> statements;
  private final ByteBuf out;
  private final boolean deprecateEof;
  private int serverId;
  private int shift;
  private int parametersLeft;
  private @Nullable AlraiException error;

  PreparedReply(
      CommandClient connection,
      PreparedStatement statement,
      Branch branch,
      KeptStatements<Integer> statements) {
    this.connection = connection;
    this.statement = statement;
    this.branch = branch;
    this.statements = statements;
    this.out = connection.channel().alloc().buffer(512);
    this.deprecateEof = connection.session().client().capabilities().deprecateEof();
  }

  void start() {
    Session session = connection.session();
    BranchPreparation.queue(branch, session.variables().ofBackends(), session.schema());
    branch.send(
        Commands.command(ByteBufAllocator.DEFAULT, Command.STMT_PREPARE, statement.sql()),
        ReplyKind.PREPARE,
        this);
    branch.flush();
  }

  @Override
  public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
    int at = out.writerIndex();
    switch (kind) {
      case PREPARE_OK -> {
        int payload = header + Packets.HEADER;
        serverId = buf.getIntLE(payload + 1);
        parametersLeft = buf.getUnsignedShortLE(payload + 7);
        statement.parameters(parametersLeft);
        out.writeBytes(buf, header, length);
        out.setIntLE(at + Packets.HEADER + 1, statement.id());
      }
      case PARAMETER -> {
        copy(buf, header, length);
        parametersLeft--;
        if (parametersLeft == 0) {
          eof(buf, header);
        }
      }
      case COLUMN -> copy(buf, header, length);
      case LAST_COLUMN -> {
        copy(buf, header, length);
        eof(buf, header);
      }
      case ERR ->
          error =
              ErrPacket.parse(buf, header + Packets.HEADER, length - Packets.HEADER).toException();
      case OK, COLUMN_COUNT, ROW, RESULT_END, TEXT ->
          throw new IllegalStateException("not a reply to PREPARE: " + kind);
    }
  }

  private void copy(ByteBuf buf, int header, int length) {
    int at = out.writerIndex();
    out.writeBytes(buf, header, length);
    out.setByte(at + 3, buf.getUnsignedByte(header + 3) + shift);
  }

  private void eof(ByteBuf buf, int header) {
    if (!deprecateEof) {
      shift++;
      Packets.writeEof(
          out, buf.getUnsignedByte(header + 3) + shift, 0, connection.session().statusFlags());
    }
  }

  @Override
  public void chunkEnd() {}

  @Override
  public void end(int status) {
    AlraiException refused = error;
    if (refused != null) {
      out.release();
      branch.release();
      connection.fail(refused, connection.firstSequence());
      return;
    }
    branch.sendQuietly(BranchStatements.closeCommand(serverId));
    branch.flush();
    branch.release();
    statements.put(statement.id(), statement);
    connection.channel().writeAndFlush(out, connection.channel().voidPromise());
    connection.done();
  }

  @Override
  public void failed(AlraiException reason) {
    out.release();
    branch.close();
    connection.fail(reason, connection.firstSequence());
  }
}
