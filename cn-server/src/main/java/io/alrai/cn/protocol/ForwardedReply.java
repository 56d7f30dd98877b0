package io.alrai.cn.protocol;

import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.ErrPacket;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ServerStatus;
import io.alrai.common.wire.StateChange;
import io.alrai.dn.link.Branch;
import io.alrai.dn.link.ReplySink;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes a shard's reply on to the client while it arrives. Row bytes are not decoded; a small
 * reply is copied once into one buffer, long runs of rows are passed on as slices. What changes on
 * the way: the physical schema's name in column definitions and error texts, the status flags, the
 * first generated id, and the packet form for clients without CLIENT_DEPRECATE_EOF. Reusable, one
 * per session; event loop only.
 *
 * <pre>
 *   IDLE, ENDED -> AWAITED ---> HELD ---> SENT ---> ENDED
 *                     |           | \-------------> ENDED
 *                     |           +-----> AGAIN ---> IDLE
 *                     +--------------> SWALLOWED --> IDLE
 *
 *   all of them -> LEFT
 * </pre>
 *
 * A lost connection leads to IDLE from each of them but LEFT, from which nothing leads.
 */
public final class ForwardedReply implements ReplySink {
  /** Gets the end of the reply. */
  public interface Listener {
    /** What the end of a result tells the client of its session's state. */
    StateChange stateChange();

    /** The client's form of the shard's error, with logical names. */
    AlraiException told(AlraiException failure);

    /**
     * Whether the statement runs again because of the shard's error: nothing is sent then, and
     * {@link #again} follows when the reply has ended.
     */
    boolean runsAgain(AlraiException failure);

    /** See {@link #runsAgain}. */
    void again();

    /**
     * The client has been sent everything.
     *
     * @param failure what went wrong at the shard, or null
     * @param ok the last OK or result end; null after a failure
     */
    void forwarded(@Nullable AlraiException failure, @Nullable OkPacket ok);

    /**
     * The branch that was watched says that its read was disturbed; nothing has been sent, and the
     * reply has ended.
     */
    void disturbed();

    /** The shard was lost; nothing of its last result's end has been sent. */
    void lost(AlraiException reason, Had client);
  }

  /** What the client has of a reply that goes no further. */
  public enum Had {
    NOTHING,
    /** Whole packets of a result: an error may follow. */
    PACKETS,
    /** A part of a row, or more than is known. */
    MORE
  }

  /** Texts that only the session knows. */
  public interface Names {
    /** The error text, or name, with logical names only. */
    String logicalError(String message);
  }

  private static final Logger log = LoggerFactory.getLogger(ForwardedReply.class);

  /** How far a reply is. */
  enum State {
    /** None is expected, and the client has got nothing of the last one. */
    IDLE,
    /** It has been asked for. */
    AWAITED,
    /** Some of it is here, and nothing of it at the client. */
    HELD,
    /** The client has been sent some of it. */
    SENT,
    /** Its read was disturbed: nobody gets any of it. */
    SWALLOWED,
    /** It is an error because of which the statement runs again: nobody gets it. */
    AGAIN,
    /** The client has been sent all of it. */
    ENDED,
    /** Nobody waits for it, nor for any later one: what comes is not looked at. */
    LEFT;

    /** Whether {@code next} may follow. */
    boolean mayBecome(State next) {
      return switch (this) {
        case IDLE -> next == AWAITED || next == LEFT;
        // what was to be asked for may not have been
        case AWAITED -> next != AGAIN && next != SENT;
        case HELD -> next == SENT || next == AGAIN || next == ENDED || next == IDLE || next == LEFT;
        case SENT -> next == ENDED || next == IDLE || next == LEFT;
        case SWALLOWED, AGAIN -> next == IDLE || next == LEFT;
        case ENDED -> next == AWAITED || next == IDLE || next == LEFT;
        case LEFT -> false;
      };
    }
  }

  private static final int SLICE_FROM = 4096;
  private static final int STATUS_OF_BACKEND =
      ~(ServerStatus.AUTOCOMMIT | ServerStatus.IN_TRANS | ServerStatus.IN_TRANS_READONLY);

  private final Channel client;
  private final Names names;
  private final Listener listener;
  private final boolean deprecateEof;
  private byte[] physical = new byte[0];
  private byte[] logical = new byte[0];
  private @Nullable Branch watched;
  private State state = State.IDLE;
  private int statusBits;
  private int shift;
  private int nextSequence;
  private long rows;

  /** Whether the last packet was of a row that goes on in the next. */
  private boolean longRow;

  private @Nullable ByteBuf out;
  private @Nullable ByteBuf runBuf;
  private int runStart;
  private int runEnd;
  private @Nullable AlraiException failure;
  private @Nullable OkPacket ok;

  /** The replies of one session. */
  public ForwardedReply(Channel client, boolean deprecateEof, Names names, Listener listener) {
    this.client = client;
    this.deprecateEof = deprecateEof;
    this.names = names;
    this.listener = listener;
  }

