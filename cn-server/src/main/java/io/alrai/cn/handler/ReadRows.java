package io.alrai.cn.handler;

import io.alrai.cn.result.ResultWriter;
import io.alrai.cn.routine.KeptResult;
import io.alrai.cn.routine.LocalValue;
import io.alrai.cn.statement.StatementRun;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.StateChange;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Arrays;
import java.util.List;

/** Gives the client the rows of a READ without the columns that tell their place. */
final class ReadRows extends ResultWriter {
  private final StatementRun run;
  private final int places;
  private final boolean shown;
  private List<ColumnDefinition> columns = List.of();
  private byte[] last = {};
  private long rows;

  /**
   * Rows of a READ.
   *
   * @param places how many columns at the end tell the place
   * @param shown whether the client wants the rows
   */
  ReadRows(StatementRun run, int places, boolean shown) {
    super(run.writer().output(), true, false, 0, () -> StateChange.NONE);
    this.run = run;
    this.places = places;
    this.shown = shown;
  }

  /** How many there were. */
  long rows() {
    return rows;
  }

  /** What tells the place of the last one. */
  List<LocalValue> place() {
    List<LocalValue> values = KeptResult.values(columns, last);
    return values.subList(values.size() - places, values.size());
  }

  @Override
  public void columns(List<ColumnDefinition> definitions, int status) {
    columns = List.copyOf(definitions);
    run.writer()
        .columns(
            columns.stream().limit(columns.size() - places).map(ReadRows::ofHandler).toList(),
            status);
  }

  /** As a mysqld describes it: the alias is all that it knows of the table. */
  private static ColumnDefinition ofHandler(ColumnDefinition column) {
    return new ColumnDefinition(
        "*any*",
        column.table(),
        column.table(),
        column.name(),
        column.originalName(),
        column.charsetId(),
        column.length(),
        column.type(),
        column.flags(),
        column.decimals());
  }

  @Override
  public void row(byte[] textRow) {
    rows++;
    last = textRow;
    if (shown) {
      run.writer().row(Arrays.copyOf(textRow, lengthWithoutPlace(textRow)));
    }
  }

  private int lengthWithoutPlace(byte[] row) {
    ByteBuf in = Unpooled.wrappedBuffer(row);
    for (int i = 0; i < columns.size() - places; i++) {
      if (in.getUnsignedByte(in.readerIndex()) == 0xfb) {
        in.skipBytes(1);
      } else {
        in.skipBytes((int) Lenenc.read(in));
      }
    }
    return in.readerIndex();
  }

  @Override
  public void end(int warnings, int status) {
    run.writer().end(warnings, status);
  }

  @Override
  public void ok(OkPacket ok) {
    run.writer().ok(ok);
  }
}
