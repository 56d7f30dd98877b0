package io.alrai.dn.group;

import io.alrai.common.wire.Lenenc;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/** Events that lie in no log, as a source sends them to its replicas. Pure. */
final class MadeUpEvents {
  private static final int ROTATE = 4;
  private static final int HEARTBEAT = 41;
  private static final int ARTIFICIAL = 0x20;
  private static final int CHECKSUM = 4;
  private static final int LENGTH_AT = 9;
  private static final int FILE_NAME = 1;
  private static final int PLACE = 2;
  private static final int END = 0;

  private MadeUpEvents() {}

  /** Says in which file the next events are, from the first place on. */
  static ByteBuf rotation(String file) {
    ByteBuf event = begin(ROTATE);
    event.writeLongLE(ReplicaPackets.FIRST_PLACE);
    event.writeCharSequence(file, StandardCharsets.US_ASCII);
    return end(event);
  }

  /** Says up to where all was sent; fields of type, length and value. */
  static ByteBuf heartbeat(String file, long place) {
    ByteBuf event = begin(HEARTBEAT);
    event.writeByte(FILE_NAME).writeByte(file.length());
    event.writeCharSequence(file, StandardCharsets.US_ASCII);
    ByteBuf value = Unpooled.buffer();
    Lenenc.write(value, place);
    event.writeByte(PLACE).writeByte(value.readableBytes()).writeBytes(value).writeByte(END);
    return end(event);
  }

  private static ByteBuf begin(int type) {
    ByteBuf event = Unpooled.buffer();
    event.writeIntLE(0).writeByte(type).writeIntLE(ReplicaFeeder.SERVER_ID);
    return event.writeIntLE(0).writeIntLE(0).writeShortLE(ARTIFICIAL);
  }

  private static ByteBuf end(ByteBuf event) {
    event.setIntLE(LENGTH_AT, event.readableBytes() + CHECKSUM);
    CRC32 crc = new CRC32();
    crc.update(event.nioBuffer());
    return event.writeIntLE((int) crc.getValue());
  }
}
