package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.backend.Answer;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.BranchTaker;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.ViewOpener;
import io.alrai.dn.ship.DnLog;
import io.alrai.dn.ship.LogSubscription;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent's end of one connection. Event loop only.
 *
 * <pre>
 * CHALLENGED -HELLO-> CONNECTING -> BRANCH <-> CALLING (PREPARE, PRE_COMMIT, DECIDE)
 *     |          |                       ^-----> OPENING (OPEN_VIEW)
 *     |          +-------------------> CONTROL | SENDING (the log)
 *     +--------> CLOSED  (from every state)
 * </pre>
 *
 * When the caller goes away while CALLING, the call is finished first: its outcome is in the log,
 * and only then the mysqld's connection is closed. A view that is being opened is dropped at once.
 */
final class AgentSession extends FrameDecoder implements BackendRelay.Caller {
  private static final long HANDSHAKE_MILLIS = 5_000;
  private static final Logger log = LoggerFactory.getLogger(AgentSession.class);

  private enum State {
    CHALLENGED,
    CONNECTING,
    BRANCH,
    CALLING,
    OPENING,
    CONTROL,
    SENDING,
    CLOSED
  }

  private final AgentContext agent;
  private final Message.Nonce nonce = Proofs.nonce();
  private State state = State.CHALLENGED;
  private String caller = "unknown";
  private @Nullable BackendRelay backend;
  private @Nullable LogSender sender;
  private Peers.@Nullable Peer peer;
  private @Nullable ChannelHandlerContext context;
  private @Nullable ScheduledFuture<?> handshakeBound;

  AgentSession(AgentContext agent) {
    this.agent = agent;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    context = ctx;
    write(ctx, new Message.Challenge(Envelope.VERSION, nonce), 0);
    handshakeBound =
        ctx.executor()
            .schedule(
                () -> {
                  if (state == State.CHALLENGED) {
                    ctx.close();
                  }
                },
                HANDSHAKE_MILLIS,
                TimeUnit.MILLISECONDS);
  }

  @Override
  protected void clock(long remote) {
    agent.clock().updateValue(remote);
  }

  @Override
  protected void stamp(long remote) {
    BackendRelay relay = backend;
    if (relay != null) {
      relay.branch().state().dependency(remote);
    }
  }

  @Override
  protected void data(ChannelHandlerContext ctx, ByteBuf piece) {
    BackendRelay relay = backend;
    if (state != State.BRANCH || relay == null) {
      piece.release();
      throw Envelope.malformed("DATA while " + state);
    }
    relay.branch().watch();
    relay.write(piece);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) throws Exception {
    Peers.Peer node = peer;
    if (node != null) {
      agent.peers().heard(node);
    }
    BackendRelay relay = backend;
    if (relay != null) {
      relay.flush();
    }
    super.channelReadComplete(ctx);
  }

  @Override
  protected void message(ChannelHandlerContext ctx, Message message, int call, long remote) {
    switch (message) {
      case Message.Hello hello -> hello(ctx, hello, remote);
      case Message.Prepare m -> commit(ctx, call, b -> agent.participant().prepare(b, m.id()));
      case Message.PreCommit m -> commit(ctx, call, b -> agent.participant().preCommit(b, m.id()));
      case Message.Decide m ->
          commit(
              ctx,
              call,
              b -> agent.participant().decide(b, m.id(), m.proposed(), m.participants()));
      case Message.OpenView m ->
          onBranch(
              ctx,
              call,
              State.OPENING,
              b ->
                  agent
                      .views()
                      .open(b, m.at(), m.opening(), m.undo(), m.again())
                      .thenApply(AgentSession::opening));
      case Message.SubmitCommit m ->
          finishing(ctx, call, participant().commitPrepared(m.id(), m.commitTs()).submitted());
      case Message.CommitPrepared m ->
          finishing(ctx, call, participant().commitPrepared(m.id(), m.commitTs()).done());
      case Message.RollbackPrepared m ->
          finishing(ctx, call, participant().rollbackPrepared(m.id()));
      case Message.AskOutcome m ->
          onControl(ctx, call, participant().outcome(m.id()).thenApply(Message.OutcomeIs::new));
      case Message.Holds m ->
          onControl(ctx, call, participant().holdsPrepared(m.id()).thenApply(Message.Held::new));
      case Message.Forget m -> participant().forget(m.id());
      case Message.Push m ->
          onControl(
              ctx,
              call,
              participant().push(m.id(), m.prepareTs(), m.above()).thenApply(Message.Pushed::new));
      case Message.Resolve m ->
          onControl(ctx, call, log().resolve(m.wanted()).thenApply(Message.ResolvedTo::new));
      case Message.AskBranches m ->
          onControl(ctx, call, log().preparedBranches().thenApply(AgentSession::branches));
      case Message.Ping m ->
          onControl(ctx, call, CompletableFuture.completedFuture(new Message.Done()));
      case Message.Challenge m -> throw Envelope.unexpected(m);
      case Message.Welcome m -> throw Envelope.unexpected(m);
      case Message.Stamp m -> throw Envelope.unexpected(m);
      case Message.Done m -> throw Envelope.unexpected(m);
      case Message.OutcomeIs m -> throw Envelope.unexpected(m);
      case Message.Held m -> throw Envelope.unexpected(m);
      case Message.Pushed m -> throw Envelope.unexpected(m);
      case Message.Opened m -> throw Envelope.unexpected(m);
      case Message.SnapshotRefused m -> throw Envelope.unexpected(m);
      case Message.ResolvedTo m -> throw Envelope.unexpected(m);
      case Message.BranchesAre m -> throw Envelope.unexpected(m);
      case Message.Failure m -> throw Envelope.unexpected(m);
    }
  }

