package io.alrai.dn.ask;

import io.alrai.dn.link.PausableDecoder;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where nodes meet at an agent: passes what one asks on to those that it names, and their answers
 * back. It remembers questions for {@value #PATIENCE_SECONDS} s, and waits for nobody: of a node
 * that does not take what is sent to it, it says that it is not there. Thread-safe.
 */
public final class AskExchange {
  private static final Logger log = LoggerFactory.getLogger(AskExchange.class);

  static final int PATIENCE_SECONDS = 5;

  /** How many questions may wait for one node's answers. */
  static final int MOST_OPEN = 1_000;

  /** Who has not read so many bytes of answers gets no more. */
  private static final long MOST_UNREAD = 2L * AskRecord.MOST_BYTES;

  private final Map<String, Line> lines = new ConcurrentHashMap<>();

  /**
   * Takes what a node's session passes on.
   *
   * @param node who has proved that it is of the cluster
   * @param output sends, on the connection's loop
   */
  public ChannelHandler line(String node, Channel channel, Consumer<ByteBuf> output) {
    return new Line(node, channel, output);
  }

  private record Open(Line asker, int number, long untilNanos) {}

  /** One node's connection. Its fields belong to its loop. */
  private final class Line extends PausableDecoder {
    private final String node;
    private final Channel channel;
    private final Consumer<ByteBuf> output;
    private final Map<Integer, Open> open = new HashMap<>();
    private int lastNumber;

    Line(String node, Channel channel, Consumer<ByteBuf> output) {
      this.node = node;
      this.channel = channel;
      this.output = output;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      lines.put(node, this);
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
      lines.remove(node, this);
      open.values().forEach(asked -> asked.asker.send(new AskRecord.Absent(asked.number, node)));
      open.clear();
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      switch (AskRecord.next(in)) {
        case null -> {
          // not whole yet
        }
        case AskRecord.Question m -> m.nodes().forEach(name -> passOn(m, name));
        case AskRecord.Reply m -> {
          Open asked = open.remove(m.number());
          if (asked != null) {
            asked.asker.send(new AskRecord.Answer(asked.number, node, m.reply()));
          }
        }
        case AskRecord.Asked m -> throw AskRecord.malformed("ASKED of a node: " + m.asker());
        case AskRecord.Answer m -> throw AskRecord.malformed("ANSWER of a node: " + m.node());
        case AskRecord.Absent m -> throw AskRecord.malformed("ABSENT of a node: " + m.node());
      }
    }

    private void passOn(AskRecord.Question question, String name) {
      Line other = lines.get(name);
      if (other == null) {
        send(new AskRecord.Absent(question.number(), name));
      } else {
        other.channel.eventLoop().execute(() -> other.ask(this, question));
      }
    }

    private void ask(Line asker, AskRecord.Question question) {
      long now = channel.eventLoop().ticker().nanoTime();
      open.values().removeIf(earlier -> now - earlier.untilNanos > 0);
      if (open.size() >= MOST_OPEN || !channel.isWritable()) {
        asker.send(new AskRecord.Absent(question.number(), node));
        return;
      }
      int number = ++lastNumber;
      long until = now + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      open.put(number, new Open(asker, question.number(), until));
      write(new AskRecord.Asked(number, asker.node, question.question()));
    }

    /** Any thread. */
    private void send(AskRecord record) {
      channel
          .eventLoop()
          .execute(() -> {
            if (channel.bytesBeforeWritable() < MOST_UNREAD) {
              write(record);
            }
          });
    }

    private void write(AskRecord record) {
      if (channel.isActive()) {
        ByteBuf out = channel.alloc().buffer();
        AskRecord.write(out, record);
        output.accept(out);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      log.warn("the connection of {} for questions ends: {}", node, String.valueOf(cause));
      ctx.close();
    }
  }
}
