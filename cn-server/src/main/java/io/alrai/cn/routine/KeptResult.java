package io.alrai.cn.routine;

import io.alrai.cn.protocol.ClientOutput;
import io.alrai.cn.result.ResultWriter;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.StateChange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/** Keeps the rows of a statement for variables and cursors; the client gets nothing of it. */
public final class KeptResult extends ResultWriter {
  /** How many bytes of rows a cursor may have. */
  static final long MOST_BYTES = 64L << 20;

  private List<ColumnDefinition> columns = List.of();
  private final List<byte[]> rows = new ArrayList<>();
  private final long most;
  private long bytes;

  /**
   * A result to keep.
   *
   * @param most rows; further ones are not kept
   */
  public KeptResult(ClientOutput output, long most) {
    super(output, true, false, 0, () -> StateChange.NONE);
    this.most = most;
  }

  @Override
  public boolean wholeFloats() {
    return true;
  }

  List<ColumnDefinition> kept() {
    return columns;
  }

  int size() {
    return rows.size();
  }

  /** The values of a row. */
  public List<LocalValue> values(int row) {
    return values(columns, rows.get(row));
  }

  /** The values of a row of the text protocol. */
  public static List<LocalValue> values(List<ColumnDefinition> columns, byte[] row) {
    ByteBuf in = Unpooled.wrappedBuffer(row);
    List<LocalValue> values = new ArrayList<>(columns.size());
    for (ColumnDefinition column : columns) {
      if (in.getUnsignedByte(in.readerIndex()) == 0xfb) {
        in.skipBytes(1);
        values.add(LocalValue.NULL);
      } else {
        values.add(LocalValue.of(column, Lenenc.readBytes(in)));
      }
    }
    return values;
  }

  @Override
  public boolean limited() {
    return false;
  }

  @Override
  public void columns(List<ColumnDefinition> definitions, int status) {
    columns = List.copyOf(definitions);
  }

  @Override
  public void row(byte[] textRow) {
    if (rows.size() >= most) {
      return;
    }
    bytes += textRow.length;
    if (bytes > MOST_BYTES) {
      throw new AlraiException(
          ErrorCode.ER_OUT_OF_RESOURCES,
          "Out of memory: a cursor of a procedure has more than "
              + (MOST_BYTES >> 20)
              + " MB of rows; let its query read less");
    }
    rows.add(textRow);
  }

  @Override
  public void end(int warnings, int status) {
    // nothing is sent
  }

  @Override
  public void ok(OkPacket ok) {
    // nothing is sent
  }
}
