package io.alrai.cn.command;

import io.alrai.cn.digest.MeasuredStatement;
import io.alrai.cn.ending.CommandKill;
import io.alrai.cn.protocol.ClientOutput;
import io.alrai.cn.protocol.ClientWatch;
import io.alrai.cn.protocol.CommandFramer;
import io.alrai.cn.service.CnServices;
import io.alrai.cn.session.ClientState;
import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionRegistry;
import io.alrai.cn.session.SessionWork;
import io.alrai.cn.shard.SessionShards;
import io.alrai.cn.tx.LostConnections;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.link.Branch;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client: takes its commands one after the other and gives each to its handler. A command is at
 * work until {@link #done}; those that come meanwhile wait. Event loop only, unless said otherwise.
 *
 * <pre>
 *   LOGIN -> IDLE &lt;-> AT_WORK (forwarded, or lent to a virtual thread)
 *
 *   all of them -> CLOSED
 * </pre>
 */
public final class ClientConnection implements CommandClient, CommandFramer.Receiver {
  private static final Logger log = LoggerFactory.getLogger(ClientConnection.class);

  /** How long a session whose client has gone may be in the way of others. */
  private static final int GONE_SECONDS = 30;

  private final CnServices services;
  private final Channel channel;
  private final ClientOutput output;
  private final QueuedCommands queue = new QueuedCommands();
  private final SessionBranches branches;
  private @Nullable Session session;
  private @Nullable CommandHandlers handlers;
  private @Nullable SessionShards shards;
  private @Nullable MeasuredStatement measured;
  private @Nullable CommandEnd end;
  private final LentThread lent = new LentThread();
  private final ClientWatch watch;
  private volatile @Nullable Branch forwardingOn;
  private @Nullable Consumer<ByteBuf> nextPacket;

  /** Written on the event loop only. */
  private volatile ClientState state = ClientState.LOGIN;

  /** Written on the event loop only; other threads may see it later. */
  private final AtomicInteger commands = new AtomicInteger();

  private int firstSequence = 1;

  /** The CN ends. */
  private boolean ending;

  /** The connection of a client that is logging in. */
  public ClientConnection(CnServices services, Channel channel) {
    this.services = services;
    this.channel = channel;
    this.output = new ClientOutput(channel);
    this.branches = new SessionBranches(services, channel.eventLoop(), this::session);
    this.watch =
        new ClientWatch(
            channel,
            () -> session().own().netWriteSeconds(),
            services.clients().statementCounts().clientTimeouts()::increment,
            System::nanoTime);
  }

  /** The login has succeeded. */
  public void begin(Session begun) {
    advance(ClientState.IDLE, "logged in");
    session = begun;
    shards = new SessionShards(begun, channel.eventLoop(), branches);
    measured = services.clients().digests().of(channel.eventLoop(), begun);
    CommandHandlers handling = new CommandHandlers(this);
    handlers = handling;
    end = new CommandEnd(this, handling);
    begun.user().identity().enters(() -> services.clients().sessions().add(new Entry(begun)));
  }

  /** What all sessions share. */
  public CnServices services() {
    return services;
  }

  @Override
  public Channel channel() {
    return channel;
  }

  /** The event loop of the client. */
  public EventLoop loop() {
    return channel.eventLoop();
  }

  /** Output for virtual threads. */
  public ClientOutput output() {
    return output;
  }

  @Override
  public Session session() {
    Session known = session;
    if (known == null) {
      throw new IllegalStateException("not logged in");
    }
    return known;
  }

  /** Where the session gets its branches. */
  public SessionBranches branches() {
    return branches;
  }

  /** The session's shards for virtual threads. */
  public SessionShards shards() {
    SessionShards known = shards;
    if (known == null) {
      throw new IllegalStateException("not logged in");
    }
    return known;
  }

  /** The statement at work. */
  MeasuredStatement measured() {
    return Objects.requireNonNull(measured, "not logged in");
  }

  /** How the command at work ends early. */
  CommandEnd end() {
    return Objects.requireNonNull(end, "not logged in");
  }

  @Override
  public void command(ByteBuf packets) {
    if (closed()) {
      packets.release();
      return;
    }
    Consumer<ByteBuf> waiting = nextPacket;
    if (waiting != null) {
      nextPacket = null;
      waiting.accept(packets);
      return;
    }
    CommandHandlers known = handlers;
    if (known != null && known.fileWanted()) {
      known.filePacket(packets);
      return;
    }
    if (state == ClientState.AT_WORK) {
      if (queue.add(packets)) {
        channel.config().setAutoRead(false);
      }
      return;
    }
    dispatch(packets);
  }

  @Override
  public int firstSequence() {
    return firstSequence;
  }

  void firstSequence(int number) {
    firstSequence = number;
  }

  /** Passes the client's next packet to a dialog, which releases it. */
  void nextPacket(Consumer<ByteBuf> taker) {
    nextPacket = taker;
  }

  private void dispatch(ByteBuf packets) {
    CommandHandlers known = handlers;
    if (known == null) {
      packets.release();
      channel.close();
      return;
    }
    advance(ClientState.AT_WORK, "a command");
    commands.setRelease(commands.getPlain() + 1);
    AlraiException lost = LostConnections.reason(session().transaction());
    if (lost != null) {
      packets.release();
      leave(lost, 1);
      return;
    }
    if (ending && hasNoTransaction()) {
      packets.release();
      leave(CommandErrors.ending(), 1);
      return;
    }
    try {
      known.dispatch(packets);
    } catch (AlraiException e) {
      fail(e, firstSequence);
    } catch (RuntimeException | VirtualMachineError e) {
      fail(CommandErrors.internal(e), firstSequence);
    } finally {
      packets.release();
    }
  }

  @Override
  public void done() {
    if (!closed()) {
      advance(ClientState.IDLE, "answered");
    }
    forwardingOn = null;
    Session known = session;
    if (known != null) {
      statementOver();
    }
    ByteBuf next = queue.poll();
    if (next == null) {
      return;
    }
    if (queue.hasRoom() && !channel.config().isAutoRead()) {
      channel.config().setAutoRead(true);
    }
    if (closed()) {
      next.release();
      return;
    }
    dispatch(next);
  }

  /** A statement of the command has ended. */
  void statementOver() {
    measured().ends();
    end().over();
    session().transaction().statementOver();
  }

  @Override
  public void fail(AlraiException error, int sequence) {
    CommandErrors.send(this, error, sequence);
    done();
  }

  /** Ends the command with an OK packet. */
  public void ok(OkPacket ok, int sequence) {
    ByteBuf out = channel.alloc().buffer(64);
    Packets.writeOk(out, sequence, ok, session().stateChange());
    channel.writeAndFlush(out, channel.voidPromise());
    done();
  }

  /** Ends the command with an OK packet that has only the session's state. */
  public void ok(int moreResults, int sequence) {
    ok(new OkPacket(0, 0, session().statusFlags() | moreResults, 0, ""), sequence);
  }

  /** Lends the session to a virtual thread; {@code after} then runs on the event loop. */
  public void lend(Runnable work, Runnable after) {
    lent.start(
        "session-" + session().client().connectionId(),
        () -> shards().ownWork().whileRunning(work),
        () -> loop().execute(after));
  }

  /** Records on which branch the forwarded statement runs, so that it can be killed. */
  public void forwardingOn(@Nullable Branch branch) {
    Branch before = forwardingOn;
    if (before != null && before != branch) {
      before.reading(true);
    }
    forwardingOn = branch;
  }

  @Override
  public void tooLarge() {
    leave(
        new AlraiException(
            ErrorCode.ER_NET_PACKET_TOO_LARGE,
            "Got a packet bigger than 'max_allowed_packet' bytes"),
        1);
  }

  /** An error for a command only; what a dialog or a file lacks would go unnoticed. */
  @Override
  public void noRoom(int sequence) {
    if (state == ClientState.AT_WORK || nextPacket != null) {
      leave(CommandErrors.noMemory(), 1);
      return;
    }
    ByteBuf out = channel.alloc().buffer(256);
    AlraiException reason = CommandErrors.noMemory();
    Packets.writeErr(out, sequence, reason.errno(), reason.sqlState(), reason.sentence());
    channel.writeAndFlush(out, channel.voidPromise());
  }

  /**
   * Sends why the connection ends, and closes it.
   *
   * @param sequence 1 where a command is answered, 0 where none has come
   */
  private void leave(AlraiException reason, int sequence) {
    ByteBuf out = channel.alloc().buffer(128);
    Packets.writeErr(out, sequence, reason.errno(), reason.sqlState(), reason.sentence());
    channel.writeAndFlush(out).addListener(sent -> channel.close());
  }

  @Override
  public void gone() {
    if (closed()) {
      return;
    }
    advance(ClientState.CLOSED, "its client is gone");
    output.channelChanged();
    ByteBuf waiting;
    while ((waiting = queue.poll()) != null) {
      waiting.release();
    }
    Session known = session;
    if (known == null) {
      return;
    }
    services.clients().sessions().remove(known.client().connectionId());
    Branch forwarding = forwardingOn;
    if (forwarding != null) {
      forwarding.close();
    }
    boolean slow = lent.interrupt();
    shards().leave();
    shards().ownWork().end();
    shards().atWork().forEach(Branch::close);
    CommandHandlers handling = handlers;
    if (handling != null) {
      handling.gone();
    }
    end().gone();
    known.transaction().abandon();
    if (slow) {
      loop().schedule(() -> leaveBehind(known), GONE_SECONDS, TimeUnit.SECONDS);
    } else {
      measured().left();
      known.transaction().statementOver();
    }
  }

  /** The statement hangs but can begin nothing more: locks over the cluster do not wait for it. */
  private void leaveBehind(Session known) {
    if (lent.isAtWork()) {
      unheard("its client has gone, but its statement has not ended");
      known.transaction().statementOver();
    }
  }

  /** Logs a statement that does not end. Event loop. */
  void unheard(String what) {
    services.clients().statementCounts().unheardKills().increment();
    CommandKill.tell(session().client().connectionId(), what, lent.where());
  }

  @Override
  public void writabilityChanged(boolean writable) {
    output.channelChanged();
    if (session != null) {
      watch.writable(writable);
    }
    Branch forwarding = forwardingOn;
    if (forwarding != null) {
      forwarding.reading(writable);
    }
  }

  private boolean hasNoTransaction() {
    return (session().statusFlags() & ServerStatus.IN_TRANS) == 0;
  }

  /** Whether that is the command at work. The session's thread. */
  boolean runs(int command) {
    return state == ClientState.AT_WORK && command == commands.getAcquire();
  }

  /** The branch on which a forwarded statement runs. */
  @Nullable Branch forwarding() {
    return forwardingOn;
  }

  /** Whether the client has left. */
  public boolean closed() {
    return state == ClientState.CLOSED;
  }

  /**
   * The next state.
   *
   * @throws IllegalStateException when it cannot follow, as for a command that is answered twice
   */
  private void advance(ClientState next, String reason) {
    ClientState before = state;
    if (!before.mayBecome(next)) {
      throw new IllegalStateException(
          "a client: " + before + " cannot become " + next + " (" + reason + ")");
    }
    if (log.isTraceEnabled()) {
      log.trace("a client: {} -> {} ({})", before, next, reason);
    }
    state = next;
  }

  /** How others see this client. */
  private final class Entry implements SessionRegistry.Entry {
    private final Session seen;

    Entry(Session seen) {
      this.seen = seen;
    }

    @Override
    public Session session() {
      return seen;
    }

    @Override
    public CompletableFuture<SessionWork> work() {
      return CompletableFuture.supplyAsync(
          () -> TextAtWork.work(this, atWork() ? handlers : null, shards(), forwardingOn), loop());
    }

    @Override
    public int commands() {
      return commands.getAcquire();
    }

    @Override
    public boolean atWork() {
      return state == ClientState.AT_WORK;
    }

    @Override
    public void endIdle() {
      int before = commands();
      loop()
          .execute(() -> {
            if (state == ClientState.IDLE && before == commands()) {
              leave(CommandErrors.inactive(), 0);
            }
          });
    }

    @Override
    public void endAfterTransaction() {
      loop().execute(() -> ending = true);
    }

    @Override
    public void endQuiet() {
      loop()
          .execute(() -> {
            if (state == ClientState.IDLE && hasNoTransaction()) {
              leave(CommandErrors.ending(), 0);
            }
          });
    }

    @Override
    public void killQuery() {
      loop().execute(() -> end().killCommand(commands.getPlain()));
    }

    @Override
    public void killConnection() {
      loop()
          .execute(() -> {
            end().killAll();
            channel.close();
          });
    }
  }
}
