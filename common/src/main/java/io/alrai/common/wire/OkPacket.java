package io.alrai.common.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * What an OK packet says.
 *
 * @param affectedRows rows changed
 * @param lastInsertId first generated id, or 0
 * @param status flags of {@link ServerStatus}
 * @param warnings number of warnings, at most 65535
 * @param info for example {@code Records: 3 Duplicates: 0 Warnings: 0}; may be empty
 */
public record OkPacket(
    long affectedRows, long lastInsertId, int status, int warnings, String info) {
  /** Reads the payload behind the header byte 0x00 or 0xFE; no session tracking. */
  public static OkPacket parse(ByteBuf buf, int offset, int length) {
    int at = offset + 1;
    long affected = Lenenc.value(buf, at);
    at += Lenenc.width(buf, at);
    long lastId = Lenenc.value(buf, at);
    at += Lenenc.width(buf, at);
    int status = buf.getUnsignedShortLE(at);
    int warnings = buf.getUnsignedShortLE(at + 2);
    at += 4;
    String info = "";
    if (at < offset + length) {
      int width = Lenenc.width(buf, at);
      info = buf.toString(at + width, (int) Lenenc.value(buf, at), StandardCharsets.UTF_8);
    }
    return new OkPacket(affected, lastId, status, warnings, info);
  }
}
