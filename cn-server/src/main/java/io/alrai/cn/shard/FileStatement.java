package io.alrai.cn.shard;

import io.alrai.cn.branch.Commands;
import io.alrai.cn.branch.RowAccess;
import io.alrai.cn.branch.ShardCall;
import io.alrai.cn.settings.Diagnostics.Condition;
import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Queue;
import java.util.function.Supplier;

/** A LOAD DATA LOCAL whose file the CN has: the mysqld asks for it. Event loop only. */
public final class FileStatement implements ShardStatement {
  private final OwnText text;
  private final Supplier<ByteBuf> packets;

  private FileStatement(Sql text, Supplier<ByteBuf> packets) {
    this.text = new OwnText(text);
    this.packets = packets;
  }

  /**
   * A file on its way.
   *
   * @param call gives what the mysqld says
   * @param warnings complete when that is there; they are not among those of the session's shards
   */
  public record Started(ShardCall call, Queue<Condition> warnings) {}

  /**
   * Sends a file to a DN. Until the call is read to its end nothing else may be started there.
   *
   * @param packets those of the file, see {@link Branch#sendFile}; event loop
   */
  public static Started start(SessionShards shards, DnId dn, Sql text, Supplier<ByteBuf> packets) {
    ShardLaunch launch =
        new ShardLaunch(
            shards,
            dn,
            "",
            new FileStatement(text, packets),
            RowAccess.CHANGING,
            StatementViews.NONE,
            () -> {});
    shards.loop().execute(launch::run);
    return new Started(launch.call(), launch.told());
  }

  @Override
  public void send(Branch branch, ReplySink reply) {
    byte[] sql = text.encoded(branch);
    branch.send(
        Commands.query(ByteBufAllocator.DEFAULT, sql),
        ReplyKind.FILE,
        new Asked(branch, reply, packets));
    branch.flush();
  }

  @Override
  public boolean isSmallText() {
    return false;
  }

  @Override
  public boolean binaryRows() {
    return false;
  }

  @Override
  public String home() {
    return "";
  }

  /** Answers the question for the file. */
  private record Asked(Branch branch, ReplySink reply, Supplier<ByteBuf> packets)
      implements ReplySink {
    @Override
    public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
      if (kind == PacketKind.FILE_WANTED) {
        branch.sendFile(packets.get());
      } else {
        reply.packet(kind, buf, header, length);
      }
    }

    @Override
    public void chunkEnd() {
      reply.chunkEnd();
    }

    @Override
    public void end(int status) {
      reply.end(status);
    }

    @Override
    public void failed(AlraiException reason) {
      reply.failed(reason);
    }
  }
}
