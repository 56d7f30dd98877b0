package io.alrai.dn.backend;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ReplyFramer;
import io.alrai.common.wire.ReplyKind;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.ReadWatch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A branch over a channel that carries MySQL packets in both directions after the login. It frames
 * the replies and hands them to the sinks of the queued requests in order. Event loop only.
 */
public final class PipelinedBranch extends ChannelInboundHandlerAdapter implements Branch {
  private static final Logger log = LoggerFactory.getLogger(PipelinedBranch.class);

  /** Where a branch goes when its holder is done with it. */
  public interface Home {
    /** It is clean and may serve another session. */
    void returned(PipelinedBranch branch);

    /** Its channel is closed. */
    void lost(PipelinedBranch branch);

    /** Whether those that reach a mysqld directly are to end what is prepared on them. */
    default boolean keepsPrepared() {
      return false;
    }
  }

  private record Pending(ReplyKind kind, ReplySink sink) {}

  private final DnId dn;
  private final Channel channel;
  private final long serverConnectionId;
  private final Home home;
  private final ReadWatch watch;
  private final BranchState state = new BranchState();
  private final ReplyFramer framer = new ReplyFramer();
  private final ArrayDeque<Pending> pending = new ArrayDeque<>(4);
  private @Nullable Pending current;
  private @Nullable ByteBuf leftover;
  private long mark;
  private boolean closed;
  private int holds;
  private boolean flushWanted;
  private boolean givenBack;
  private boolean keepsPrepared;
  private boolean kept;

  /** Whether it is in a transaction that nobody needs any more. */
  private boolean viewed;

  /** Whether {@link #endOldView} has seen it. */
  private boolean old;

  /**
   * A branch whose login is done.
   *
   * @param serverConnectionId the mysqld's number for it, or 0
   * @param watch of the DN's commits
   */
  public PipelinedBranch(
      DnId dn, Channel channel, long serverConnectionId, Home home, ReadWatch watch) {
    this.dn = dn;
    this.channel = channel;
    this.serverConnectionId = serverConnectionId;
    this.home = home;
    this.watch = watch;
  }

  @Override
  public EventLoop eventLoop() {
    return channel.eventLoop();
  }

  @Override
  public DnId dn() {
    return dn;
  }

  @Override
  public BranchState state() {
    return state;
  }

  @Override
  public long serverConnectionId() {
    return serverConnectionId;
  }

  @Override
  public boolean alive() {
    return !closed && channel.isActive();
  }

  /** The channel below, for who puts handlers of its own there. */
  public Channel channel() {
    return channel;
  }

  /** Requests whose replies are not complete. */
  public int outstanding() {
    return pending.size() + (current == null ? 0 : 1);
  }

  @Override
  public void send(ByteBuf command, ReplyKind reply, ReplySink sink) {
    if (!alive()) {
      command.release();
      sink.failed(lost());
      return;
    }
    queueEnd();
    pending.add(new Pending(reply, sink));
    channel.write(command, channel.voidPromise());
  }

  /** Ends the transaction that nobody needs any more, if it is in one. */
  private void queueEnd() {
    if (viewed) {
      viewed = false;
      CompletableFuture<Answer> ended = new CompletableFuture<>();
      ended.whenComplete((ok, error) -> {
        if (error != null) {
          close();
        }
      });
      Answer.send(this, Command.QUERY, "COMMIT", ReplyKind.RESULTS, ended);
    }
  }

  /**
   * Ends it if it was there the last time, too, on a branch that waits in its pool.
   *
   * @return whether there is none left
   */
  boolean endOldView() {
    if (viewed && !old) {
      old = true;
      return false;
    }
    if (viewed) {
      queueEnd();
      flush();
    }
    return true;
  }

  /** Whether it is in a transaction that nobody needs any more. */
  boolean viewed() {
    return viewed;
  }

  @Override
  public void sendQuietly(ByteBuf command) {
    channel.write(command, channel.voidPromise());
  }

  @Override
  public void sendFile(ByteBuf packets) {
    channel.write(packets, channel.voidPromise());
  }

  @Override
  public void flush() {
    if (holds > 0) {
      flushWanted = true;
      return;
    }
    channel.flush();
  }

  @Override
  public void reading(boolean on) {
    channel.config().setAutoRead(on);
  }

  @Override
  public boolean writable() {
    return channel.isWritable();
  }

