package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.DnId;
import io.alrai.dn.link.BranchState;
import io.alrai.dn.link.ReadWatch;
import io.alrai.dn.rpc.tls.EnvelopeTls;
import io.alrai.dn.rpc.wire.Envelope;
import io.alrai.dn.rpc.wire.EnvelopeVersions;
import io.alrai.dn.rpc.wire.FrameDecoder;
import io.alrai.dn.rpc.wire.KnownGenerations;
import io.alrai.dn.rpc.wire.Message;
import io.alrai.dn.rpc.wire.MessageCodec;
import io.alrai.dn.rpc.wire.Proofs;
import io.alrai.dn.rpc.wire.Purpose;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The caller's end of one connection to an agent. Event loop only, except for {@link #call}.
 *
 * <pre>
 * CONNECTED -CHALLENGE-> GREETED -WELCOME-> READY -> CLOSED
 *     +----------------------+--------------------------^
 * </pre>
 */
final class AgentChannel extends FrameDecoder implements ReadWatch {
  /** An agent that does not say WELCOME within this time is as good as dead. */
  private static final long HANDSHAKE_MILLIS = 10_000;

  /** The term before the agent has said it. */
  static final long UNKNOWN = -1;

  /**
   * One of several that does not greet, or does not say that it leads, within this time may have
   * been succeeded. A mysqld's login may take longer.
   */
  private static final long GREETING_MILLIS = 1_000;

  /** Learns how the handshake ends; one of them is called, once, on the event loop. */
  interface Listener {
    /** It can be used. */
    void ready(AgentChannel channel, long connectionId);

    /** It cannot; the channel is closed. */
    void refused(AlraiException reason);

    /** There is nobody who leads: as refused, but it may be otherwise soon, or elsewhere. */
    default void missed(AlraiException reason) {
      refused(reason);
    }
  }

  /** The connection broke: nobody knows how far the agent came with a call. */
  static final class Lost extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient AlraiException reason;

    Lost(AlraiException reason) {
      super(reason.sentence(), reason);
      this.reason = reason;
    }

    /** Why. */
    AlraiException reason() {
      return reason;
    }

    /** What a future really failed with. */
    static Throwable unwrap(Throwable error) {
      return error instanceof CompletionException && error.getCause() != null
          ? error.getCause()
          : error;
    }

