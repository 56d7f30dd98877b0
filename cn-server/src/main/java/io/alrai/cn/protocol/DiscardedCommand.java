package io.alrai.cn.protocol;

import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;

/**
 * What is still to come of a command for which there is no room: read and forgotten. One thread.
 */
final class DiscardedCommand {
  private int sequence;
  private int left;
  private boolean goesOn;
  private int headerBytes;
  private int header;

  /**
   * The rest of a command, after the bytes that are there.
   *
   * @param lastHeader where in it its last packet begins
   */
  DiscardedCommand(ByteBuf there, int lastHeader) {
    int from = Math.min(lastHeader, there.writerIndex());
    goesOn = true;
    there.readerIndex(from);
    discard(there);
  }

  /**
   * Reads on.
   *
   * @return whether the command has ended; what follows it is not touched
   */
  boolean discard(ByteBuf buf) {
    while (left > 0 || goesOn) {
      if (left > 0) {
        int taken = Math.min(left, buf.readableBytes());
        buf.skipBytes(taken);
        left -= taken;
        if (left > 0) {
          return false;
        }
      } else if (!header(buf)) {
        return false;
      }
    }
    return true;
  }

  private boolean header(ByteBuf buf) {
    while (headerBytes < Packets.HEADER) {
      if (!buf.isReadable()) {
        return false;
      }
      header |= buf.readUnsignedByte() << (8 * headerBytes++);
    }
    left = header & Packets.MAX_PAYLOAD;
    goesOn = left == Packets.MAX_PAYLOAD;
    sequence = header >>> 24;
    header = 0;
    headerBytes = 0;
    return true;
  }

  /** The sequence number of the packet that answers it. */
  int answer() {
    return (sequence + 1) & 0xff;
  }
}
