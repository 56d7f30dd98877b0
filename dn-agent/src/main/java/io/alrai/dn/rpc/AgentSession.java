package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.backend.BackendConnector;
import io.alrai.dn.link.BackendAccount;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.CommitParticipant;
import io.alrai.dn.link.ViewOpener;
import io.alrai.dn.reads.ServedViews;
import io.alrai.dn.rpc.wire.Envelope;
import io.alrai.dn.rpc.wire.EnvelopeVersions;
import io.alrai.dn.rpc.wire.FrameDecoder;
import io.alrai.dn.rpc.wire.Message;
import io.alrai.dn.rpc.wire.Proofs;
import io.alrai.dn.rpc.wire.Purpose;
import io.alrai.dn.ship.DnLog;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The agent's end of one connection. Event loop only.
 *
 * <pre>
 * CHALLENGED -HELLO-> CONNECTING -> BRANCH <-> CALLING (PREPARE, PRE_COMMIT, DECIDE)
 *     |          |                       ^-----> OPENING (OPEN_VIEW)
 *     |          +----> CONTROL | SENDING (the log) | BEHIND | MEMBER | ROWS (cloned)
 *     +--------> CLOSED  (from every state)
 * </pre>
 *
 * BEHIND: another handler takes what comes. When the caller goes away while CALLING, the call is
 * finished first: its outcome is in the log, and only then the mysqld's connection is closed. A
 * view that is being opened is dropped at once.
 */
final class AgentSession extends FrameDecoder implements BackendRelay.Caller, SessionOutput.Owner {
  private static final Logger log = LoggerFactory.getLogger(AgentSession.class);

  private enum State {
    CHALLENGED,
    CONNECTING,
    BRANCH,
    CALLING,
    OPENING,
    CONTROL,
    MEMBER,
    ROWS,
    SENDING,
    BEHIND,
    CLOSED
  }

  private final AgentContext agent;
  private final Message.Nonce nonce = Proofs.nonce();
  private final SessionLeave leave = new SessionLeave();
  private State state = State.CHALLENGED;
  private String caller = "unknown";
  private @Nullable BackendRelay backend;
  private final LogSender.Choice sending;
  private Peers.@Nullable Peer peer;
  private @Nullable Leading leading;
  private @Nullable ViewOpener views;
  private @Nullable GroupMembership member;
  private @Nullable SessionOutput output;
  private @Nullable ChannelHandlerContext context;
  private @Nullable HandshakeBound handshakeBound;
  private final Suspension suspension = new Suspension();

