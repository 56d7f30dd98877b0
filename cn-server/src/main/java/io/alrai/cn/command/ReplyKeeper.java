package io.alrai.cn.command;

import io.alrai.cn.prepared.ExecutePacket;
import io.alrai.cn.protocol.ForwardedReply;
import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.link.AskedReplies;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.ReplyKey;
import io.alrai.dn.link.ReplySink;
import io.alrai.executor.fragment.RowDependency;
import io.alrai.executor.fragment.SlotValues;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.util.function.IntConsumer;

/**
 * Answers a client's reads of one table by what their DNs' agents have kept, and lets these keep
 * the replies of mysqlds, in the form of {@link KeptPackets}. Of one connection, one read at a
 * time; event loop only.
 */
final class ReplyKeeper {
  /**
   * Longer replies are not kept; below the length from which {@link ForwardedReply} passes slices
   * on.
   */
  private static final int MOST_BYTES = 2_048;

  /** The most bytes of what a reply is found by. */
  private static final int MOST_READ_BYTES = 1_024;

  private static final int OF_THIS_EXECUTION =
      ServerStatus.MORE_RESULTS_EXISTS | ServerStatus.QUERY_WAS_SLOW;

  private final ReplyKey read = new ReplyKey();
  private final byte[] packets = new byte[MOST_BYTES];
  private final ByteBuf view = Unpooled.wrappedBuffer(packets);
  private boolean known;
  private boolean askedInVain;

  /** Whether the reply to the statement at work may be kept. */
  boolean known() {
    return known;
  }

  /**
   * Begins a read by text.
   *
   * @param command its packet
   */
  void text(Session session, StatementDispatch.Pinned pinned, ByteBuf command) {
    known = false;
    int length = command.readableBytes() - Packets.HEADER;
    if (length <= MOST_READ_BYTES && begin(session, pinned)) {
      read.add(command, command.readerIndex() + Packets.HEADER, length);
      read.seal();
    }
  }

  /** Begins a read by an execution. */
  void execution(Session session, StatementDispatch.Pinned pinned, ExecutePacket packet) {
    known = false;
    if (packet.statement().longData().isEmpty()
        && packet.statement().sql().length + packet.payload().readableBytes() <= MOST_READ_BYTES
        && begin(session, pinned)) {
      packet.describe(read);
      read.seal();
    }
  }

  private boolean begin(Session session, StatementDispatch.Pinned pinned) {
    RowDependency by = pinned.rowDependency();
    if (by == null
        || !session.cnSettings().rowCache()
        || !session.variables().settings().readsPlainly()) {
      return false;
    }
    String schema = by.schema().isEmpty() ? pinned.physicalSchema() : by.schema();
    KeyedTable table = new KeyedTable(schema, by.table(), by.columns());
    long row = table.rowHash();
    SlotValues values = pinned.values();
    for (int i = 0; i < by.slots().size(); i++) {
      int slot = by.slots().get(i);
      if (values.kind(slot) != SlotValues.Kind.INTEGER || !values.fitsLong(slot)) {
        return false;
      }
      row = KeyedTable.rowHash(row, values.longValue(slot));
    }
    askedInVain = false;
    read.begin(table, row);
    read.add(session.variables().settings().digest());
    read.add(pinned.physicalSchema());
    known = true;
    return true;
  }

  /**
   * Finds a kept reply, for {@link #pass}.
   *
   * @param shown as in {@link KeptReplies#find}
   * @return its length; negative where there is none
   */
  int find(KeptReplies rows, long shown) {
    int length = rows.find(read, shown, packets);
    return length < 0 || KeptPackets.areWhole(view, 0, length) ? length : KeptReplies.MISSED;
  }

  /**
   * Asks an agent in another process for a kept reply.
   *
   * @return whether it was asked; then one of the answer's methods is called later
   */
  boolean ask(AskedReplies rows, EventLoop loop, long shown, long term, Answered answer) {
    askedInVain = rows.ask(loop, read, shown, term, new Asking(answer));
    return askedInVain;
  }

  /** What becomes of a question. */
  interface Answered {
    /** Whether anybody still waits for it; if not, another read may be at work here. */
    boolean awaits();

    /** There is one, of a length for {@link #pass}. */
    void found(int length);

    /** There is none. */
    void missed();
  }

  private final class Asking implements AskedReplies.Answer {
    private final Answered answer;

    Asking(Answered answer) {
      this.answer = answer;
    }

    @Override
    public boolean found(ByteBuf from) {
      if (!answer.awaits()) {
        return true;
      }
      int length = from.readableBytes();
      if (length > packets.length || !KeptPackets.areWhole(from, from.readerIndex(), length)) {
        answer.missed();
        return false;
      }
      askedInVain = false;
      from.getBytes(from.readerIndex(), packets, 0, length);
      answer.found(length);
      return true;
    }

    @Override
    public void missed() {
      answer.missed();
    }
  }

  /** Sends the client the reply that was found. */
  void pass(int length, ForwardedReply reply) {
    int at = 0;
    while (at < length) {
      PacketKind kind = KeptPackets.kind(packets[at]);
      int header = at + 1;
      int size = KeptPackets.size(view, header);
      reply.packet(kind, view, header, size);
      at = header + size;
    }
    reply.chunkEnd();
    reply.end(0);
  }

  /**
   * A sink that lets the DN keep what it passes on.
   *
   * @param shown as in {@link KeptReplies#keep}; {@link KeptReplies#NOWHERE} keeps nothing
   */
  ReplySink keeping(KeptReplies rows, long shown, ReplySink reply) {
    return shown == KeptReplies.NOWHERE
        ? reply
        : new Keeping(reply, length -> rows.keep(read, shown, packets, length));
  }

  /**
   * As {@link #keeping(KeptReplies, long, ReplySink)}, by an agent in another process. What it was
   * asked for in vain is not kept at once: it may change all the time.
   *
   * @param term of the log that shown is a place of
   */
  ReplySink keeping(AskedReplies rows, EventLoop loop, long shown, long term, ReplySink reply) {
    return shown == KeptReplies.NOWHERE || askedInVain
        ? reply
        : new Keeping(reply, length -> rows.keep(loop, read, shown, term, packets, length));
  }

  private final class Keeping implements ReplySink {
    private final ReplySink reply;
    private final IntConsumer keeps;
    private int length;
    private boolean fits = true;

    Keeping(ReplySink reply, IntConsumer keeps) {
      this.reply = reply;
      this.keeps = keeps;
    }

    @Override
    public void packet(PacketKind kind, ByteBuf buf, int header, int size) {
      fits &= mayBeKept(kind, buf, header, size) && size < MOST_BYTES - length;
      if (fits) {
        packets[length] = KeptPackets.code(kind);
        buf.getBytes(header, packets, length + 1, size);
        length += 1 + size;
      }
      reply.packet(kind, buf, header, size);
    }

    private static boolean mayBeKept(PacketKind kind, ByteBuf buf, int header, int size) {
      if (kind != PacketKind.RESULT_END) {
        return KeptPackets.code(kind) != KeptPackets.NEVER;
      }
      OkPacket end = OkPacket.parse(buf, header + Packets.HEADER, size - Packets.HEADER);
      return end.warnings() == 0 && (end.status() & OF_THIS_EXECUTION) == 0;
    }

    @Override
    public void chunkEnd() {
      reply.chunkEnd();
    }

    @Override
    public void end(int status) {
      if (fits) {
        keeps.accept(length);
      }
      reply.end(status);
    }

    @Override
    public void failed(AlraiException reason) {
      reply.failed(reason);
    }
  }
}