  private void finishing(ChannelHandlerContext ctx, int call, CompletableFuture<Void> until) {
    onControl(ctx, call, until.thenApply(done -> new Message.Done()));
  }

  private CommitParticipant participant() {
    if (state != State.BRANCH && state != State.CONTROL) {
      throw Envelope.malformed("a call while " + state);
    }
    return agent.participant();
  }

  private DnLog log() {
    if (state != State.CONTROL) {
      throw Envelope.malformed("a question about the log while " + state);
    }
    return agent.log();
  }

  private static Message.BranchesAre branches(Collection<TransactionId> branches) {
    if (branches.size() > Message.BranchesAre.MOST) {
      throw new AlraiException(
          ErrorCode.ALRAI_NODE_UNAVAILABLE, branches.size() + " branches are prepared");
    }
    return new Message.BranchesAre(List.copyOf(branches));
  }

  private void hello(ChannelHandlerContext ctx, Message.Hello hello, long remote) {
    if (state != State.CHALLENGED) {
      throw Envelope.unexpected(hello);
    }
    if (hello.version() != Envelope.VERSION) {
      throw Envelope.malformed("version " + hello.version() + " of the envelope");
    }
    if (!Proofs.same(
        agent.proofs().hello(nonce, hello.nonce(), hello.purpose(), hello.node()), hello.proof())) {
      log.warn(
          "{} says it is {}, but it does not know the cluster's secret",
          ctx.channel().remoteAddress(),
          hello.node());
      throw new AlraiException(
          ErrorCode.ER_ACCESS_DENIED_ERROR,
          "the agent of " + agent.dn() + " refuses this node: it has another cluster secret");
    }
    proved();
    caller = hello.node().name();
    clock(remote);
    BackendAccount account = hello.purpose().account();
    Peers.Peer node = agent.peers().of(caller);
    peer = node;
    if (hello.purpose() == Purpose.CONTROL) {
      node.control(ctx.channel());
    } else {
      node.data(ctx.channel());
    }
    if (hello.purpose() == Purpose.LOG) {
      state = State.SENDING;
      sendLog(ctx, hello.nonce());
    } else if (account == null) {
      state = State.CONTROL;
      welcome(ctx, hello.nonce(), 0);
    } else {
      state = State.CONNECTING;
      connect(ctx, account, hello.nonce());
    }
  }

  /** What is let through from before the welcome on is sent: the other side relies on it then. */
  private void sendLog(ChannelHandlerContext ctx, Message.Nonce callers) {
    try {
      LogSubscription subscription = agent.log().follow();
      welcome(ctx, callers, 0);
      sender = new LogSender(agent.dn(), subscription, agent.clock(), ctx);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AlraiException(ErrorCode.ER_SERVER_SHUTDOWN, "the agent is stopping", e);
    }
  }

  private void welcome(ChannelHandlerContext ctx, Message.Nonce callers, long connectionId) {
    ScheduledFuture<?> bound = handshakeBound;
    if (bound != null) {
      bound.cancel(false);
    }
    Message.Nonce proof = agent.proofs().welcome(callers, nonce, agent.dn());
    write(ctx, new Message.Welcome(proof, connectionId, agent.dn()), 0);
  }

  private void connect(ChannelHandlerContext ctx, BackendAccount account, Message.Nonce callers) {
    agent
        .mysqld()
        .open(
            ctx.channel().eventLoop(),
            account,
            BackendRelay.HOMELESS,
            new BranchTaker() {
              @Override
              public void taken(Branch branch) {
                if (state == State.CLOSED) {
                  branch.close();
                  return;
                }
                BackendRelay relay = BackendRelay.on((PipelinedBranch) branch, AgentSession.this);
                backend = relay;
                state = State.BRANCH;
                welcome(ctx, callers, branch.serverConnectionId());
              }

              @Override
              public void refused(AlraiException reason) {
                if (state != State.CLOSED) {
                  fail(ctx, reason);
                }
              }
            });
  }

  /** A call that belongs to the branch. */
  private interface BranchCall<T> {
    CompletableFuture<T> on(Branch branch);
  }

  private void commit(ChannelHandlerContext ctx, int call, BranchCall<HlcTimestamp> work) {
    onBranch(ctx, call, State.CALLING, b -> work.on(b).thenApply(Message.Stamp::new));
  }