  AgentSession(AgentContext agent) {
    this.agent = agent;
    this.sending = new LogSender.Choice(agent);
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    context = ctx;
    output = new SessionOutput(agent, this, ctx);
    output.message(new Message.Challenge(EnvelopeVersions.OLDEST, nonce), EnvelopeVersions.NEWEST);
    handshakeBound = new HandshakeBound(ctx, () -> state != State.CHALLENGED);
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
    if (state == State.ROWS || state == State.BEHIND) {
      ctx.fireChannelRead(piece);
      return;
    }
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
      case Message.CommitCall m ->
          onBranch(ctx, call, State.CALLING, b -> ParticipantCalls.answer(leading(), b, m));
      case Message.OpenView m ->
          onBranch(
              ctx,
              call,
              State.OPENING,
              b ->
                  require(views)
                      .open(b, m.at(), m.opening(), m.undo(), m.again())
                      .thenApply(opened -> Message.of(opened, b.state())));
      case Message.Suspend m ->
          onControl(ctx, call, suspension.set(m.on(), leading().rows(), require(backend).branch()));
      case Message.ParticipantCall m ->
          onControl(ctx, call, ParticipantCalls.answer(participant(), m));
      case Message.Forget m -> participant().forget(m.id());
      case Message.Resolve m ->
          onControl(ctx, call, log().resolve(m.wanted()).thenApply(Message.ResolvedTo::new));
      case Message.AskMark _ -> onControl(ctx, call, log().mark().thenApply(Message.MarkIs::new));
      case Message.AskPlace m -> onControl(ctx, call, log().place(m.at()).thenApply(Message::of));
      case Message.FollowLog m -> sending.begin(m, ctx);
      case Message.AskBranches m ->
          onControl(ctx, call, log().preparedBranches().thenApply(Message.BranchesAre::of));
      case Message.AskFate m -> onControl(ctx, call, agent.fate(m));
      case Message.MemberCall m -> onControl(ctx, call, MemberCalls.answer(require(member), m));
      case Message.Ping _ -> onControl(ctx, call, leading().pulse(version()));
      case Message.Greeting _, Message.Reply _ -> throw Envelope.unexpected(message);
    }
  }

  private CommitParticipant participant() {
    if (state != State.BRANCH && state != State.CONTROL) {
      throw Envelope.malformed("a call while " + state);
    }
    return leading().participant();
  }

  private DnLog log() {
    if (state != State.CONTROL) {
      throw Envelope.malformed("a question about the log while " + state);
    }
    return leading().log();
  }

  private void hello(ChannelHandlerContext ctx, Message.Hello hello, long remote) {
    if (state != State.CHALLENGED) {
      throw Envelope.unexpected(hello);
    }
    agent.requireTrusted(hello, nonce, ctx.channel());
    proved();
    speaks(hello.version());
    caller = hello.node().name();
    clock(remote);
    boolean over = agent.isOver(hello);
    GroupMembership self = agent.leadership().member();
    if (hello.purpose().ofMember(over) && self != null) {
      helloToMember(ctx, hello, self);
      return;
    }
    Leadership.Term term = agent.leadership().present();
    if (term == null || over) {
      Message.Nonce proof = agent.proofs().welcome(hello.nonce(), nonce, agent.dn());
      lastWord(new Message.NotLeader(proof, agent.dn(), agent.leadership().hint()));
      return;
    }
    Leading leader = term.serve(ctx.channel());
    leading = leader;
    output().of(leader);
    views = leader.views();
    BackendAccount account = hello.purpose().account();
    Peers.Peer node = agent.peers().of(caller);
    peer = node;
    node.has(ctx.channel(), hello.purpose());
    if (account == null) {
      serve(ctx, hello, leader);
    } else {
      state = State.CONNECTING;
      connect(ctx, leader.mysqld(), account, id -> welcome(hello.nonce(), id, leader.term()));
    }
  }

  private void serve(ChannelHandlerContext ctx, Message.Hello hello, Leading leader) {
    Optional<ChannelHandler> behind = agent.behind(hello.purpose(), caller, leader, output());
    if (behind.isPresent()) {
      state = State.BEHIND;
      ctx.pipeline().addLast(behind.get());
    } else if (hello.purpose() == Purpose.LOG) {
      state = State.SENDING;
      sending.of(leader);
    } else {
      state = State.CONTROL;
    }
    welcome(hello.nonce(), 0, leader.term());
  }

  private void helloToMember(ChannelHandlerContext ctx, Message.Hello hello, GroupMembership self) {
    output().ofMember();
    Runnable welcome = () -> welcome(hello.nonce(), 0, 0);
    switch (hello.purpose()) {
      case ROWS -> {
        state = State.ROWS;
        Donation.begin(ctx.channel(), self.mysqld(), welcome, this::fail);
      }
      case REPLICA -> {
        state = State.CONNECTING;
        ServedViews reads = self.reads().orElseThrow(() -> agent.unavailable("serves no reads"));
        views = reads.views();
        // its number is of another mysqld than the leader's: nobody shall kill by it
        connect(ctx, reads.mysqld(), BackendAccount.DATA, id -> welcome.run());
      }
      default -> {
        member = self;
        state = sending.of(self, hello.purpose()) ? State.SENDING : State.MEMBER;
        welcome.run();
      }
    }
  }

  private void welcome(Message.Nonce callers, long connectionId, long term) {
    HandshakeBound bound = handshakeBound;
    if (bound != null) {
      bound.kept();
    }
    Message.Nonce proof = agent.proofs().welcome(callers, nonce, agent.dn());
    output().message(new Message.Welcome(proof, connectionId, term, agent.dn()), 0);
  }

  private void connect(
      ChannelHandlerContext ctx,
      BackendConnector mysqld,
      BackendAccount account,
      LongConsumer welcome) {
    BackendRelay.open(mysqld, ctx.channel().eventLoop(), account, this)
        .whenComplete((relay, error) -> {
          if (error != null) {
            fail(AlraiException.causeOf(error));
          } else if (state == State.CLOSED) {
            relay.close();
          } else {
            backend = relay;
            state = State.BRANCH;
            welcome.accept(relay.branch().serverConnectionId());
          }
        });
  }

  /** A call that belongs to the branch. */
  private interface BranchCall<T> {
    CompletableFuture<T> on(Branch branch);
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
                  reply(call, error == null ? message : Message.Failure.of(error));
                  if (!relay.alive()) {
                    ctx.close();
                  } else if (leave.begun()) {
                    leave.begin(relay);
                  }
                }));
  }

  private void onControl(
      ChannelHandlerContext ctx, int call, CompletableFuture<? extends Message> work) {
    if (call == 0) {
      throw Envelope.malformed("a call without a number");
    }
    work.whenComplete((message, error) ->
        onLoop(ctx, () -> reply(call, error == null ? message : Message.Failure.of(error))));
  }

  private static void onLoop(ChannelHandlerContext ctx, Runnable work) {
    if (ctx.executor().inEventLoop()) {
      work.run();
    } else {
      ctx.executor().execute(work);
    }
  }

  private void reply(int call, Message message) {
    if (state != State.CLOSED) {
      output().message(message, call);
    }
  }

  private Leading leading() {
    return require(leading);
  }

  private <T> T require(@Nullable T part) {
    if (part == null) {
      throw Envelope.malformed("a call that is none of this connection's");
    }
    return part;
  }

  private SessionOutput output() {
    SessionOutput out = output;
    if (out == null) {
      throw new IllegalStateException("not connected");
    }
    return out;
  }

  // ---- the relay's side ----

  @Override
  public void fromBackend(ByteBuf packets) {
    BackendRelay relay = backend;
    SessionOutput out = output;
    if (out == null || relay == null || state == State.CLOSED) {
      packets.release();
      return;
    }
    out.data(packets, relay.branch().disturbed() ? Envelope.DISTURBED : 0);
  }

  @Override
  public void backendReadComplete() {
    ChannelHandlerContext ctx = context;
    SessionOutput out = output;
    BackendRelay relay = backend;
    if (ctx != null && out != null) {
      out.flush();
      if (relay != null && (out.waits() || !ctx.channel().isWritable())) {
        relay.reading(false);
      }
    }
  }

  @Override
  public void released() {
    ChannelHandlerContext ctx = context;
    if (ctx != null) {
      channelWritabilityChanged(ctx);
    }
  }

  @Override
  public void unreserved(AlraiException reason) {
    log.warn("connection of {} ends: {}", caller, reason.sentence());
    fail(reason);
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
    if (leave.begun() && state == State.BRANCH) {
      leave.drain(); // until it is known why it was closed
    } else if (state == State.BRANCH || state == State.OPENING) {
      output().end(); // what the mysqld said last goes out first
    }
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    BackendRelay relay = backend;
    SessionOutput out = output;
    if (relay != null && out != null && !out.waits() && ctx.channel().isWritable()) {
      relay.reading(true);
    }
    ctx.fireChannelWritabilityChanged();
  }

  /** Passes nothing more on; completes when the mysqld has answered the rest. Any thread. */
  CompletableFuture<Void> leave() {
    ChannelHandlerContext ctx = Objects.requireNonNull(context);
    onLoop(ctx, () -> leave(ctx));
    return leave.drained();
  }

  private void leave(ChannelHandlerContext ctx) {
    switch (state) {
      case BRANCH -> leave.begin(backend);
      case CALLING, OPENING -> leave.begin();
      case CHALLENGED, CONNECTING, CONTROL, MEMBER, ROWS, SENDING, BEHIND -> ctx.close();
      case CLOSED -> leave.drain();
    }
  }

  /** What had closed its end has answered all; see {@link SessionLeave#closed}. Any thread. */
  CompletableFuture<Void> left() {
    ChannelHandlerContext ctx = Objects.requireNonNull(context);
    onLoop(ctx, () -> leave.end(state == State.BRANCH, output(), ctx.alloc()));
    return leave.closed();
  }

  private void fail(AlraiException reason) {
    if (state != State.CLOSED) {
      log.debug("connection of {} ends: {}", caller, reason.sentence());
      lastWord(new Message.Failure(reason));
    }
  }

  private void lastWord(Message message) {
    output().lastWord(message);
    ended();
  }

  private void ended() {
    leave.drain();
    State before = state;
    state = State.CLOSED;
    SessionOutput out = output;
    if (out != null) {
      out.discard();
    }
    sending.close();
    BackendRelay relay = backend;
    suspension.end();
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
      fail(known);
    } else {
      switch (reason) {
        case IOException _ -> log.debug("connection of {} broke: {}", caller, reason.toString());
        default -> log.error("the connection of {} ends by a defect", caller, reason);
      }
      Peers.Peer node = peer;
      if (state == State.CONTROL && node != null) {
        node.controlFailed(reason);
      }
      ctx.close();
    }
  }
}
