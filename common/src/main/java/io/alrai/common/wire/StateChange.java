package io.alrai.common.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * A system variable's new value, as an OK packet tells it to a client with CLIENT_SESSION_TRACK
 * (MySQL's protocol, "Session State Information"):
 *
 * <pre>
 *  lenenc length of all | 0 SESSION_TRACK_SYSTEM_VARIABLES | lenenc length of the rest
 *  | lenenc name | lenenc value
 * </pre>
 *
 * @param variable its name; empty for no change
 * @param value of up to 200 bytes, as the name
 */
public record StateChange(String variable, String value) {
  /** Nothing changed that the client wants to know. */
  public static final StateChange NONE = new StateChange("", "");

  private static final int SYSTEM_VARIABLES = 0;
  private static final int MOST_BYTES = 200;

  /** Whether there is none. */
  public boolean isNone() {
    return variable.isEmpty();
  }

  void write(ByteBuf out) {
    byte[] name = variable.getBytes(StandardCharsets.UTF_8);
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    int pair = name.length + text.length + 2;
    if (pair > MOST_BYTES) {
      throw new IllegalArgumentException("too long to be told: " + this);
    }
    Lenenc.write(out, pair + 2);
    out.writeByte(SYSTEM_VARIABLES);
    Lenenc.write(out, pair);
    Lenenc.writeBytes(out, name);
    Lenenc.writeBytes(out, text);
  }
}