  /**
   * Starts a reply.
   *
   * @param physicalSchema as column definitions name it
   * @param logicalSchema what stands there for the client
   * @param watches a branch whose read counts only when it was not disturbed; null for none
   * @param statusFlags AUTOCOMMIT, IN_TRANS and MORE_RESULTS_EXISTS of the session
   * @param firstSequence of the client's next packet, whatever the mysqld's first one has: the text
   *     that it got may have been of fewer packets
   */
  public void begin(
      byte[] physicalSchema,
      byte[] logicalSchema,
      @Nullable Branch watches,
      int statusFlags,
      int firstSequence) {
    advance(State.AWAITED, "begun");
    watched = watches;
    physical = physicalSchema;
    logical = logicalSchema;
    statusBits = statusFlags;
    nextSequence = firstSequence;
    rows = -1;
    longRow = false;
    failure = null;
    ok = null;
  }

  /** Rows of the last result set so far; -1 when there was none. */
  public long rows() {
    return rows;
  }

  /** Sequence number that the client expects next. */
  public int nextSequence() {
    return nextSequence;
  }

  @Override
  public void packet(PacketKind kind, ByteBuf buf, int header, int length) {
    if (state == State.AWAITED) {
      first(buf, header);
    }
    if (state == State.SWALLOWED || state == State.LEFT) {
      return;
    }
    switch (kind) {
      case ROW -> {
        rows += longRow ? 0 : 1;
        longRow = length == Packets.MAX_PAYLOAD + Packets.HEADER;
        row(buf, header, length);
      }
      case COLUMN, LAST_COLUMN, PARAMETER -> {
        column(buf, header, length);
        if (kind == PacketKind.LAST_COLUMN && !deprecateEof) {
          shift++;
          Packets.writeEof(out(), sequence(buf, header), 0, statusBits);
        }
      }
      case RESULT_END -> resultEnd(buf, header, length);
      case OK -> status(buf, header, length);
      case ERR -> error(buf, header, length);
      case COLUMN_COUNT -> {
        rows = 0;
        plain(buf, header, length);
      }
      case FILE_WANTED, PREPARE_OK, TEXT -> plain(buf, header, length);
    }
    nextSequence = (sequence(buf, header) + 1) & 0xff;
  }

  private void first(ByteBuf buf, int header) {
    Branch asked = watched;
    watched = null;
    if (asked != null && asked.disturbed()) {
      advance(State.SWALLOWED, "disturbed");
      return;
    }
    advance(State.HELD, "its first packet");
    shift = nextSequence - buf.getUnsignedByte(header + 3);
  }

  private int sequence(ByteBuf buf, int header) {
    return (buf.getUnsignedByte(header + 3) + shift) & 0xff;
  }

  private ByteBuf out() {
    flushRun();
    return buffer();
  }

  private ByteBuf buffer() {
    ByteBuf known = out;
    if (known == null) {
      known = client.alloc().buffer(1024);
      out = known;
    }
    return known;
  }

  private void plain(ByteBuf buf, int header, int length) {
    ByteBuf to = out();
    int at = to.writerIndex();
    to.writeBytes(buf, header, length);
    to.setByte(at + 3, sequence(buf, header));
  }

  private void row(ByteBuf buf, int header, int length) {
    if (shift != 0) {
      buf.setByte(header + 3, sequence(buf, header));
    }
    if (runBuf == buf && runEnd == header) {
      runEnd = header + length;
      return;
    }
    flushRun();
    runBuf = buf;
    runStart = header;
    runEnd = header + length;
  }

  private void flushRun() {
    ByteBuf run = runBuf;
    if (run == null) {
      return;
    }
    runBuf = null;
    int length = runEnd - runStart;
    if (length < SLICE_FROM) {
      buffer().writeBytes(run, runStart, length);
      return;
    }
    writeOut();
    sends();
    client.write(run.retainedSlice(runStart, length), client.voidPromise());
  }

  private void writeOut() {
    ByteBuf ready = out;
    if (ready != null) {
      out = null;
      sends();
      client.write(ready, client.voidPromise());
    }
  }

  private void sends() {
    if (state == State.HELD) {
      advance(State.SENT, "written to the client");
    }
  }

  private void column(ByteBuf buf, int header, int length) {
    int schemaAt = Lenenc.skipString(buf, header + Packets.HEADER);
    int width = Lenenc.width(buf, schemaAt);
    int schemaLength = (int) Lenenc.value(buf, schemaAt);
    boolean expected = schemaLength == physical.length && regionEquals(buf, schemaAt + width);
    if (!expected && !mayBeBroadcast(buf, schemaAt + width, schemaLength)) {
      plain(buf, header, length);
      return;
    }
    byte[] shown = expected ? logical : logicalName(buf, schemaAt + width, schemaLength);
    ByteBuf to = out();
    int begin = Packets.begin(to, sequence(buf, header));
    to.writeBytes(buf, header + Packets.HEADER, schemaAt - header - Packets.HEADER);
    Lenenc.writeBytes(to, shown);
    int rest = schemaAt + width + schemaLength;
    to.writeBytes(buf, rest, header + length - rest);
    Packets.end(to, begin);
  }