  private static Message opening(ViewOpener.Opening opening) {
    return switch (opening) {
      case ViewOpener.Opening.Open o -> new Message.Opened();
      case ViewOpener.Opening.Refused r -> new Message.SnapshotRefused(r.hint());
    };
  }

  private void onBranch(
      ChannelHandlerContext ctx, int call, State during, BranchCall<? extends Message> work) {
    BackendRelay relay = backend;
    if (state != State.BRANCH || relay == null || call == 0) {
      throw Envelope.malformed("a branch's call while " + state);
    }
    state = during;
    relay.relaying(false);
    relay.reading(true);
    work.on(relay.branch())
        .whenComplete((message, error) ->
            onLoop(
                ctx,
                () -> {
                  relay.relaying(true);
                  if (state == State.CLOSED) {
                    relay.close();
                    return;
                  }
                  state = State.BRANCH;
                  reply(ctx, call, error == null ? message : failure(error));
                  if (!relay.alive()) {
                    ctx.close();
                  }
                }));
  }

  private void onControl(
      ChannelHandlerContext ctx, int call, CompletableFuture<? extends Message> work) {
    if (call == 0) {
      throw Envelope.malformed("a call without a number");
    }
    work.whenComplete((message, error) ->
        onLoop(ctx, () -> reply(ctx, call, error == null ? message : failure(error))));
  }

  private static void onLoop(ChannelHandlerContext ctx, Runnable work) {
    if (ctx.executor().inEventLoop()) {
      work.run();
    } else {
      ctx.executor().execute(work);
    }
  }

  private static Message.Failure failure(Throwable error) {
    Throwable cause =
        error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    return new Message.Failure(
        switch (cause) {
          case AlraiException known -> known;
          case Answer.Failed failed -> failed.reason();
          default ->
              new AlraiException(ErrorCode.ALRAI_INTERNAL, "the agent failed: " + cause, cause);
        });
  }

  private void reply(ChannelHandlerContext ctx, int call, Message message) {
    if (state != State.CLOSED) {
      write(ctx, message, call);
    }
  }

  private void write(ChannelHandlerContext ctx, Message message, int call) {
    ByteBuf out = ctx.alloc().buffer(256);
    encode(out, message, call);
    ctx.writeAndFlush(out, ctx.voidPromise());
  }

  private void encode(ByteBuf out, Message message, int call) {
    MessageCodec.write(out, message, call, agent.clock().nowValue(), agent.views().visibleStamp());
  }

  // ---- the relay's side ----

  @Override
  public void fromBackend(ByteBuf packets) {
    ChannelHandlerContext ctx = context;
    BackendRelay relay = backend;
    if (ctx == null || relay == null || state == State.CLOSED) {
      packets.release();
      return;
    }
    int flags = relay.branch().disturbed() ? Envelope.DISTURBED : 0;
    DataFramer.write(
        ctx, agent.clock(), agent.views().visibleStamp(), flags, packets, ctx.voidPromise());
  }

  @Override
  public void backendReadComplete() {
    ChannelHandlerContext ctx = context;
    BackendRelay relay = backend;
    if (ctx != null) {
      ctx.flush();
      if (relay != null && !ctx.channel().isWritable()) {
        relay.reading(false);
      }
    }
  }

  @Override
  public void backendWritable(boolean writable) {
    ChannelHandlerContext ctx = context;
    if (ctx != null) {
      ctx.channel().config().setAutoRead(writable);
    }
  }

  @Override
  public void backendClosed() {
    ChannelHandlerContext ctx = context;
    if (ctx != null && (state == State.BRANCH || state == State.OPENING)) {
      // what the mysqld said last goes out first
      ctx.writeAndFlush(ctx.alloc().buffer(0)).addListener(ChannelFutureListener.CLOSE);
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    BackendRelay relay = backend;
    if (relay != null && ctx.channel().isWritable()) {
      relay.reading(true);
    }
  }

  // ---- the end ----

  private void fail(ChannelHandlerContext ctx, AlraiException reason) {
    if (state != State.CLOSED) {
      log.debug("connection of {} ends: {}", caller, reason.sentence());
      ByteBuf out = ctx.alloc().buffer(256);
      encode(out, new Message.Failure(reason), 0);
      ctx.writeAndFlush(out).addListener(ChannelFutureListener.CLOSE);
      ended();
    }
  }

  private void ended() {
    State before = state;
    state = State.CLOSED;
    LogSender sending = sender;
    if (sending != null) {
      sending.close();
    }
    BackendRelay relay = backend;
    if (relay != null && before != State.CALLING && before != State.CLOSED) {
      relay.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) throws Exception {
    ended();
    super.channelInactive(ctx);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    Throwable reason =
        cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
    if (reason instanceof AlraiException known) {
      fail(ctx, known);
    } else {
      if (reason instanceof IOException) {
        log.debug("connection of {} broke: {}", caller, String.valueOf(reason));
      } else {
        log.error("the connection of {} ends by a defect", caller, reason);
      }
      Peers.Peer node = peer;
      if (state == State.CONTROL && node != null) {
        node.controlFailed(reason);
      }
      ctx.close();
    }
  }
}
