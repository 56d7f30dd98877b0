package io.alrai.dn.binlog;

import io.alrai.common.error.AlraiException;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A connection on which a mysqld sends its binary log, as to a replica. One use; event loop only.
 *
 * <pre>
 * login, settings -> begin (from where?) -> REGISTER_REPLICA, BINLOG_DUMP_GTID -> attached -> events
 *        any of these -> closed
 * </pre>
 */
final class DumpConnection implements PipelinedBranch.Home, BranchTaker {
  private static final long HEARTBEAT_NANOS = 5_000_000_000L;
  private static final long LINGER_MILLIS = 100;
  private static final int HEARTBEAT_V2 = 2;
  private static final int START_OFFSET = 4;
  private static final int SERVER_ID_BIT = 0x4000_0000;

  /** Hears of it. Called on the loop. */
  interface Sink {
    /**
     * Logged in.
     *
     * @param executed what is visible in this server now
     * @return what shall not be sent
     */
    GtidSet begin(GtidSet executed);

    /** The first packet is there: from now on the server counts this replica. */
    void attached();

    /** In the order of the log. */
    void event(Event event);

    /** What was read at once has been given. */
    void batchEnd();

    /** Once, whatever happened; nothing comes after. */
    void closed(Throwable reason);
  }

  private final EventLoop loop;
  private final UUID self;
  private final boolean semiSync;
  private final Sink sink;
  private @Nullable Channel channel;
  private @Nullable Branch branch;
  private boolean closed;

  /**
   * Not open yet.
   *
   * @param self the replica's name: the server ends an older connection of the same
   * @param semiSync whether commits shall wait for its acknowledgements
   */
  DumpConnection(EventLoop loop, UUID self, boolean semiSync, Sink sink) {
    this.loop = loop;
    this.self = self;
    this.semiSync = semiSync;
    this.sink = sink;
  }

  void open(BackendConnector connector) {
    connector.open(loop, BackendAccount.AGENT, this, this);
  }

  @Override
  public void taken(Branch opened) {
    if (closed) {
      opened.close();
      return;
    }
    branch = opened;
    Answer.ofText(opened, settings())
        .thenAccept(answer -> request((PipelinedBranch) opened, answer.rows()))
        .exceptionally(error -> {
          fail(error.getCause() == null ? error : error.getCause());
          return null;
        });
  }

  private Sql settings() {
    return Sql.of("SET @source_heartbeat_period=")
        .number(HEARTBEAT_NANOS)
        .words(", @source_binlog_checksum='CRC32', @replica_uuid=")
        .literal(self.toString())
        .words(semiSync ? ", @rpl_semi_sync_replica=1" : "")
        .words(";SELECT @@global.gtid_executed");
  }

  private void request(PipelinedBranch ready, List<List<String>> rows) {
    GtidSet from = sink.begin(GtidSet.parse(rows.getFirst().getFirst()));
    int serverId = self.hashCode() >>> 2 | SERVER_ID_BIT;
    CompletableFuture<Answer> registered = new CompletableFuture<>();
    Answer.send(
        ready, Command.REGISTER_REPLICA, registration(serverId), ReplyKind.STATUS, registered);
    registered.whenComplete((answer, error) -> {
      if (error != null) {
        fail(error);
        return;
      }
      channel = ready.channel();
      branch = null;
      DumpHandler handler = new DumpHandler(semiSync, this, sink);
      ready.channel().pipeline().replace(ready, "dump", handler);
      handler.request(ready.channel(), dumpRequest(serverId, from));
    });
    ready.flush();
  }

  private static byte[] registration(int serverId) {
    ByteBuf out = Unpooled.buffer();
    out.writeIntLE(serverId).writeByte(0).writeByte(0).writeByte(0);
    out.writeShortLE(0).writeIntLE(0).writeIntLE(0);
    return bytes(out);
  }

  /** flags 2 | server id 4 | name length 4, no name | offset 8 | length 4 | GTID set. */
  private static byte[] dumpRequest(int serverId, GtidSet from) {
    ByteBuf set = Unpooled.buffer();
    from.encode(set);
    ByteBuf out = Unpooled.buffer();
    out.writeShortLE(HEARTBEAT_V2).writeIntLE(serverId).writeIntLE(0).writeLongLE(START_OFFSET);
    out.writeIntLE(set.readableBytes()).writeBytes(set);
    return bytes(out);
  }

  private static byte[] bytes(ByteBuf buf) {
    byte[] bytes = new byte[buf.readableBytes()];
    buf.readBytes(bytes);
    return bytes;
  }

  /** Acknowledges; only after {@link Sink#attached}, only what was received. */
  void ack(BinlogPosition position) {
    Channel open = channel;
    if (open != null && !closed) {
      DumpHandler.ack(open, position);
    }
  }

  /** Stops or resumes reading: back-pressure. */
  void reading(boolean on) {
    Channel open = channel;
    if (open != null) {
      open.config().setAutoRead(on);
    }
  }

  /** Ends it; the sink hears nothing more. */
  void close() {
    closed = true;
    Branch early = branch;
    if (early != null) {
      early.close();
    }
    Channel open = channel;
    if (open != null) {
      leave(open);
    }
  }

  /**
   * Hears nothing more. It stays open for a moment: a mysqld that is about to end interrupts its
   * dump first, see {@link io.alrai.dn.watch.OtherConnections}.
   */
  private void leave(Channel open) {
    if (semiSync) {
      open.pipeline().remove(DumpHandler.class);
      loop.schedule(() -> open.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
    } else {
      open.close();
    }
  }

  void fail(Throwable reason) {
    if (!closed) {
      close();
      sink.closed(reason);
    }
  }

  @Override
  public void refused(AlraiException reason) {
    fail(reason);
  }

  @Override
  public void returned(PipelinedBranch given) {
    throw new IllegalStateException("a stream's connection is never given back");
  }

  @Override
  public void lost(PipelinedBranch gone) {
    fail(new BinlogException("the mysqld closed the connection"));
  }
}
