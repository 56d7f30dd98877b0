package io.alrai.dn.rpc;

import io.alrai.dn.link.AskedReplies;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.ReplyKey;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Replies that a DN's agent in another process keeps: one connection of each loop asks for them.
 */
final class RemoteReplies implements KeptReplies, AskedReplies, AutoCloseable {
  private final AgentConnector connector;
  private final long boundMillis;
  private final Map<EventLoop, KeptQuestions> loops = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** Opens nothing before the first reply that may be kept. */
  RemoteReplies(AgentConnector connector, long boundMillis) {
    this.connector = connector;
    this.boundMillis = boundMillis;
  }

  private KeptQuestions of(EventLoop loop) {
    KeptQuestions known = loops.get(loop);
    if (known != null) {
      return known;
    }
    KeptQuestions made = loops.computeIfAbsent(loop, mine -> new KeptQuestions(connector, mine));
    if (closed) {
      made.close();
    }
    return made;
  }

  @Override
  public boolean ask(EventLoop loop, ReplyKey read, long shown, long term, Answer answer) {
    return !closed && of(loop).ask(read, shown, term, answer);
  }

  @Override
  public long visible(EventLoop loop) {
    return closed ? NOWHERE : of(loop).visible();
  }

  @Override
  public long term(EventLoop loop) {
    return closed ? AgentChannel.UNKNOWN : of(loop).term();
  }

  @Override
  public void keep(EventLoop loop, ReplyKey read, long shown, long term, byte[] reply, int length) {
    if (!closed) {
      of(loop).keep(read, shown, term, reply, length);
    }
  }

  @Override
  public Optional<AskedReplies> elsewhere() {
    return Optional.of(this);
  }

  @Override
  public int find(ReplyKey read, long shown, byte[] into) {
    return MISSED;
  }

  @Override
  public long visible() {
    return NOWHERE;
  }

  @Override
  public void keep(ReplyKey read, long shown, byte[] reply, int length) {}

  @Override
  public CompletableFuture<Void> suspend(Branch locking) {
    return connector.suspend(locking, true, boundMillis);
  }

  @Override
  public void resume(Branch locking) {
    var _ = connector.suspend(locking, false, boundMillis);
  }

  @Override
  public void close() {
    closed = true;
    loops.forEach((loop, questions) -> loop.execute(questions::close));
  }
}