  @Override
  public void release() {
    if (outstanding() > 0) {
      close();
      return;
    }
    if (holds > 0 || kept) {
      givenBack = true;
      return;
    }
    home.returned(this);
  }

  @Override
  public void releaseViewed() {
    if (!alive()) {
      return;
    }
    if (outstanding() == 0) {
      viewed = true;
      old = false;
      release();
      return;
    }
    Answer.of(this, "COMMIT")
        .whenComplete((ok, error) -> {
          if (error == null) {
            release();
          } else {
            close();
          }
        });
  }

  @Override
  public boolean inherits() {
    boolean was = viewed;
    viewed = false;
    return was;
  }

  @Override
  public boolean busy() {
    return outstanding() > 0;
  }

  @Override
  public void hold() {
    holds++;
  }

  @Override
  public void resume() {
    holds--;
    if (holds > 0) {
      return;
    }
    if (flushWanted) {
      flushWanted = false;
      channel.flush();
    }
    returnIfFree();
  }

  private void returnIfFree() {
    if (givenBack && holds == 0 && !kept) {
      givenBack = false;
      home.returned(this);
    }
  }

  /** The mysqld has been told that what is prepared on this connection stays with it. */
  void keepsPreparedFromNowOn() {
    keepsPrepared = true;
  }

  @Override
  public boolean keepsPrepared() {
    return keepsPrepared;
  }

  @Override
  public void keep() {
    kept = true;
  }

  @Override
  public void letGo() {
    kept = false;
    returnIfFree();
  }

  @Override
  public void watch() {
    mark = watch.quiet();
  }

  @Override
  public boolean disturbed() {
    return mark < 0 || !watch.undisturbed(mark);
  }

  @Override
  public void close() {
    closed = true;
    channel.close();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf buf = (ByteBuf) message;
    ByteBuf before = leftover;
    if (before != null) {
      before.writeBytes(buf);
      buf.release();
      buf = before;
      leftover = null;
    }
    try {
      int stop = frame(buf);
      int rest = buf.writerIndex() - stop;
      if (rest > 0) {
        int wanted = rest >= Packets.HEADER ? buf.getUnsignedMediumLE(stop) + Packets.HEADER : rest;
        leftover = ctx.alloc().buffer(Math.max(Math.min(wanted, 1 << 20), rest) + 256);
        leftover.writeBytes(buf, stop, rest);
      }
    } finally {
      buf.release();
    }
  }

  private int frame(ByteBuf buf) {
    int at = buf.readerIndex();
    int end = buf.writerIndex();
    boolean given = false;
    while (end - at >= Packets.HEADER) {
      int length = buf.getUnsignedMediumLE(at);
      if (end - at - Packets.HEADER < length) {
        break;
      }
      Pending reply = current;
      if (reply == null) {
        reply = pending.poll();
        if (reply == null) {
          unsolicited();
          return end;
        }
        current = reply;
        framer.begin(reply.kind);
      }
      PacketKind kind = framer.accept(buf, at + Packets.HEADER, length);
      reply.sink.packet(kind, buf, at, length + Packets.HEADER);
      given = true;
      at += length + Packets.HEADER;
      if (framer.done()) {
        current = null;
        given = false;
        reply.sink.chunkEnd();
        reply.sink.end(kind == PacketKind.ERR ? 0 : framer.status());
      }
    }
    Pending open = current;
    if (given && open != null) {
      open.sink.chunkEnd();
    }
    return at;
  }

  /** A packet nobody asked for: mysqld says why it closes the connection (KILL, shutdown). */
  private void unsolicited() {
    closed = true;
    channel.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    closed = true;
    ByteBuf rest = leftover;
    if (rest != null) {
      leftover = null;
      rest.release();
    }
    home.lost(this);
    Pending open = current;
    current = null;
    if (open != null) {
      open.sink.failed(lost());
    }
    Pending next;
    while ((next = pending.poll()) != null) {
      next.sink.failed(lost());
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof IOException)) {
      log.error("a connection to the mysqld of {} ends by a defect", dn, cause);
    }
    closed = true;
    ctx.close();
  }

  private AlraiException lost() {
    return new AlraiException(
        ErrorCode.CR_SERVER_LOST,
        "Lost connection to MySQL server during query: the connection to " + dn + " broke");
  }
}
