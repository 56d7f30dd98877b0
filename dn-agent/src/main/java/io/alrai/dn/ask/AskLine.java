package io.alrai.dn.ask;

import io.alrai.common.error.AlraiException;
import io.alrai.dn.link.PausableDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoop;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's connection to the agent that leads one DN, for questions to other nodes and theirs to
 * it. Opened at once, and anew whenever it breaks. Thread-safe; its fields belong to its loop.
 */
public final class AskLine implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AskLine.class);

  /** The longest answer that a record has room for, beside numbers and the longest name. */
  public static final int MOST_ANSWER_BYTES = AskRecord.MOST_BYTES - 512;

  private static final long AGAIN_MILLIS = 200;
  private static final int MOST_OPEN = 1_000;

  /** Opens such connections. */
  public interface Opener {
    /** Both of the listener's calls come on the loop. */
    void open(EventLoop loop, Opening opening);
  }

  /** Waits for one. */
  public interface Opening {
    void opened(Channel channel);

    void refused(AlraiException reason);
  }

  /** Whom others ask. Its call comes on the loop and does not block. */
  public interface Listener {
    /**
     * Another node asks.
     *
     * @param reply takes the answer, of any thread; without it the other node waits in vain
     */
    void asked(String node, byte[] question, Consumer<byte[]> reply);
  }

  /** Who has asked. Its calls come on the loop, one for each node at most. */
  public interface Asker {
    void answered(String node, byte[] answer);

    /** The node has no connection to this agent, or there is none to the agent. */
    void absent(String node);
  }

  private record Open(Asker asker, Set<String> nodes, long untilNanos) {}

  private final Opener opener;
  private final EventLoop loop;
  private final Listener listener;
  private final Map<Integer, Open> open = new HashMap<>();
  private @Nullable Channel channel;
  private int lastNumber;
  private boolean closed;

  /** Opens it. */
  public AskLine(Opener opener, EventLoop loop, Listener listener) {
    this.opener = opener;
    this.loop = loop;
    this.listener = listener;
    loop.execute(this::connect);
  }

  /** Asks nodes. Any thread. */
  public void ask(List<String> nodes, byte[] question, Asker asker) {
    loop.execute(() -> askNow(nodes, question, asker));
  }

  private void askNow(List<String> nodes, byte[] question, Asker asker) {
    long now = loop.ticker().nanoTime();
    open.values().removeIf(earlier -> now - earlier.untilNanos > 0);
    Channel line = channel;
    if (line == null || !line.isWritable() || open.size() >= MOST_OPEN) {
      nodes.forEach(asker::absent);
      return;
    }
    int number = ++lastNumber;
    long until = now + TimeUnit.SECONDS.toNanos(AskExchange.PATIENCE_SECONDS);
    open.put(number, new Open(asker, new HashSet<>(nodes), until));
    write(line, new AskRecord.Question(number, nodes, question));
  }

  private static void write(Channel line, AskRecord record) {
    ByteBuf out = line.alloc().buffer();
    AskRecord.write(out, record);
    line.writeAndFlush(out, line.voidPromise());
  }

  private void connect() {
    if (!closed) {
      opener.open(
          loop,
          new Opening() {
            @Override
            public void opened(Channel ready) {
              if (closed) {
                ready.close();
                return;
              }
              channel = ready;
              ready.pipeline().addLast(new Records());
              ready.closeFuture().addListener(ended -> ended());
            }

            @Override
            public void refused(AlraiException reason) {
              log.debug("no connection for questions: {}", reason.sentence());
              connectAgain();
            }
          });
    }
  }

  private void connectAgain() {
    if (!closed && !loop.isShuttingDown()) {
      loop.schedule(this::connect, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void ended() {
    channel = null;
    Iterator<Open> left = List.copyOf(open.values()).iterator();
    open.clear();
    left.forEachRemaining(asked -> asked.nodes.forEach(asked.asker::absent));
    connectAgain();
  }

  @Override
  public void close() {
    loop.execute(() -> {
      closed = true;
      Channel line = channel;
      if (line != null) {
        line.close();
      }
    });
  }

  /** What the agent says. */
  private final class Records extends PausableDecoder {
    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      switch (AskRecord.next(in)) {
        case null -> {
          // not whole yet
        }
        case AskRecord.Asked m -> {
          Channel line = ctx.channel();
          listener.asked(
              m.asker(),
              m.question(),
              reply -> loop.execute(() -> write(line, new AskRecord.Reply(m.number(), reply))));
        }
        case AskRecord.Answer m -> {
          Open asked = asked(m.number(), m.node());
          if (asked != null) {
            asked.asker.answered(m.node(), m.answer());
          }
        }
        case AskRecord.Absent m -> {
          Open asked = asked(m.number(), m.node());
          if (asked != null) {
            asked.asker.absent(m.node());
          }
        }
        case AskRecord.Question m -> throw AskRecord.malformed("QUESTION " + m.number());
        case AskRecord.Reply m -> throw AskRecord.malformed("REPLY " + m.number());
      }
    }

    private @Nullable Open asked(int number, String node) {
      Open asked = open.get(number);
      if (asked == null || !asked.nodes.remove(node)) {
        return null;
      }
      if (asked.nodes.isEmpty()) {
        open.remove(number);
      }
      return asked;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      log.warn("a connection for questions ends: {}", String.valueOf(cause));
      ctx.close();
    }
  }
}
