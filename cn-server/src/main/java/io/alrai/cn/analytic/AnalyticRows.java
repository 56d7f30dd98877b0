package io.alrai.cn.analytic;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.alrai.common.wire.Lenenc;
import io.alrai.executor.exchange.PlanRows;
import io.alrai.executor.fragment.ValueType;
import io.alrai.executor.operator.DoubleText;
import io.alrai.executor.operator.Row;
import io.alrai.executor.operator.RowSource;
import io.alrai.executor.task.Cancellation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The rows of a finished plan in the form of the text protocol. One virtual thread. */
final class AnalyticRows implements RowSource {
  private static final int NULL_MARK = 0xfb;

  /** They take about a millisecond. */
  private static final int ROWS_BETWEEN_PAUSES = 1_024;

  private static final long SECOND_MICROS = TimeUnit.SECONDS.toMicros(1);
  private static final long DAY_MICROS = TimeUnit.DAYS.toMicros(1);
  private static final int MICRO_DIGITS = 6;

  private final List<ColumnDefinition> columns;
  private final PlanRows rows;
  private final Cancellation cancellation;
  private final Runnable pace;
  private final Runnable onClose;
  private final ByteBuf payload = Unpooled.buffer();
  private final Row row;
  private int made;

  /**
   * Rows for a client.
   *
   * @param columns of the types that the rows' values have
   * @param pace may wait; comes between rows
   * @param onClose also closes {@code rows}
   */
  AnalyticRows(
      List<ColumnDefinition> columns,
      PlanRows rows,
      Cancellation cancellation,
      Runnable pace,
      Runnable onClose) {
    this.columns = List.copyOf(columns);
    this.rows = rows;
    this.cancellation = cancellation;
    this.pace = pace;
    this.onClose = onClose;
    this.row = new Row(columns.size());
  }

  /** Who ran the plan, as SHOW TRACE has it. */
  String place() {
    return rows.node().isEmpty() ? "COLUMNS" : rows.node();
  }

  @Override
  public List<ColumnDefinition> columns() {
    return columns;
  }

  @Override
  public boolean advance() {
    cancellation.check();
    if (!rows.next()) {
      return false;
    }
    if (++made % ROWS_BETWEEN_PAUSES == 0) {
      pace.run();
    }
    payload.clear();
    for (int i = 0; i < columns.size(); i++) {
      if (rows.isNull(i)) {
        payload.writeByte(NULL_MARK);
      } else {
        Lenenc.writeBytes(payload, value(i));
      }
    }
    row.set(payload.array(), payload.arrayOffset(), payload.arrayOffset() + payload.writerIndex());
    return true;
  }

  private byte[] value(int i) {
    ValueType type = rows.columns().get(i);
    return switch (type.kind()) {
      case STRING -> rows.bytesAt(i);
      case BIGINT ->
          ascii(
              columns.get(i).type() == MysqlType.YEAR
                  ? String.format(Locale.ROOT, "%04d", rows.longAt(i))
                  : Long.toString(rows.longAt(i)));
      case UNSIGNED -> ascii(Long.toUnsignedString(rows.longAt(i)));
      case DECIMAL -> ascii(rows.decimalAt(i).toPlainString());
      case DOUBLE -> ascii(DoubleText.of(rows.doubleAt(i), columns.get(i).decimals()));
      case DATE -> ascii(LocalDate.ofEpochDay(rows.longAt(i)).toString());
      case DATETIME -> ascii(moment(rows.longAt(i), type.scale()));
    };
  }

  /** {@code 2026-11-21 19:00:00.000}, with this many digits after the second. */
  static String moment(long micros, int digits) {
    long inDay = Math.floorMod(micros, DAY_MICROS);
    long second = inDay / SECOND_MICROS;
    String text =
        String.format(
            Locale.ROOT,
            "%s %02d:%02d:%02d",
            LocalDate.ofEpochDay(Math.floorDiv(micros, DAY_MICROS)),
            second / 3600,
            second / 60 % 60,
            second % 60);
    if (digits == 0) {
      return text;
    }
    String fraction = String.format(Locale.ROOT, "%06d", inDay % SECOND_MICROS);
    return text + "." + fraction.substring(0, Math.min(digits, MICRO_DIGITS));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public Row row() {
    return row;
  }

  @Override
  public void close() {
    onClose.run();
  }
}
