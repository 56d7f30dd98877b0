package io.alrai.dn.backend;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.sql.Sql;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.ReplyFramer;
import io.alrai.common.wire.ReplyKind;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.ReadWatch;
import io.alrai.dn.link.ReplySink;
import io.alrai.dn.link.Unfit;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A branch over a channel that carries MySQL packets in both directions after the login. It frames
 * the replies and hands them to the sinks of the queued requests in order. A packet that is out of
 * step, or that cannot come where it comes, ends the connection: it may be another reply's. Event
 * loop only.
 *
 * <pre>
 * send -> replies -> its reader
 *   \-> requirements, while one is outstanding -> replies
 * </pre>
 */
public final class PipelinedBranch extends ChannelInboundHandlerAdapter implements Branch {
  private static final Logger log = LoggerFactory.getLogger(PipelinedBranch.class);

  /** Whatever {@code completion_type} is. */
  private static final Sql END_VIEW = Sql.of("COMMIT AND NO CHAIN NO RELEASE");

  /** Where a branch goes when its holder is done with it. */
  public interface Home {
    /** It is clean and may serve another session. */
    void returned(PipelinedBranch branch);

    /** It was given back in a state in which it can serve nobody else, and is closed. */
    default void unfit(PipelinedBranch branch, Unfit reason) {}

    /** Its channel is closed. */
    void lost(PipelinedBranch branch);

    /** Whether those that reach a mysqld directly are to end what is prepared on them. */
    default boolean keepsPrepared() {
      return false;
    }
  }

  private final DnId dn;
  private final Channel channel;
  private final long serverConnectionId;
  private final Home home;
  private final ReadWatch watch;
  private final BranchLease lease;
  private final BranchState state = new BranchState();
  private final ReplyQueue replies;
  private final Requirements requirements;
  private final SecondStatements second;
  private boolean paused;

  /** Why nothing of what is outstanding has run; null where that is not known. */
  private @Nullable String unread;

