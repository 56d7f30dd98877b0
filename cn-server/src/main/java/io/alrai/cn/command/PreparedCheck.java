package io.alrai.cn.command;

import io.alrai.cn.branch.BranchPreparation;
import io.alrai.cn.branch.BranchStatements;
import io.alrai.cn.branch.Commands;
import io.alrai.cn.session.PreparedStatement;
import io.alrai.cn.session.Session;
import io.alrai.cn.system.StorageTable;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.ReplySink;
import io.alrai.optimizer.api.text.LexicalMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * Has a mysqld prepare a statement against the shadow schema, to know that it is right and how many
 * parameters it has. Event loop only.
 */
final class PreparedCheck implements ReplySink {
  /** Told once. */
  interface Outcome {
    /** Called with null when the statement is right. */
    void checked(@Nullable AlraiException error);
  }

  private final Session session;
  private final PreparedStatement statement;
  private final Branch branch;
  private final Outcome outcome;
  private int serverId;
  private @Nullable AlraiException error;

  PreparedCheck(Session session, PreparedStatement statement, Branch branch, Outcome outcome) {
    this.session = session;
    this.statement = statement;
    this.branch = branch;
    this.outcome = outcome;
  }

  /**
   * Has one checked on a branch that is taken for it; the outcome is an error if there is no
   * branch.
   */
  static void of(ClientConnection connection, PreparedStatement statement, Outcome outcome) {
    ShadowBranch.takeToPrepare(
        connection,
        statement.text(),
        new BranchTaker() {
          @Override
          public void taken(Branch branch) {
            new PreparedCheck(connection.session(), statement, branch, outcome).start();
          }

          @Override
          public void refused(AlraiException reason) {
            outcome.checked(reason);
          }
        });
  }

  void start() {
    BranchPreparation.queue(branch, session.variables().ofBackends(), session.schema());
    branch.send(
        Commands.command(ByteBufAllocator.DEFAULT, Command.STMT_PREPARE, checked()),
        ReplyKind.PREPARE,
        this);
    branch.flush();
  }

  /** Tables that no mysqld has are there for it, without rows. */
  private byte[] checked() {
    LexicalMode mode = session.variables().lexicalMode();
    String text = StorageTable.declaredIn(statement.text(), mode, session.schema());
    return text.equals(statement.text()) ? statement.sql() : text.getBytes(mode.charset());
  }

  @Override
  public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
    int payload = header + Packets.HEADER;
    if (kind == PacketKind.PREPARE_OK) {
      serverId = buf.getIntLE(payload + 1);
      statement.parameters(buf.getUnsignedShortLE(payload + 7));
    } else if (kind == PacketKind.ERR) {
      error = ErrPacket.parse(buf, payload, length - Packets.HEADER).toException();
    }
  }

  @Override
  public void chunkEnd() {}

  @Override
  public void end(int status) {
    if (error == null) {
      branch.sendQuietly(BranchStatements.closeCommand(serverId));
      branch.flush();
    }
    branch.release();
    outcome.checked(error);
  }

  @Override
  public void failed(AlraiException reason) {
    branch.close();
    outcome.checked(reason);
  }
}
