package io.alrai.dn.binlog;

import io.netty.buffer.ByteBuf;

/**
 * One event, in place:
 *
 * <pre>
 *  0           4      5           9        13        17      19
 * +-----------+------+-----------+--------+---------+-------+------ - - --+----------+
 * | timestamp | type | server id | length | end pos | flags | body        | CRC-32   |
 * +-----------+------+-----------+--------+---------+-------+------ - - --+----------+
 * </pre>
 *
 * Numbers are little-endian. The buffer belongs to the caller and is valid only during the call.
 *
 * @param bytes holds it
 * @param start index of its first byte
 * @param length of all of it, checksum included
 * @param ackWanted whether the sender waits for it to be acknowledged
 */
record Event(ByteBuf bytes, int start, int length, boolean ackWanted) {
  static final int HEADER = 19;
  static final int LENGTH = 9;
  static final int CHECKSUM = 4;

  /** Made up by the sender: it lies nowhere in the log. */
  private static final int ARTIFICIAL = 0x20;

  int type() {
    return bytes.getUnsignedByte(start + 4);
  }

  /** The low 32 bits of where it ends in its file; 0 when it is made up. */
  long endPosition() {
    return bytes.getUnsignedIntLE(start + 13);
  }

  /** Whether it lies in the log. */
  boolean inLog() {
    return endPosition() != 0 && (bytes.getUnsignedShortLE(start + 17) & ARTIFICIAL) == 0;
  }

  /** Index of the body. */
  int body() {
    return start + HEADER;
  }

  /** Index of the first byte after the body. */
  int bodyEnd() {
    return start + length - CHECKSUM;
  }
}
