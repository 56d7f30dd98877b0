package io.alrai.dn.rpc;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.link.AskedReplies.Answer;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.PausableDecoder;
import io.alrai.dn.link.ReplyKey;
import io.alrai.dn.rpc.wire.Envelope;
import io.alrai.dn.rpc.wire.KeptRecords;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the leader's agent for kept replies, over one connection. What all sessions of the loop ask
 * in one pass goes out together. Nobody waits for a connection, nor for one that says nothing for
 * long: the mysqld answers then. Event loop only.
 *
 * <p>It asks for what was given here to be kept, so that reads of rows that nobody reads twice cost
 * no question. A read that is asked for in vain is forgotten, and kept again at the one after it:
 * of rows that always change, every second read costs one.
 */
final class KeptQuestions {
  private static final Logger log = LoggerFactory.getLogger(KeptQuestions.class);

  /** An agent that has answered nothing for one to two of these is given up. */
  private static final long SILENCE_MILLIS = 500;

  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /**
   * For how long nothing of a table is asked or kept that is not watched: at first, as its agent
   * has just begun to look whether it can be, then twice as long each time.
   */
  private static final long FIRST_UNWATCHED_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long MOST_UNWATCHED_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final int MOST_TABLES = 10_000;

  /** What is more in one pass of the loop is not asked, and not kept. */
  private static final int MOST_TOGETHER = 1 << 20;

  private static final int GIVEN_BITS = 16;

  private final AgentConnector connector;
  private final EventLoop loop;
  private final ArrayDeque<Asked> asked = new ArrayDeque<>();

  private final Map<KeyedTable, Unwatched> unwatched = new HashMap<>();

  /** By a part of its hash, another part of the hash of a read that was given; 0 for none. */
  private int[] given = new int[0];

  private @Nullable Channel channel;
  private long term = AgentChannel.UNKNOWN;
  private long visible = KeptReplies.NOWHERE;
  private boolean opening;
  private boolean closed;
  private long notBeforeNanos;

  /** What goes out at the end of this pass of the loop. */
  private @Nullable ByteBuf questions;

  private int lastNumber;
  private boolean watching;

  /** Whether an answer has come since it was looked last. */
  private boolean heard;

  private record Unwatched(long untilNanos, long nanos) {}

  private record Asked(int number, Answer answer, KeyedTable table, long hash) {}

  KeptQuestions(AgentConnector connector, EventLoop loop) {
    this.connector = connector;
    this.loop = loop;
    this.notBeforeNanos = loop.ticker().nanoTime();
  }

  boolean ask(ReplyKey read, long shown, long ofTerm, Answer answer) {
    Channel open = isGiven(read.hash()) && !isUnwatched(read.table()) ? usable() : null;
    if (open == null) {
      return false;
    }
    asked.add(new Asked(++lastNumber, answer, read.table(), read.hash()));
    boolean whole = false;
    try {
      KeptRecords.ask(out(open), lastNumber, read, shown, ofTerm);
      watch();
      whole = true;
    } finally {
      if (!whole) {
        asked.removeLast(); // its caller hears of it by what is thrown
        open.close();
      }
    }
    return true;
  }

  /** As {@link KeptReplies#visible}; the first call opens the connection. */
  long visible() {
    return usable() == null ? KeptReplies.NOWHERE : visible;
  }

  long term() {
    return term;
  }

  void keep(ReplyKey read, long shown, long ofTerm, byte[] reply, int length) {
    Channel open = usable();
    if (open != null && ofTerm == term && !isUnwatched(read.table())) {
      boolean whole = false;
      try {
        KeptRecords.keep(out(open), read, shown, ofTerm, reply, length);
        whole = true;
      } finally {
        if (!whole) {
          open.close();
        }
      }
      give(read.hash());
    }
  }

  // ---- what was given ----

  private static int place(long hash) {
    return (int) (hash >>> Long.SIZE - GIVEN_BITS);
  }

  private static int tag(long hash) {
    return (int) hash | 1;
  }

  private boolean isGiven(long hash) {
    return given.length > 0 && given[place(hash)] == tag(hash);
  }

  private void give(long hash) {
    if (given.length == 0) {
      given = new int[1 << GIVEN_BITS];
    }
    given[place(hash)] = tag(hash);
  }

  private void forget(long hash) {
    if (isGiven(hash)) {
      given[place(hash)] = 0;
    }
  }

  private boolean isUnwatched(KeyedTable table) {
    if (unwatched.isEmpty()) {
      return false;
    }
    Unwatched known = unwatched.get(table);
    return known != null && loop.ticker().nanoTime() - known.untilNanos < 0;
  }

