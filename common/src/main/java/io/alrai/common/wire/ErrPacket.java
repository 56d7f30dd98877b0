package io.alrai.common.wire;

import io.alrai.common.error.AlraiException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/** What an ERR packet says. */
public record ErrPacket(int errno, String sqlState, String message) {
  /**
   * Reads the payload, its header byte 0xFF included; errors before the handshake have no state.
   */
  public static ErrPacket parse(ByteBuf buf, int offset, int length) {
    int errno = buf.getUnsignedShortLE(offset + 1);
    int at = offset + 3;
    String state = "HY000";
    if (length > 8 && buf.getByte(at) == '#') {
      state = buf.toString(at + 1, 5, StandardCharsets.US_ASCII);
      at += 6;
    }
    String message = buf.toString(at, offset + length - at, StandardCharsets.UTF_8);
    return new ErrPacket(errno, state, message);
  }

  /** This error as an exception. */
  public AlraiException toException() {
    return AlraiException.fromServer(errno, sqlState, message);
  }
}
