package io.alrai.dn.binlog;

import io.alrai.common.wire.Lenenc;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * What the first event of a transaction says. The plain form (type 33) has fixed places:
 *
 * <pre>
 *  flags 1 | uuid 16 | number 8 | 2 | last committed 8 | sequence 8 | commit time 7 (+ 7) | length
 * </pre>
 *
 * The one with a tag (type 42) is a list of numbered fields in the serialisation of
 * mysql::serialization: integers of variable length whose count of further bytes is the number of
 * low one bits of the first.
 *
 * @param sequence counts the transactions of a file of the log, by which others say whom they need
 * @param transactionLength of the whole transaction in the log, this event included
 */
record GtidEvent(Gtid gtid, long sequence, long transactionLength) {
  private static final int LOGICAL_CLOCK = 2;
  private static final int SEQUENCE = 34;
  private static final int FIXED = 42;
  private static final int TIME = 7;

  /** The highest bit of the 56 of the commit time: the original's time follows. */
  private static final int TWO_TIMES = 0x80;

  private static final int UUID_BYTES = 16;

  /** Reads either form. */
  static GtidEvent of(Event event) {
    return switch (event.type()) {
      case EventType.GTID -> parse(event);
      case EventType.GTID_TAGGED -> parseTagged(event);
      default -> throw new BinlogException("an event of type " + event.type() + " for a GTID");
    };
  }

  static GtidEvent parse(Event event) {
    ByteBuf buf = event.bytes();
    int body = event.body();
    UUID source = new UUID(buf.getLong(body + 1), buf.getLong(body + 9));
    Gtid gtid = new Gtid(source, "", buf.getLongLE(body + 17));
    if (buf.getUnsignedByte(body + 25) != LOGICAL_CLOCK || body + FIXED >= event.bodyEnd()) {
      throw new BinlogException("a GTID event of an unknown form");
    }
    int times = (buf.getUnsignedByte(body + FIXED + TIME - 1) & TWO_TIMES) == 0 ? 1 : 2;
    long sequence = buf.getLongLE(body + SEQUENCE);
    return new GtidEvent(gtid, sequence, Lenenc.value(buf, body + FIXED + times * TIME));
  }

  static GtidEvent parseTagged(Event event) {
    ByteBuf in = event.bytes().slice(event.body(), event.bodyEnd() - event.body());
    if (unsigned(in) != 1) {
      throw new BinlogException("a GTID event of an unknown version");
    }
    long size = unsigned(in);
    if (size > event.bodyEnd() - event.body() || unsigned(in) > 9) {
      throw new BinlogException("a GTID event with unknown fields");
    }
    UUID source = new UUID(0, 0);
    String tag = "";
    long number = 0;
    long sequence = 0;
    while (in.isReadable()) {
      int field = (int) unsigned(in);
      switch (field) {
        case 0 -> unsigned(in); // flags
        case 1 -> source = uuid(in);
        case 2 -> number = signed(in);
        case 3 -> {
          int length = (int) unsigned(in);
          tag = in.readCharSequence(length, StandardCharsets.US_ASCII).toString();
        }
        case 4 -> signed(in); // last committed
        case 5 -> sequence = signed(in);
        case 6, 7 -> unsigned(in); // times of commit here and at the origin
        case 8 -> {
          return new GtidEvent(new Gtid(source, tag, number), sequence, unsigned(in));
        }
        default -> throw new BinlogException("a GTID event with the unknown field " + field);
      }
    }
    throw new BinlogException("a GTID event without the transaction's length");
  }

  private static UUID uuid(ByteBuf in) {
    long high = 0;
    long low = 0;
    for (int i = 0; i < UUID_BYTES; i++) {
      high = high << 8 | low >>> 56;
      low = low << 8 | unsigned(in);
    }
    return new UUID(high, low);
  }

  private static long unsigned(ByteBuf in) {
    int first = in.readUnsignedByte();
    int more = Integer.numberOfTrailingZeros(~first);
    if (more >= 8) {
      return in.readLongLE();
    }
    long value = first >>> (more + 1);
    for (int i = 0; i < more; i++) {
      value |= (long) in.readUnsignedByte() << (8 * i + 7 - more);
    }
    return value;
  }

  private static long signed(ByteBuf in) {
    long value = unsigned(in);
    return value >>> 1 ^ -(value & 1);
  }
}
