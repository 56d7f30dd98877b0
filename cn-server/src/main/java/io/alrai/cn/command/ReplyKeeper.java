package io.alrai.cn.command;

import io.alrai.cn.prepared.ExecutePacket;
import io.alrai.cn.protocol.ForwardedReply;
import io.alrai.cn.session.Session;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.ReplyKey;
import io.alrai.dn.link.ReplySink;
import io.alrai.executor.fragment.RowDependency;
import io.alrai.executor.fragment.SlotValues;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Answers a client's reads of one table by what their DNs' agents have kept, and lets these keep
 * the replies of mysqlds. A kept reply has for each packet one byte of its kind, then the packet.
 * Of one connection, one read at a time; event loop only.
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
  private static final PacketKind[] KINDS = PacketKind.values();

  private final ReplyKey read = new ReplyKey();
  private final byte[] packets = new byte[MOST_BYTES];
  private final ByteBuf view = Unpooled.wrappedBuffer(packets);
  private boolean known;

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
    read.begin(table, row);
    read.add(session.variables().settings().serial());
    read.add(pinned.physicalSchema());
    known = true;
    return true;
  }

  /**
   * Sends the client the kept reply.
   *
   * @param shown as in {@link KeptReplies#find}
   * @param begin runs before the first packet
   * @return whether there is one
   */
  boolean answer(KeptReplies rows, long shown, ForwardedReply reply, Runnable begin) {
    int length = rows.find(read, shown, packets);
    if (length < 0) {
      return false;
    }
    begin.run();
    int at = 0;
    while (at < length) {
      PacketKind kind = KINDS[packets[at]];
      int header = at + 1;
      int whole = Packets.HEADER + view.getUnsignedMediumLE(header);
      reply.packet(kind, view, header, whole);
      at = header + whole;
    }
    reply.chunkEnd();
    reply.end(0);
    return true;
  }

  /**
   * A sink that lets the DN keep what it passes on.
   *
   * @param shown as in {@link KeptReplies#keep}; {@link KeptReplies#NOWHERE} keeps nothing
   */
  ReplySink keeping(KeptReplies rows, long shown, ReplySink reply) {
    return shown == KeptReplies.NOWHERE ? reply : new Keeping(rows, shown, reply);
  }

  private final class Keeping implements ReplySink {
    private final KeptReplies rows;
    private final long shown;
    private final ReplySink reply;
    private int length;
    private boolean fits = true;

    Keeping(KeptReplies rows, long shown, ReplySink reply) {
      this.rows = rows;
      this.shown = shown;
      this.reply = reply;
    }

    @Override
    public void packet(PacketKind kind, ByteBuf buf, int header, int size) {
      fits &= mayBeKept(kind, buf, header, size) && size < MOST_BYTES - length;
      if (fits) {
        packets[length] = (byte) kind.ordinal();
        buf.getBytes(header, packets, length + 1, size);
        length += 1 + size;
      }
      reply.packet(kind, buf, header, size);
    }

    private static boolean mayBeKept(PacketKind kind, ByteBuf buf, int header, int size) {
      return switch (kind) {
        case COLUMN_COUNT, COLUMN, LAST_COLUMN, ROW -> true;
        case RESULT_END -> {
          OkPacket end = OkPacket.parse(buf, header + Packets.HEADER, size - Packets.HEADER);
          yield end.warnings() == 0 && (end.status() & OF_THIS_EXECUTION) == 0;
        }
        case OK, ERR, PREPARE_OK, PARAMETER, TEXT -> false;
      };
    }

    @Override
    public void chunkEnd() {
      reply.chunkEnd();
    }

    @Override
    public void end(int status) {
      if (fits) {
        rows.keep(read, shown, packets, length);
      }
      reply.end(status);
    }

    @Override
    public void failed(AlraiException reason) {
      reply.failed(reason);
    }
  }
}
