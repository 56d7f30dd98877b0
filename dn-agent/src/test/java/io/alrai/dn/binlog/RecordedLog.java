package io.alrai.dn.binlog;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/** A binary log that a MySQL 9.7.4 wrote: each kind of transaction once. */
final class RecordedLog {
  static final int MAGIC = 4;

  private RecordedLog() {}

  static byte[] bytes() {
    try (InputStream in = RecordedLog.class.getResourceAsStream("server-9.7.binlog")) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a server sends of it up to a place. */
  static List<byte[]> eventsUntil(int until) {
    byte[] log = bytes();
    List<byte[]> events = new ArrayList<>();
    events.add(rotation("binlog.000001", MAGIC));
    ByteBuf buf = Unpooled.wrappedBuffer(log);
    int at = MAGIC;
    while (at < until) {
      int length = buf.getIntLE(at + 9);
      events.add(Arrays.copyOfRange(log, at, at + length));
      at += length;
    }
    return events;
  }

  static byte[] rotation(String file, long offset) {
    ByteBuf event = Unpooled.buffer();
    int length = Event.HEADER + 8 + file.length() + Event.CHECKSUM;
    event.writeIntLE(0).writeByte(EventType.ROTATE).writeIntLE(1).writeIntLE(length);
    event.writeIntLE(0).writeShortLE(0x20).writeLongLE(offset).writeBytes(file.getBytes());
    CRC32 crc = new CRC32();
    crc.update(event.array(), 0, event.writerIndex());
    event.writeIntLE((int) crc.getValue());
    return Arrays.copyOf(event.array(), event.writerIndex());
  }
}
