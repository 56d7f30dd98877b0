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
  private static final int STATUS_AND_WARNINGS = 4;

  /** Reads the payload after the header byte 0x00 or 0xFE; no session tracking. */
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

  /** The flags of {@link ServerStatus} in the same payload. */
  public static int status(ByteBuf buf, int offset) {
    int at = offset + 1;
    at += Lenenc.width(buf, at);
    at += Lenenc.width(buf, at);
    return buf.getUnsignedShortLE(at);
  }

  /**
   * Whether the payload of an OK packet says that rows were changed. With CLIENT_FOUND_ROWS an
   * UPDATE counts those that it matched, and says after {@code Rows matched: 1 Changed: 0} how many
   * it changed.
   */
  public static boolean tellsOfChanges(ByteBuf buf, int offset, int length) {
    if (buf.getByte(offset + 1) == 0) {
      return false;
    }
    int end = offset + length;
    int at = offset + 1;
    at += Lenenc.width(buf, at);
    at += Lenenc.width(buf, at) + STATUS_AND_WARNINGS;
    if (at >= end) {
      return true;
    }
    at += Lenenc.width(buf, at);
    if (at + 1 >= end || buf.getByte(at) != 'R' || buf.getByte(at + 1) != 'o') {
      return true;
    }
    int matched = buf.indexOf(at, end, (byte) ':');
    int changed = matched < 0 ? -1 : buf.indexOf(matched + 1, end, (byte) ':');
    return changed < 0 || changed + 2 >= end || buf.getByte(changed + 2) != '0';
  }
}
