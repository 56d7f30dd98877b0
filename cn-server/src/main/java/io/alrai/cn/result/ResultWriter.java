package io.alrai.cn.result;

import io.alrai.cn.protocol.ClientOutput;
import io.alrai.cn.rows.BinaryRows;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.StateChange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes a result that the CN made or merged to the client, in the form that the client's command
 * and capabilities want. One virtual thread; waits for slow clients. Others may take its place for
 * statements whose results are not the client's as they are.
 */
public class ResultWriter {
  private static final int SEND_AT = 16 << 10;

  private final ClientOutput output;
  private final boolean deprecateEof;
  private final boolean binary;
  private List<ColumnDefinition> columns = List.of();
  private final Supplier<StateChange> stateChange;
  private int sequence;
  private boolean sent;
  private long rows;
  private @Nullable ByteBuf out;

  /**
   * A writer for one result.
   *
   * @param binary the form of STMT_EXECUTE, else text
   * @param firstSequence of the next packet: 1 for the first result of a command
   * @param stateChange what an end of a result tells of the session's state
   */
  public ResultWriter(
      ClientOutput output,
      boolean deprecateEof,
      boolean binary,
      int firstSequence,
      Supplier<StateChange> stateChange) {
    this.output = output;
    this.deprecateEof = deprecateEof;
    this.binary = binary;
    this.sequence = firstSequence;
    this.stateChange = stateChange;
  }

  /** The way to the client. */
  public ClientOutput output() {
    return output;
  }

  /** Whether rows go out in the form of STMT_EXECUTE: the statement was prepared before. */
  public boolean binary() {
    return binary;
  }

  /** Whether it may wait for others than the client: it is not for the event loop then. */
  public boolean waits() {
    return false;
  }

  /** Whether FLOATs are to have all their digits, as only binary rows have them on the wire. */
  public boolean wholeFloats() {
    return binary;
  }

  /** Whether {@code @@sql_select_limit} bounds it: it does not within stored programs. */
  public boolean limited() {
    return true;
  }

  /** The sequence number after the last packet. */
  public int nextSequence() {
    return sequence;
  }

  /** How many rows were written. */
  public long rowsWritten() {
    return rows;
  }

  /** Goes on with another number: the client has sent packets of its own meanwhile. */
  public void continueFrom(int nextSequence) {
    sequence = nextSequence & 0xff;
    sent = true;
  }

  /** Whether the client may have got anything of what was written. */
  public boolean sent() {
    return sent;
  }

  /** Starts a result set. */
  public void columns(List<ColumnDefinition> definitions, int status) {
    columns = List.copyOf(definitions);
    writeColumns(columns);
    if (!deprecateEof) {
      Packets.writeEof(buffer(), next(), 0, status);
    }
  }

  /** The definitions of columns alone. */
  protected final void writeColumns(List<ColumnDefinition> definitions) {
    ByteBuf to = buffer();
    int header = Packets.begin(to, next());
    Lenenc.write(to, definitions.size());
    Packets.end(to, header);
    for (ColumnDefinition column : definitions) {
      header = Packets.begin(to, next());
      column.write(to);
      Packets.end(to, header);
    }
  }

  /** One row, as the payload of a row packet of the text protocol. */
  public void row(byte[] textRow) {
    encodedRow(binary ? BinaryRows.encode(columns, textRow) : textRow);
  }

  /** One row, as the payload of its packet. */
  public void encodedRow(byte[] payload) {
    rows++;
    ByteBuf to = buffer();
    if (payload.length < Packets.MAX_PAYLOAD) {
      to.writeMediumLE(payload.length).writeByte(next()).writeBytes(payload);
    } else {
      sequence = Packets.write(to, sequence, Unpooled.wrappedBuffer(payload)) & 0xff;
    }
    if (to.readableBytes() > SEND_AT) {
      flush();
    }
  }

  /** Ends a result set and sends it. */
  public void end(int warnings, int status) {
    if (deprecateEof) {
      Packets.writeResultEnd(buffer(), next(), warnings, status, stateChange.get());
    } else {
      Packets.writeEof(buffer(), next(), warnings, status);
    }
    flush();
  }

  /** Sends an OK: the result of a statement without rows. */
  public void ok(OkPacket ok) {
    Packets.writeOk(buffer(), next(), ok, stateChange.get());
    flush();
  }

  /** Sends an error; whatever was written before goes out first. */
  public void error(AlraiException error) {
    Packets.writeErr(buffer(), next(), error.errno(), error.sqlState(), error.sentence());
    flush();
  }

  /** Throws away what was not sent. */
  public void discard() {
    ByteBuf unsent = out;
    out = null;
    if (unsent != null) {
      unsent.release();
    }
  }

  private int next() {
    int now = sequence;
    sequence = (sequence + 1) & 0xff;
    return now;
  }

  private ByteBuf buffer() {
    ByteBuf known = out;
    if (known == null) {
      known = output.channel().alloc().buffer(SEND_AT + 1024);
      out = known;
    }
    return known;
  }

  private void flush() {
    ByteBuf ready = out;
    out = null;
    if (ready != null) {
      sent = true;
      output.send(ready);
    }
  }
}
