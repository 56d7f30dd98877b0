package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.dn.rpc.wire.Envelope;
import io.alrai.dn.rpc.wire.Message;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One connection to an agent for calls that belong to no branch. It is opened at once, as the first
 * call may be one that a reader waits for, and anew whenever it breaks. Where a DN has several
 * members it asks them which one leads. Thread-safe; its fields belong to its loop.
 */
final class ControlConnection implements AutoCloseable {
  private static final long RECONNECT_MILLIS = 100;
  private static final long IDLE_RECONNECT_MILLIS = 1_000;

  private record Waiting(Message request, long untilNanos, CompletableFuture<Message> reply) {}

  private final AgentConnector connector;
  private final EventLoop loop;
  private final Queue<Waiting> waiting = new ArrayDeque<>();
  private @Nullable AgentChannel channel;
  private boolean connecting;
  private volatile boolean closed;

  ControlConnection(AgentConnector connector, EventLoop loop) {
    this.connector = connector;
    this.loop = loop;
    loop.execute(this::connect);
  }

  /** Whether it was ended. */
  boolean closed() {
    return closed;
  }

  /** The loop on which replies complete. */
  EventLoop loop() {
    return loop;
  }

  /** Monotonic time, by the loop. */
  long nanos() {
    return loop.ticker().nanoTime();
  }

  /**
   * Sends a request.
   *
   * @param boundMillis for connecting and for the reply together, roughly
   * @return as {@link AgentChannel#call}
   */
  CompletableFuture<Message> call(Message request, long boundMillis) {
    CompletableFuture<Message> reply = new CompletableFuture<>();
    Waiting call =
        new Waiting(request, nanos() + TimeUnit.MILLISECONDS.toNanos(boundMillis), reply);
    try {
      loop.execute(() -> send(call));
    } catch (RejectedExecutionException stopping) {
      reply.completeExceptionally(new AgentChannel.Lost(ending()));
    }
    return reply;
  }

  /**
   * Asks.
   *
   * @param kind of the reply
   * @param read gives the answer that is in it
   * @return fails with an {@link AlraiException}: the agent's, or ALRAI_NODE_UNAVAILABLE
   */
  <M extends Message, T> CompletableFuture<T> ask(
      Message request, long boundMillis, Class<M> kind, Function<M, T> read) {
    return call(request, boundMillis)
        .thenApply(reply -> {
          if (kind.isInstance(reply)) {
            return read.apply(kind.cast(reply));
          }
          throw Envelope.unexpected(reply);
        })
        .exceptionallyCompose(ControlConnection::unavailable);
  }

  /** A lost connection as the reason of its loss. */
  static <T> CompletableFuture<T> unavailable(Throwable error) {
    Throwable cause = AgentChannel.Lost.unwrap(error);
    return CompletableFuture.failedFuture(
        cause instanceof AgentChannel.Lost lost ? lost.reason() : cause);
  }

  private void send(Waiting call) {
    if (closed) {
      call.reply.completeExceptionally(new AgentChannel.Lost(ending()));
      return;
    }
    AgentChannel open = channel;
    if (open == null || !open.usable()) {
      waiting.add(call);
      connect();
      return;
    }
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(call.untilNanos - nanos());
    open.call(call.request, Math.max(1, leftMillis))
        .whenComplete((message, error) -> {
          if (error == null) {
            call.reply.complete(message);
          } else {
            call.reply.completeExceptionally(error);
          }
        });
  }

  /** Sends what has no reply, if there is a connection. */
  void tell(Message message) {
    loop.execute(() -> {
      AgentChannel open = channel;
      if (open != null) {
        open.tell(message);
      }
    });
  }

  private void connect() {
    AgentChannel open = channel;
    if (open == null || !open.usable()) {
      ask();
    }
  }

  /** Asks another member whether it leads: this one says nothing. On the loop. */
  void lookElsewhere() {
    if (!connector.seeker().alone()) {
      ask();
    }
  }

  private void ask() {
    if (connecting || closed) {
      return;
    }
    connecting = true;
    LeaderSeeker seeker = connector.seeker();
    InetSocketAddress place = seeker.next();
    connector.openControl(
        loop,
        place,
        new AgentChannel.Listener() {
          @Override
          public void ready(AgentChannel agent, long connectionId) {
            connecting = false;
            if (closed) {
              agent.close();
              return;
            }
            channel = agent;
            agent
                .channel()
                .closeFuture()
                .addListener(ended -> {
                  if (channel == agent) {
                    channel = null;
                  }
                  connectAgain();
                });
            sendWaiting();
          }

          @Override
          public void refused(AlraiException reason) {
            connecting = false;
            seeker.missed(place, reason);
            expire(seeker.alone() ? reason : seeker.nobody());
            connectAgain();
          }
        });
  }

  /** Also while nobody calls: by this connection a machine that is gone is noticed. */
  private void connectAgain() {
    if (!closed && !loop.isShuttingDown()) {
      loop.schedule(this::connect, pauseMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private long pauseMillis() {
    LeaderSeeker seeker = connector.seeker();
    if (!seeker.alone()) {
      return seeker.pauseMillis();
    }
    return waiting.isEmpty() ? IDLE_RECONNECT_MILLIS : RECONNECT_MILLIS;
  }

  /** Looks at what the node knows of the members. */
  void look() {
    connector.seeker().look();
    loop.execute(this::connect);
  }

  private void sendWaiting() {
    Waiting next;
    while ((next = waiting.poll()) != null) {
      send(next);
    }
  }

  /** Fails those whose time is up, and all of them at the end. */
  private void expire(AlraiException reason) {
    long now = nanos();
    waiting.removeIf(call -> {
      boolean over = closed || now - call.untilNanos >= 0;
      if (over) {
        call.reply.completeExceptionally(new AgentChannel.Lost(reason));
      }
      return over;
    });
  }

  private static AlraiException ending() {
    return new AlraiException(ErrorCode.ER_SERVER_SHUTDOWN, "this node is stopping");
  }

  @Override
  public void close() {
    closed = true;
    loop.execute(() -> {
      expire(ending());
      AgentChannel open = channel;
      if (open != null) {
        open.close();
      }
    });
  }
}
