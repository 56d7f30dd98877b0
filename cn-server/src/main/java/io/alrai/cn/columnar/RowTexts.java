package io.alrai.cn.columnar;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.alrai.columnar.scan.ColumnKind;
import io.alrai.columnar.scan.ColumnShape;
import io.alrai.columnar.scan.TableShape;
import io.alrai.common.changelog.RowImage;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Lenenc;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;

/**
 * Reads rows of the text protocol, selected by {@link IndexedColumns#select} on a session in UTF-8
 * and UTC, as the same rows come out of the log. Any thread.
 */
final class RowTexts {
  private static final long DAY_MICROS = 86_400_000_000L;

  private final List<ColumnShape> columns;

  RowTexts(TableShape shape) {
    columns = shape.columns();
  }

  /**
   * The row.
   *
   * @throws AlraiException ER_NOT_SUPPORTED_YET for a value that no index can hold: zero dates
   */
  RowImage read(byte[] payload) {
    ByteBuf in = Unpooled.wrappedBuffer(payload);
    RowImage row = new RowImage(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      if (in.getUnsignedByte(in.readerIndex()) == 0xfb) {
        in.skipBytes(1);
        continue;
      }
      byte[] value = Lenenc.readBytes(in);
      try {
        put(row, i, columns.get(i).kind(), value);
      } catch (DateTimeException | NumberFormatException | ArithmeticException e) {
        throw new AlraiException(
            ErrorCode.ER_NOT_SUPPORTED_YET,
            "a column index cannot hold '"
                + new String(value, ISO_8859_1)
                + "' of column "
                + columns.get(i).name(),
            e);
      }
    }
    return row;
  }

  private static void put(RowImage row, int i, ColumnKind kind, byte[] value) {
    switch (kind) {
      case ColumnKind.Int number -> row.put(i, whole(value));
      case ColumnKind.Label label -> row.put(i, whole(value));
      case ColumnKind.LabelSet set -> row.put(i, whole(value));
      case ColumnKind.Decimal decimal ->
          DecimalImages.put(row, i, decimal, new BigDecimal(text(value)));
      case ColumnKind.Floating floating -> {
        double number = Double.parseDouble(text(value));
        row.put(
            i,
            floating.single()
                ? Float.floatToRawIntBits((float) number)
                : Double.doubleToRawLongBits(number));
      }
      case ColumnKind.Date date -> row.put(i, days(text(value)));
      case ColumnKind.DateTime moment -> row.put(i, moment(text(value)));
      case ColumnKind.Timestamp moment -> row.put(i, moment(text(value)));
      case ColumnKind.Time time -> row.put(i, time(text(value)));
      case ColumnKind.Text text -> row.put(i, value);
      case ColumnKind.Json json -> row.put(i, value);
      case ColumnKind.Bytes bytes -> row.put(i, value);
    }
  }

  private static String text(byte[] value) {
    return new String(value, ISO_8859_1);
  }

  private static long whole(byte[] value) {
    String digits = text(value);
    return digits.startsWith("-") ? Long.parseLong(digits) : Long.parseUnsignedLong(digits);
  }

  private static long days(String date) {
    return LocalDate.of(number(date, 0, 4), number(date, 5, 7), number(date, 8, 10)).toEpochDay();
  }

  /** {@code YYYY-MM-DD HH:MM:SS[.ffffff]}. */
  private static long moment(String text) {
    return days(text) * DAY_MICROS + clock(text.substring(11));
  }

  /** {@code [-]HHH:MM:SS[.ffffff]}. */
  private static long time(String text) {
    return text.startsWith("-") ? -clock(text.substring(1)) : clock(text);
  }

  private static long clock(String text) {
    int first = text.indexOf(':');
    long seconds =
        number(text, 0, first) * 3_600L
            + number(text, first + 1, first + 3) * 60L
            + number(text, first + 4, first + 6);
    String fraction = text.length() > first + 7 ? text.substring(first + 7) : "";
    return seconds * 1_000_000 + Long.parseLong((fraction + "000000").substring(0, 6));
  }

  private static int number(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }
}
