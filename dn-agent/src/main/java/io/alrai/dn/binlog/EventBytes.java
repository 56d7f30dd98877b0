package io.alrai.dn.binlog;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;

/**
 * The events of one transaction, one after the other, as in the binary log: the GTID's first, each
 * with its header and checksum. Immutable by convention: nobody writes to it.
 */
public final class EventBytes {
  private final byte[] bytes;

  /** Takes over the array. */
  public EventBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /** How many. */
  public int length() {
    return bytes.length;
  }

  /** The number of the transaction in the file where its GTID's event was logged. */
  public long sequence() {
    ByteBuf view = view();
    int length = Math.toIntExact(view.getUnsignedIntLE(Event.LENGTH));
    return GtidEvent.of(new Event(view, 0, length, false)).sequence();
  }

  /** A view to read from, with indices of its own; needs no release. */
  public ByteBuf view() {
    return Unpooled.wrappedBuffer(bytes).asReadOnly();
  }

  /** All of them as a read-only buffer. */
  public ByteBuffer buffer() {
    return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
  }
}