  private void leaveAlone(KeyedTable table) {
    if (unwatched.size() >= MOST_TABLES) {
      unwatched.clear();
    }
    Unwatched last = unwatched.get(table);
    long nanos =
        last == null ? FIRST_UNWATCHED_NANOS : Math.min(2 * last.nanos, MOST_UNWATCHED_NANOS);
    unwatched.put(table, new Unwatched(loop.ticker().nanoTime() + nanos, nanos));
  }

  private void isWatched(KeyedTable table) {
    if (!unwatched.isEmpty()) {
      unwatched.remove(table);
    }
  }

  // ---- the connection ----

  /** The connection, if it takes more; opens it where there is none. */
  private @Nullable Channel usable() {
    Channel open = channel;
    if (open != null) {
      ByteBuf unsent = questions;
      boolean room = unsent == null || unsent.readableBytes() < MOST_TOGETHER;
      return room && open.isWritable() ? open : null;
    }
    if (!opening && !closed && loop.ticker().nanoTime() - notBeforeNanos >= 0) {
      opening = true;
      connector.openKept(loop, new Opening());
    }
    return null;
  }

  private final class Opening implements AgentChannel.Listener {
    @Override
    public void ready(AgentChannel agent, long connectionId) {
      opening = false;
      if (closed) {
        agent.close();
        return;
      }
      Channel open = agent.channel();
      channel = open;
      term = agent.term();
      visible = 0;
      open.pipeline().addLast(new Answers());
      open.closeFuture().addListener(ended -> ended());
    }

    @Override
    public void refused(AlraiException reason) {
      opening = false;
      notBeforeNanos = loop.ticker().nanoTime() + AGAIN_NANOS;
      log.debug("kept replies cannot be asked for: {}", reason.sentence());
    }
  }

  private void ended() {
    channel = null;
    term = AgentChannel.UNKNOWN;
    visible = KeptReplies.NOWHERE;
    notBeforeNanos = loop.ticker().nanoTime() + AGAIN_NANOS;
    ByteBuf unsent = questions;
    questions = null;
    if (unsent != null) {
      unsent.release();
    }
    allMissed();
  }

  private void allMissed() {
    Asked next;
    while ((next = asked.poll()) != null) {
      next.answer.missed();
    }
  }

  void close() {
    closed = true;
    Channel open = channel;
    if (open != null) {
      open.close();
    }
  }

  /** Sends nothing: that might end the connection while its caller still asks over it. */
  private ByteBuf out(Channel open) {
    ByteBuf out = questions;
    if (out == null) {
      loop.execute(this::send);
      out = open.alloc().buffer(512);
      questions = out;
    }
    return out;
  }

  private void send() {
    ByteBuf out = questions;
    Channel open = channel;
    questions = null;
    if (out != null && open != null) {
      open.writeAndFlush(out, open.voidPromise());
    } else if (out != null) {
      out.release();
    }
  }

  private void watch() {
    if (!watching) {
      watching = true;
      heard = true;
      loop.schedule(this::look, SILENCE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void look() {
    watching = false;
    Channel open = channel;
    if (open == null) {
      allMissed();
      return;
    }
    if (asked.isEmpty()) {
      return;
    }
    if (!heard) {
      log.warn("the agent does not answer what is asked about kept replies; mysqlds answer");
      open.close();
      return;
    }
    watch();
    heard = false;
  }

  /** What the agent says. */
  private final class Answers extends PausableDecoder {
    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      ByteBuf record = KeptRecords.next(in);
      if (record == null) {
        return;
      }
      if (record.readableBytes() < KeptRecords.ANSWER) {
        throw Envelope.malformed("a short answer about kept replies");
      }
      int kind = record.readUnsignedByte();
      int number = record.readInt();
      Asked first = asked.peek();
      if (first == null || first.number != number) {
        throw Envelope.malformed("an answer about kept replies to no question, or to another one");
      }
      if (kind < KeptRecords.FOUND || kind > KeptRecords.NOT_NOW) {
        throw Envelope.malformed("an answer of kind " + kind + " about kept replies");
      }
      asked.remove();
      heard = true;
      visible = Math.max(visible, record.readLong());
      if (kind == KeptRecords.FOUND || kind == KeptRecords.MISSED) {
        isWatched(first.table);
      }
      if (kind == KeptRecords.FOUND) {
        if (!first.answer.found(record)) {
          forget(first.hash);
        }
        return;
      }
      if (kind != KeptRecords.NOT_NOW) {
        forget(first.hash);
      }
      if (kind == KeptRecords.UNWATCHED) {
        leaveAlone(first.table);
      }
      first.answer.missed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      log.error("a connection for kept replies ends by a defect", cause);
      ctx.close();
    }
  }
}
