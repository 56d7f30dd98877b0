package io.alrai.cn.command;

import io.alrai.common.wire.PacketKind;
import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;

/**
 * The packets of a kept reply, each after a byte that says what it is. Agents keep them, and give
 * them to other CNs: what a code means, and the order of packets, changes with the version of the
 * envelope only.
 *
 * <pre>
 * 1 COLUMN_COUNT | any number of 2 COLUMN | 3 LAST_COLUMN | any number of 4 ROW | 5 RESULT_END
 * </pre>
 */
final class KeptPackets {
  /** The code of packets that no kept reply has. */
  static final byte NEVER = 0;

  private static final byte COLUMN_COUNT = 1;
  private static final byte COLUMN = 2;
  private static final byte LAST_COLUMN = 3;
  private static final byte ROW = 4;
  private static final byte RESULT_END = 5;

  private KeptPackets() {}

  static byte code(PacketKind kind) {
    return switch (kind) {
      case COLUMN_COUNT -> COLUMN_COUNT;
      case COLUMN -> COLUMN;
      case LAST_COLUMN -> LAST_COLUMN;
      case ROW -> ROW;
      case RESULT_END -> RESULT_END;
      case OK, FILE_WANTED, ERR, PREPARE_OK, PARAMETER, TEXT -> NEVER;
    };
  }

  /** What a packet {@link #areWhole of a whole reply} is. */
  static PacketKind kind(byte code) {
    return switch (code) {
      case COLUMN_COUNT -> PacketKind.COLUMN_COUNT;
      case COLUMN -> PacketKind.COLUMN;
      case LAST_COLUMN -> PacketKind.LAST_COLUMN;
      case ROW -> PacketKind.ROW;
      case RESULT_END -> PacketKind.RESULT_END;
      default -> throw new IllegalArgumentException("no kept reply has packets of code " + code);
    };
  }

  /** The bytes of a packet with its header, which is there. */
  static int size(ByteBuf in, int header) {
    return Packets.HEADER + in.getUnsignedMediumLE(header);
  }

  /** Whether bytes are one reply: known codes, in their order, and packets that fill them. */
  static boolean areWhole(ByteBuf in, int from, int length) {
    int end = from + length;
    int at = from;
    byte last = NEVER;
    while (end - at > 1 + Packets.HEADER) {
      byte code = in.getByte(at);
      int size = size(in, at + 1);
      if (!follows(code, last) || size == Packets.HEADER || size > end - at - 1) {
        return false;
      }
      last = code;
      at += 1 + size;
    }
    return at == end && last == RESULT_END;
  }

  private static boolean follows(byte code, byte last) {
    return switch (code) {
      case COLUMN_COUNT -> last == NEVER;
      case COLUMN, LAST_COLUMN -> last == COLUMN_COUNT || last == COLUMN;
      case ROW, RESULT_END -> last == LAST_COLUMN || last == ROW;
      default -> false;
    };
  }
}
