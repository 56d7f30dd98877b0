package io.alrai.dn.binlog;

import io.netty.buffer.ByteBuf;
import java.time.DateTimeException;
import java.time.LocalDate;

/**
 * MySQL's dates and times in rows (sql-common/my_time.cc). Big-endian, but for DATE.
 *
 * <pre>
 *  DATE        3 bytes: year 15 bits, month 4, day 5
 *  TIME2       3 bytes less 0x800000: hour 12 bits from bit 12, minute 6, second 6; fraction
 *  DATETIME2   5 bytes less 0x8000000000: year * 13 + month 17 bits, day 5, hour 5, minute 6,
 *              second 6; fraction
 *  TIMESTAMP2  4 bytes: seconds since 1970 UTC; fraction
 *  fraction    (fsp + 1) / 2 bytes: of 10^-2, 10^-4 or 10^-6 seconds
 * </pre>
 */
final class PackedTime {
  /** Bytes of the whole seconds of a TIME. */
  static final int TIME_BYTES = 3;

  /** Bytes of the whole seconds of a DATETIME. */
  static final int DATE_TIME_BYTES = 5;

  private static final long SECOND = 1_000_000;
  private static final long DAY = 86_400 * SECOND;
  private static final int[] MICROS = {0, 10_000, 100, 1};

  private PackedTime() {}

  /** How many bytes a fraction of so many digits takes. */
  static int fractionBytes(int fsp) {
    return (fsp + 1) / 2;
  }

  /** Days since 1970-01-01. */
  static long date(ByteBuf in) {
    int packed = in.readUnsignedMediumLE();
    return days(packed >> 9, packed >> 5 & 15, packed & 31);
  }

  /** Days since 1970-01-01. */
  static long days(int year, int month, int day) {
    try {
      return LocalDate.of(year, month, day).toEpochDay();
    } catch (DateTimeException e) {
      throw new BinlogException(
          "the date %04d-%02d-%02d is none of the calendar".formatted(year, month, day), e);
    }
  }

  /** Microseconds; a negative time is one number with its fraction, in two's complement. */
  static long time(ByteBuf in, int fsp) {
    int bytes = fractionBytes(fsp);
    long packed = 0;
    for (int i = 0; i < TIME_BYTES + bytes; i++) {
      packed = packed << 8 | in.readUnsignedByte();
    }
    packed -= 0x800000L << 8 * bytes;
    long size = Math.abs(packed);
    long whole = size >> 8 * bytes;
    long micros =
        ((whole >> 12 & 0x3ff) * 3_600 + (whole >> 6 & 63) * 60 + (whole & 63)) * SECOND
            + (size & (1L << 8 * bytes) - 1) * MICROS[bytes];
    return packed < 0 ? -micros : micros;
  }

  /** Microseconds since 1970-01-01 00:00:00. */
  static long dateTime(ByteBuf in, int fsp) {
    long packed = 0;
    for (int i = 0; i < DATE_TIME_BYTES; i++) {
      packed = packed << 8 | in.readUnsignedByte();
    }
    packed -= 0x80_0000_0000L;
    int months = (int) (packed >> 22);
    long days = days(months / 13, months % 13, (int) (packed >> 17) & 31);
    long seconds = (packed >> 12 & 31) * 3_600 + (packed >> 6 & 63) * 60 + (packed & 63);
    return days * DAY + seconds * SECOND + fraction(in, fsp);
  }

  /** Microseconds since 1970-01-01 00:00:00 UTC. */
  static long timestamp(ByteBuf in, int fsp) {
    long seconds = in.readUnsignedInt();
    long fraction = fraction(in, fsp);
    if (seconds == 0 && fraction == 0) {
      throw new BinlogException("the date 0000-00-00 is none of the calendar");
    }
    return seconds * SECOND + fraction;
  }

  private static long fraction(ByteBuf in, int fsp) {
    int bytes = fractionBytes(fsp);
    long value = 0;
    for (int i = 0; i < bytes; i++) {
      value = value << 8 | in.readUnsignedByte();
    }
    return value * MICROS[bytes];
  }
}
