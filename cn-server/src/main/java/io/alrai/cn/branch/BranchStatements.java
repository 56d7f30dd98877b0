package io.alrai.cn.branch;

import io.alrai.common.wire.Command;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState.PreparedOnServer;
import io.alrai.dn.link.BranchState.StatementKey;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Iterator;
import java.util.Map;
import java.util.function.Consumer;

/** The prepared statements that branches keep. Event loop only. */
public final class BranchStatements {
  private static final int MAX_ON_BRANCH = 256;

  private BranchStatements() {}

  /**
   * Prepares a statement that the branch does not know yet, and keeps it there.
   *
   * @param ready called with the statement after the reply
   * @param otherwise takes the error, or the loss of the branch
   */
  public static void prepare(
      Branch branch,
      StatementKey key,
      byte[] sql,
      Consumer<PreparedOnServer> ready,
      ReplySink otherwise) {
    branch.send(
        Commands.command(ByteBufAllocator.DEFAULT, Command.STMT_PREPARE, sql),
        ReplyKind.PREPARE,
        new StatementIdSink(
            id -> {
              PreparedOnServer fresh = new PreparedOnServer(id);
              evict(branch);
              branch.state().statements().put(key, fresh);
              ready.accept(fresh);
            },
            otherwise));
    branch.flush();
  }

  /**
   * Prepares a statement for one execution: a mysqld that prepares it again by itself, as it does
   * when tables are others, takes its parameters to be of the types that they had last.
   *
   * @param ready called with the statement after the reply; it is closed after what that sends
   * @param otherwise takes the error, or the loss of the branch
   */
  public static void prepareOnce(
      Branch branch, byte[] sql, Consumer<PreparedOnServer> ready, ReplySink otherwise) {
    branch.send(
        Commands.command(ByteBufAllocator.DEFAULT, Command.STMT_PREPARE, sql),
        ReplyKind.PREPARE,
        new StatementIdSink(
            id -> {
              ready.accept(new PreparedOnServer(id));
              branch.sendQuietly(closeCommand(id));
              branch.flush();
            },
            otherwise));
    branch.flush();
  }

  private static void evict(Branch branch) {
    Map<StatementKey, PreparedOnServer> known = branch.state().statements();
    if (known.size() < MAX_ON_BRANCH) {
      return;
    }
    Iterator<PreparedOnServer> oldest = known.values().iterator();
    int id = oldest.next().id();
    oldest.remove();
    branch.sendQuietly(closeCommand(id));
  }

  /** STMT_CLOSE, which has no reply. */
  public static ByteBuf closeCommand(int serverId) {
    ByteBuf out = ByteBufAllocator.DEFAULT.buffer(16);
    int header = Packets.begin(out, 0);
    out.writeByte(Command.STMT_CLOSE).writeIntLE(serverId);
    Packets.end(out, header);
    return out;
  }
}
