package io.alrai.cn.rows;

import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.ColumnDefinition;
import io.netty.buffer.ByteBuf;

/**
 * Dates and times in rows of the binary protocol (MySQL protocol documentation, "Binary Protocol
 * Value"): a length, and as many fields as are not zero.
 */
public final class BinaryTimes {
  private static final int DATE_LENGTH = 10;

  private BinaryTimes() {}

  /** Which of DATE, DATETIME and TIME a text is. */
  public static MysqlType typeOf(String text) {
    if (text.lastIndexOf('-') <= 0) {
      return MysqlType.TIME;
    }
    return text.length() == DATE_LENGTH ? MysqlType.DATE : MysqlType.DATETIME;
  }

  /** Writes the value of a text of that type. */
  public static void write(String text, ByteBuf out) {
    if (typeOf(text) == MysqlType.TIME) {
      time(text, out);
    } else {
      date(text, out);
    }
  }

  /** A date with a time of day unless its column is a DATE, with the column's fraction digits. */
  static String date(ByteBuf in, ColumnDefinition column) {
    int length = in.readUnsignedByte();
    int year = length > 0 ? in.readUnsignedShortLE() : 0;
    int month = length > 0 ? in.readUnsignedByte() : 0;
    int day = length > 0 ? in.readUnsignedByte() : 0;
    int hour = length > 4 ? in.readUnsignedByte() : 0;
    int minute = length > 4 ? in.readUnsignedByte() : 0;
    int second = length > 4 ? in.readUnsignedByte() : 0;
    int micros = length > 7 ? (int) in.readUnsignedIntLE() : 0;
    StringBuilder text = new StringBuilder(26);
    digits(text, year, 4).append('-');
    digits(text, month, 2).append('-');
    digits(text, day, 2);
    boolean timeOfDay = column.type() == MysqlType.DATETIME || column.type() == MysqlType.TIMESTAMP;
    if (timeOfDay) {
      digits(text.append(' '), hour, 2).append(':');
      digits(text, minute, 2).append(':');
      digits(text, second, 2);
      fraction(text, micros, column.decimals());
    }
    return text.toString();
  }

  /** A duration of whatever many hours, with the column's fraction digits. */
  static String time(ByteBuf in, ColumnDefinition column) {
    int length = in.readUnsignedByte();
    boolean negative = length > 0 && in.readByte() == 1;
    long days = length > 0 ? in.readUnsignedIntLE() : 0;
    int hour = length > 0 ? in.readUnsignedByte() : 0;
    int minute = length > 0 ? in.readUnsignedByte() : 0;
    int second = length > 0 ? in.readUnsignedByte() : 0;
    int micros = length > 8 ? (int) in.readUnsignedIntLE() : 0;
    StringBuilder text = new StringBuilder(negative ? "-" : "");
    digits(text, days * 24 + hour, 2).append(':');
    digits(text, minute, 2).append(':');
    digits(text, second, 2);
    fraction(text, micros, column.decimals());
    return text.toString();
  }

  /** At least so many digits. */
  private static StringBuilder digits(StringBuilder text, long value, int least) {
    String written = Long.toString(value);
    return text.repeat('0', Math.max(0, least - written.length())).append(written);
  }

  private static void fraction(StringBuilder text, int micros, int decimals) {
    if (decimals > 0 && decimals <= 6) {
      StringBuilder six = digits(new StringBuilder(6), micros, 6);
      text.append('.').append(six, 0, decimals);
    }
  }

  /**
   * {@code YYYY-MM-DD[ hh:mm:ss[.ffffff][+hh:mm]]}; 0, 4, 7, 11 or 13 bytes after the length. Of a
   * parameter each number may have more digits, as the client has sent them: it is the mysqld that
   * judges them.
   */
  static void date(String text, ByteBuf out) {
    int years = text.indexOf('-');
    int months = text.indexOf('-', years + 1);
    int days = end(text, ' ', months + 1);
    int year = Integer.parseInt(text, 0, years, 10);
    int month = Integer.parseInt(text, years + 1, months, 10);
    int day = Integer.parseInt(text, months + 1, days, 10);
    int hour = 0;
    int minute = 0;
    int second = 0;
    int micros = 0;
    int zone = text.length();
    if (text.length() > days) {
      int hours = text.indexOf(':', days);
      int minutes = text.indexOf(':', hours + 1);
      zone = Math.min(end(text, '+', minutes), end(text, '-', minutes));
      int seconds = Math.min(zone, end(text, '.', minutes + 1));
      hour = Integer.parseInt(text, days + 1, hours, 10);
      minute = Integer.parseInt(text, hours + 1, minutes, 10);
      second = Integer.parseInt(text, minutes + 1, seconds, 10);
      micros = micros(text.substring(0, zone), seconds);
    }
    int length =
        micros != 0 ? 11 : hour + minute + second != 0 ? 7 : year + month + day != 0 ? 4 : 0;
    length = zone < text.length() ? 13 : length;
    out.writeByte(length);
    if (length > 0) {
      out.writeShortLE(year).writeByte(month).writeByte(day);
    }
    if (length > 4) {
      out.writeByte(hour).writeByte(minute).writeByte(second);
    }
    if (length > 7) {
      out.writeIntLE(micros);
    }
    if (length > 11) {
      out.writeShortLE(minutesAhead(text.substring(zone)));
    }
  }

  /** Of {@code +hh:mm}. */
  private static int minutesAhead(String zone) {
    int colon = zone.indexOf(':');
    int minutes =
        60 * Integer.parseInt(zone, 1, colon, 10)
            + Integer.parseInt(zone, colon + 1, zone.length(), 10);
    return zone.charAt(0) == '-' ? -minutes : minutes;
  }

  /** {@code [-]hhh:mm:ss[.ffffff]}; 0, 8 or 12 bytes after the length. */
  static void time(String text, ByteBuf out) {
    boolean negative = text.startsWith("-");
    String plain = negative ? text.substring(1) : text;
    int colon = plain.indexOf(':');
    long hours = Long.parseLong(plain, 0, colon, 10);
    int minute = Integer.parseInt(plain, colon + 1, colon + 3, 10);
    int second = Integer.parseInt(plain, colon + 4, colon + 6, 10);
    int micros = micros(plain, colon + 6);
    int length = micros != 0 ? 12 : hours + minute + second != 0 ? 8 : 0;
    out.writeByte(length);
    if (length > 0) {
      out.writeByte(negative ? 1 : 0).writeIntLE((int) (hours / 24)).writeByte((int) (hours % 24));
      out.writeByte(minute).writeByte(second);
    }
    if (length > 8) {
      out.writeIntLE(micros);
    }
  }

  /** Where a part ends: before the character, or with the text. */
  private static int end(String text, char before, int from) {
    int at = text.indexOf(before, from);
    return at < 0 ? text.length() : at;
  }

  private static int micros(String text, int point) {
    if (text.length() <= point + 1) {
      return 0;
    }
    String digits = text.substring(point + 1);
    return Integer.parseInt((digits + "000000").substring(0, 6));
  }
}
