package io.alrai.dn.backend;

import io.alrai.common.wire.Command;
import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;

/**
 * Whether a text could have a second statement, whatever is quoted in it and however it is read: a
 * semicolon is this one byte in every character set that a client may use, and no part of another
 * character there.
 */
public final class Semicolons {
  /** A longer text is not looked through: to refuse a second statement costs less. */
  private static final int MOST_LOOKED_AT = 16 << 10;

  private Semicolons() {}

  /** Whether the text of this command could contain a second statement. */
  public static boolean mayFollow(ByteBuf command) {
    int at = command.readerIndex() + Packets.HEADER;
    int end = command.writerIndex();
    if (at >= end || command.getByte(at) != Command.QUERY) {
      return false;
    }
    return end - at > MOST_LOOKED_AT || command.indexOf(at, end, (byte) ';') >= 0;
  }
}