    /**
     * The error for the holder of a branch, who sees a broken connection the same way with or
     * without an agent between.
     */
    AlraiException ofBranch() {
      return new AlraiException(
          ErrorCode.CR_SERVER_LOST,
          "Lost connection to MySQL server during query: " + reason.sentence(),
          this);
    }
  }

  private enum State {
    CONNECTED,
    GREETED,
    READY,
    CLOSED
  }

  private final CallerContext caller;
  private final DnId dn;
  private final Purpose purpose;
  private final InetSocketAddress place;
  private final Listener listener;
  private final Message.Nonce nonce = Proofs.nonce();
  private final Map<Integer, CompletableFuture<Message>> calls = new HashMap<>();
  private Message.Nonce agentsNonce = nonce;
  private State state = State.CONNECTED;
  private int lastCall;
  private volatile long term = UNKNOWN;
  private boolean disturbed;
  private boolean refused;
  private @Nullable AlraiException broken;
  private @Nullable Channel channel;
  private @Nullable BranchState branch;
  private @Nullable ScheduledFuture<?> handshakeBound;

  AgentChannel(CallerContext caller, Purpose purpose, InetSocketAddress place, Listener listener) {
    this.caller = caller;
    this.dn = caller.dn();
    this.purpose = purpose;
    this.place = place;
    this.listener = listener;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    channel = ctx.channel();
    if (purpose == Purpose.CONTROL) {
      caller.peer().control(ctx.channel());
    } else if (!purpose.ofMember()) {
      caller.peer().data(ctx.channel());
    }
    if (!purpose.ofMember()) {
      caller.seeker().begins(this); // what asks a member outlives all leads
    }
    if (!caller.seeker().alone()) {
      ctx.executor().schedule(() -> greeted(ctx), GREETING_MILLIS, TimeUnit.MILLISECONDS);
    }
    handshakeBound =
        ctx.executor()
            .schedule(
                () -> fail(ctx, unavailable("did not answer in time")),
                HANDSHAKE_MILLIS,
                TimeUnit.MILLISECONDS);
  }

  private void greeted(ChannelHandlerContext ctx) {
    if (state == State.CONNECTED || state == State.GREETED && purpose == Purpose.CONTROL) {
      fail(ctx, unavailable("did not answer in time"));
    }
  }

  @Override
  protected void clock(long remote) {
    caller.clock().updateValue(remote);
  }

  @Override
  protected void disturbed(boolean flag) {
    disturbed |= flag;
  }

  /** The agent says later what it was; on the branch's loop. */
  @Override
  public long quiet() {
    disturbed = false;
    return 0;
  }

  @Override
  public boolean undisturbed(long mark) {
    return !disturbed;
  }

  @Override
  protected void stamp(long remote) {
    caller.visible().note(remote);
  }

  @Override
  protected void data(ChannelHandlerContext ctx, ByteBuf piece) {
    ctx.fireChannelRead(piece);
  }

  @Override
  protected void message(ChannelHandlerContext ctx, Message message, int call, long remote) {
    switch (message) {
      case Message.Challenge challenge when state == State.CONNECTED -> greet(ctx, challenge, call);
      case Message.Welcome welcome when state == State.GREETED -> welcome(ctx, welcome, remote);
      case Message.NotLeader other when state == State.GREETED -> notLeader(ctx, other);
      case Message.Failure failure when call == 0 -> refuse(ctx, failure.reason());
      case Message.Greeting _, Message.Request _ -> throw Envelope.unexpected(message);
      case Message.Reply reply -> {
        if (state != State.READY || call == 0) {
          throw Envelope.unexpected(reply);
        }
        CompletableFuture<Message> waiting = calls.remove(call);
        if (waiting == null) {
          return; // its caller has given up
        }
        if (reply instanceof Message.Failure failure) {
          waiting.completeExceptionally(failure.reason());
        } else {
          waiting.complete(reply);
        }
      }
    }
  }

  private void greet(ChannelHandlerContext ctx, Message.Challenge challenge, int newest) {
    try {
      speaks(
          EnvelopeVersions.agreed(challenge.oldest(), newest, "the agent of " + dn, "this node"));
    } catch (AlraiException tooFarApart) {
      fail(ctx, tooFarApart);
      return;
    }
    state = State.GREETED;
    agentsNonce = challenge.nonce();
    KnownGenerations known = caller.seeker().generations();
    write(
        ctx,
        new Message.Hello(
            version(),
            purpose,
            nonce,
            caller.proofs().hello(agentsNonce, nonce, purpose, caller.node(), known),
            caller.node(),
            known),
        0);
  }

  private void notLeader(ChannelHandlerContext ctx, Message.NotLeader other) {
    if (proves(ctx, other.proof(), other.dn())) {
      caller.seeker().hinted(other.hint());
      fail(ctx, unavailable("does not lead it"));
    }
  }

  private boolean proves(ChannelHandlerContext ctx, Message.Nonce proof, DnId of) {
    if (!Proofs.same(caller.proofs().welcome(nonce, agentsNonce, of), proof)) {
      refuse(ctx, unavailable("does not know the cluster's secret"));
      return false;
    }
    if (!of.equals(dn)) {
      refuse(ctx, unavailable("is that of " + of));
      return false;
    }
    return true;
  }

  private void welcome(ChannelHandlerContext ctx, Message.Welcome welcome, long remote) {
    if (!proves(ctx, welcome.proof(), welcome.dn())) {
      return;
    }
    proved();
    clock(remote);
    term = welcome.term();
    if (!purpose.ofMember() && !caller.seeker().welcomed(this, purpose == Purpose.CONTROL)) {
      fail(ctx, unavailable("has led it, but leads it no more"));
      return;
    }
    state = State.READY;
    stopHandshakeBound();
    listener.ready(this, welcome.connectionId());
  }

  /**
   * Sends a request. Completes on the event loop with the reply; with an {@link AlraiException}
   * that the agent answered; with {@link Lost} when the connection breaks or the time is up. A late
   * reply is dropped.
   */
  CompletableFuture<Message> call(Message request, long boundMillis) {
    CompletableFuture<Message> reply = new CompletableFuture<>();
    Channel open = channel;
    if (open == null) {
      reply.completeExceptionally(new Lost(unavailable("is not connected")));
    } else if (open.eventLoop().inEventLoop()) {
      call(open, request, boundMillis, reply);
    } else {
      open.eventLoop().execute(() -> call(open, request, boundMillis, reply));
    }
    return reply;
  }

  private void call(
      Channel open, Message request, long boundMillis, CompletableFuture<Message> reply) {
    ChannelHandlerContext ctx = open.pipeline().context(this);
    if (state != State.READY || ctx == null) {
      reply.completeExceptionally(new Lost(broken()));
      return;
    }
    if (!MessageCodec.isOf(version(), request)) {
      reply.completeExceptionally(
          unavailable("is of an older release, and does not know " + request + " yet"));
      return;
    }
    int call = ++lastCall == 0 ? ++lastCall : lastCall;
    calls.put(call, reply);
    ScheduledFuture<?> bound =
        ctx.executor()
            .schedule(
                () -> {
                  calls.remove(call);
                  reply.completeExceptionally(new Lost(unavailable("did not answer in time")));
                },
                boundMillis,
                TimeUnit.MILLISECONDS);
    reply.whenComplete((message, error) -> bound.cancel(false));
    write(ctx, request, call);
  }

  /** Sends what has no reply. Event loop only. */
  void tell(Message message) {
    Channel open = channel;
    ChannelHandlerContext ctx = open == null ? null : open.pipeline().context(this);
    if (state == State.READY && ctx != null) {
      write(ctx, message, 0);
    }
  }

  private void write(ChannelHandlerContext ctx, Message message, int call) {
    ByteBuf out = ctx.alloc().buffer(256);
    BranchState carried = branch;
    long stamp = carried == null ? 0 : carried.dependency();
    MessageCodec.write(out, message, call, caller.clock().nowValue(), stamp);
    ctx.writeAndFlush(out, ctx.voidPromise());
  }

  /** What is sent from now on is about that branch, and has its dependency. */
  void carries(BranchState state) {
    branch = state;
  }

  /** The channel below; there is one once it is connected. */
  Channel channel() {
    Channel open = channel;
    if (open == null) {
      throw new IllegalStateException("not connected");
    }
    return open;
  }

  /** Where its agent is. */
  InetSocketAddress place() {
    return place;
  }

  /** In which its agent leads; below all others until that has said so. */
  long term() {
    return term;
  }

  /** Whether it can be used. */
  boolean usable() {
    return state == State.READY;
  }

  /** Ends it. */
  void close() {
    Channel open = channel;
    if (open != null) {
      open.close();
    }
  }

  /** The agent, or the caller, has a reason that another attempt would meet again. */
  private void refuse(ChannelHandlerContext ctx, AlraiException reason) {
    refused = true;
    fail(ctx, reason);
  }

  private void fail(ChannelHandlerContext ctx, AlraiException reason) {
    if (broken == null) {
      broken = reason;
    }
    ended();
    ctx.close();
  }

  private void ended() {
    stopHandshakeBound();
    State before = state;
    state = State.CLOSED;
    caller.seeker().ended(this);
    if (before == State.CONNECTED || before == State.GREETED) {
      if (refused) {
        listener.refused(broken());
      } else {
        listener.missed(broken());
      }
    }
    List<CompletableFuture<Message>> waiting = List.copyOf(calls.values());
    calls.clear();
    for (CompletableFuture<Message> call : waiting) {
      call.completeExceptionally(new Lost(broken()));
    }
  }

  private void stopHandshakeBound() {
    ScheduledFuture<?> bound = handshakeBound;
    if (bound != null) {
      bound.cancel(false);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    super.channelInactive(ctx);
    ended();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    Throwable reason =
        cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
    if (purpose == Purpose.CONTROL) {
      caller.peer().controlFailed(reason);
    }
    fail(
        ctx,
        reason instanceof AlraiException known
            ? known
            : new AlraiException(
                ErrorCode.ALRAI_NODE_UNAVAILABLE, EnvelopeTls.broken(dn, reason), reason));
  }

  private AlraiException broken() {
    AlraiException known = broken;
    return known != null ? known : unavailable("closed the connection");
  }

  private AlraiException unavailable(String what) {
    return new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "the agent of " + dn + " " + what);
  }
}