  private long mark;
  private boolean unsent;
  private boolean flushWanted;
  private boolean keepsPrepared;
  private boolean relayed;
  private boolean interrupted;
  private LeftView leftView = LeftView.NONE;

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
    this.lease = new BranchLease(serverConnectionId);
    this.home = home;
    this.watch = watch;
    this.replies = new ReplyQueue(new Reading());
    this.second = new SecondStatements(channel, replies, this::close);
    this.requirements =
        new Requirements(
            new Requirements.Line() {
              @Override
              public void write(ByteBuf command, ReplyKind reply, @Nullable ReplySink sink) {
                PipelinedBranch.this.write(command, reply, sink);
              }

              @Override
              public void flush() {
                PipelinedBranch.this.flush();
              }
            },
            this::unmet);
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
    return !lease.closed() && channel.isActive();
  }

  /** The channel, for callers that add handlers of their own. */
  public Channel channel() {
    return channel;
  }

  /** Another process sends there what this one does not look at. */
  public void relayed() {
    relayed = true;
  }

  /** Whether the mysqld may be at work on something at the moment it is closed. */
  boolean leavesWork() {
    return relayed || outstanding() > 0;
  }

  /** Grows whenever something comes from the mysqld. */
  int heard() {
    return replies.heard();
  }

  /** Whether something should come from the mysqld sooner or later. */
  boolean awaitsReply() {
    return alive() && outstanding() > 0 && !paused && !unsent;
  }

  /** Requests whose replies are not complete. */
  public int outstanding() {
    return replies.size() + requirements.waiting();
  }

  @Override
  public void send(ByteBuf command, ReplyKind reply, ReplySink sink) {
    if (!alive()) {
      command.release();
      sink.failed(LostReply.unread(dn, "it was closed"));
      return;
    }
    queueEnd();
    if (requirements.holdBack()) {
      requirements.add(command, reply, sink);
    } else {
      write(command, reply, sink);
    }
  }

  private void write(ByteBuf command, ReplyKind reply, @Nullable ReplySink sink) {
    second.before(command, reply);
    if (sink != null) {
      replies.add(command, reply, state.traced(command, sink));
      unsent = true;
    }
    channel.write(command, channel.voidPromise());
  }

  /** Whether the mysqld takes a second statement in a text. */
  public SecondStatements secondStatements() {
    return second;
  }

  @Override
  public void require(ByteBuf command, ReplyKind reply) {
    if (!alive()) {
      command.release();
      return;
    }
    queueEnd();
    requirements.require(command, reply);
  }

  private void unmet(AlraiException error) {
    if (alive()) {
      log.warn("a connection to the mysqld of {} cannot be prepared, and is closed", dn, error);
      close();
    }
    requirements.fail(LostReply.unread(dn, error.sentence()));
  }

  /** Ends the transaction that nobody needs any more, if it is in one. */
  private void queueEnd() {
    if (viewed()) {
      leftView = LeftView.NONE;
      Answer.send(this, Command.QUERY, END_VIEW, ReplyKind.RESULTS, Answer.orElse(this::close));
    }
  }

  /**
   * Ends it if it was there the last time, too, on a branch that waits in its pool.
   *
   * @return whether there is none left
   */
  boolean endOldView() {
    if (leftView == LeftView.OPEN) {
      leftView = LeftView.OLD;
      return false;
    }
    if (viewed()) {
      queueEnd();
      flush();
    }
    return true;
  }

  /** Whether it is in a transaction that nobody needs any more. */
  boolean viewed() {
    return leftView != LeftView.NONE;
  }

  @Override
  public void sendQuietly(ByteBuf command) {
    if (requirements.holdBack()) {
      requirements.add(command, ReplyKind.STATUS, null);
    } else {
      channel.write(command, channel.voidPromise());
    }
  }

  @Override
  public void flush() {
    if (lease.held()) {
      flushWanted = true;
      return;
    }
    unsent = false;
    channel.flush();
  }

  @Override
  public void sendFile(ByteBuf packets) {
    replies.fileSent(packets);
    channel.writeAndFlush(packets, channel.voidPromise());
  }

  @Override
  public void reading(boolean on) {
    if (on == paused && (on || outstanding() > 0)) {
      paused = !on;
      channel.config().setAutoRead(on);
    }
  }

  @Override
  public boolean writable() {
    return channel.isWritable();
  }

  @Override
  public void release() {
    if (lease.giveBack(outstanding() > 0)) {
      goHome();
    }
  }

  /** The one way back to where others take it from. */
  private void goHome() {
    state.trace(null);
    Unfit reason = alive() ? unfit() : null;
    if (reason != null) {
      close();
      home.unfit(this, reason);
    } else {
      lease.home("given back");
      home.returned(this);
    }
  }

  private @Nullable Unfit unfit() {
    if (outstanding() > 0) {
      return Unfit.BUSY;
    }
    int status = replies.status();
    if ((status & ServerStatus.IN_TRANS) != 0 && !viewed()) {
      return Unfit.IN_TRANSACTION;
    }
    if ((status & ServerStatus.AUTOCOMMIT) == 0) {
      return Unfit.AUTOCOMMIT_OFF;
    }
    if (paused || !channel.config().isAutoRead()) {
      return Unfit.NOT_READING;
    }
    return replies.withinPacket() ? Unfit.OUT_OF_STEP : null;
  }

  /** Another way than by the commands sent here it has begun a transaction, or ended one. */
  public void transaction(boolean begun) {
    int status = replies.status();
    replies.status(begun ? status | ServerStatus.IN_TRANS : status & ~ServerStatus.IN_TRANS);
  }

  @Override
  public void releaseViewed() {
    if (alive() && outstanding() == 0) {
      leftView = LeftView.OPEN;
      release();
    } else if (alive()) {
      Answer.of(this, END_VIEW)
          .whenComplete((ok, error) -> {
            if (error == null) {
              release();
            } else {
              close();
            }
          });
    }
  }

  @Override
  public boolean inherits() {
    boolean was = viewed();
    leftView = LeftView.NONE;
    return was;
  }

  @Override
  public boolean busy() {
    return outstanding() > 0;
  }

  @Override
  public void hold() {
    lease.hold();
  }

  @Override
  public void resume() {
    lease.resume();
    if (flushWanted && !lease.held()) {
      flushWanted = false;
      flush();
    }
    goHomeIfLeaving();
  }

  /** The mysqld now keeps this connection's prepared transaction if the connection ends. */
  void keepsPreparedFromNowOn() {
    keepsPrepared = true;
  }

  @Override
  public boolean keepsPrepared() {
    return keepsPrepared;
  }

  @Override
  public void keep() {
    lease.keep();
  }

  @Override
  public void letGo() {
    lease.letGo();
    goHomeIfLeaving();
  }

  private void goHomeIfLeaving() {
    if (lease.leaves()) {
      goHome();
    }
  }

  /** Its home has it, although nobody gave it back: it is new. */
  void arrived() {
    lease.home("opened");
  }

  /** Its home gives it to a holder. */
  void lend() {
    lease.lend();
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
    lease.close("closed");
    channel.close();
  }

  @Override
  public void interrupt() {
    interrupted = true;
    close();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    try {
      replies.read(ctx.alloc(), (ByteBuf) message);
    } catch (ReplyFramer.Violation violation) {
      log.warn(
          "connection {} to the mysqld of {} breaks the protocol, and is closed: {}",
          serverConnectionId,
          dn,
          violation.getMessage());
      close();
    }
  }

  /** The reading side. */
  private final class Reading implements ReplyQueue.Owner {
    @Override
    public boolean closed() {
      return lease.closed();
    }

    @Override
    public void ok(ByteBuf buf, int payload, int length) {
      if (!state.changed() && OkPacket.tellsOfChanges(buf, payload, length)) {
        state.change();
      }
    }

    /** What stopped the reading for the sake of this reply holds up nobody else. */
    @Override
    public void replyRead() {
      reading(true);
    }

    @Override
    public void leaves(String why) {
      log.debug("the mysqld of {} closes connection {}: {}", dn, serverConnectionId, why);
      unread = why;
      close();
    }

    @Override
    public void defect(Throwable defect) {
      log.error("a connection to the mysqld of {} ends by a defect", dn, defect);
      close();
    }

    @Override
    public AlraiException lost() {
      return interrupted ? AlraiException.interruption() : LostReply.broken(dn);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    lease.close("the connection broke");
    home.lost(this);
    String why = unread;
    replies.fail(why == null ? null : LostReply.unread(dn, why));
    requirements.fail(LostReply.unread(dn, why == null ? "it broke" : why));
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (!(cause instanceof IOException)) {
      log.error("a connection to the mysqld of {} ends by a defect", dn, cause);
    }
    close();
  }
}