  /** A broadcast table's schema, beside the place's: it ends in {@code _b}. */
  private static boolean mayBeBroadcast(ByteBuf buf, int at, int length) {
    return length > 2 && buf.getByte(at + length - 2) == '_' && buf.getByte(at + length - 1) == 'b';
  }

  private byte[] logicalName(ByteBuf buf, int at, int length) {
    String name = buf.toString(at, length, StandardCharsets.UTF_8);
    return names.logicalError(name).getBytes(StandardCharsets.UTF_8);
  }

  private boolean regionEquals(ByteBuf buf, int at) {
    for (int i = physical.length - 1; i >= 0; i--) {
      if (buf.getByte(at + i) != physical[i]) {
        return false;
      }
    }
    return physical.length > 0;
  }

  private void resultEnd(ByteBuf buf, int header, int length) {
    OkPacket end = OkPacket.parse(buf, header + Packets.HEADER, length - Packets.HEADER);
    int status = end.status() & STATUS_OF_BACKEND | statusBits;
    ok = end;
    if (deprecateEof) {
      Packets.writeResultEnd(
          out(), sequence(buf, header), end.warnings(), status, listener.stateChange());
    } else {
      Packets.writeEof(out(), sequence(buf, header), end.warnings(), status);
    }
  }

  private void status(ByteBuf buf, int header, int length) {
    OkPacket sent = OkPacket.parse(buf, header + Packets.HEADER, length - Packets.HEADER);
    int status = sent.status() & STATUS_OF_BACKEND | statusBits;
    OkPacket passed =
        new OkPacket(
            sent.affectedRows(), sent.lastInsertId(), status, sent.warnings(), sent.info());
    ok = passed;
    Packets.writeOk(out(), sequence(buf, header), passed, listener.stateChange());
  }

  private void error(ByteBuf buf, int header, int length) {
    ErrPacket error = ErrPacket.parse(buf, header + Packets.HEADER, length - Packets.HEADER);
    String message = names.logicalError(error.message());
    AlraiException said = AlraiException.fromServer(error.errno(), error.sqlState(), message);
    if (state == State.HELD && out == null && listener.runsAgain(said)) {
      advance(State.AGAIN, "the statement runs again");
      return;
    }
    AlraiException told = listener.told(said);
    failure = told;
    Packets.writeErr(out(), sequence(buf, header), told.errno(), told.sqlState(), told.sentence());
  }

  @Override
  public void chunkEnd() {
    flushRun();
    ByteBuf unsent = out;
    if (state == State.SENT || (unsent != null && unsent.readableBytes() > SLICE_FROM)) {
      writeOut();
      client.flush();
    }
  }

  @Override
  public void end(int status) {
    switch (state) {
      case SWALLOWED -> {
        advance(State.IDLE, "its end");
        listener.disturbed();
      }
      case AGAIN -> {
        advance(State.IDLE, "its end");
        listener.again();
      }
      case LEFT -> {}
      case IDLE, AWAITED, HELD, SENT, ENDED -> {
        writeOut();
        client.flush();
        advance(State.ENDED, "its end");
        AlraiException error = failure;
        listener.forwarded(error, error == null ? ok : null);
      }
    }
  }

  @Override
  public void failed(AlraiException reason) {
    if (state == State.LEFT) {
      return;
    }
    Had client = had();
    dropUnsent();
    if (state != State.IDLE) {
      advance(State.IDLE, "lost");
    }
    listener.lost(reason, client);
  }

  private Had had() {
    return switch (state) {
      case SENT -> out == null && runBuf == null && !longRow ? Had.PACKETS : Had.MORE;
      case ENDED -> Had.MORE;
      case IDLE, AWAITED, HELD, SWALLOWED, AGAIN, LEFT -> Had.NOTHING;
    };
  }

  /**
   * The listener hears nothing any more: the branch that was to answer is closed, and says so
   * later, when another statement may be at work.
   */
  public void leave() {
    dropUnsent();
    advance(State.LEFT, "left");
  }

  private void dropUnsent() {
    ByteBuf unsent = out;
    out = null;
    if (unsent != null) {
      unsent.release();
    }
    runBuf = null;
  }

  /**
   * The next state.
   *
   * @throws IllegalStateException when it cannot follow
   */
  private void advance(State next, String reason) {
    if (!state.mayBecome(next)) {
      throw new IllegalStateException(
          "a forwarded reply: " + state + " cannot become " + next + " (" + reason + ")");
    }
    if (log.isTraceEnabled()) {
      log.trace("a forwarded reply: {} -> {} ({})", state, next, reason);
    }
    state = next;
  }
}
