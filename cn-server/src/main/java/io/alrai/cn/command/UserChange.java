package io.alrai.cn.command;

import io.alrai.common.error.AlraiException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * What a CHANGE_USER asks for. Its proof is made with the nonce of the earlier login and is
 * ignored.
 *
 * @param user to log in
 * @param schema empty for none
 * @param collationId of the connection; 0 where not said
 */
record UserChange(String user, String schema, int collationId) {
  /**
   * Reads the payload.
   *
   * @throws AlraiException 1835 when it is not of the form
   */
  static UserChange parse(ByteBuf payload) {
    try {
      ByteBuf in = payload.skipBytes(1);
      String user = text(in);
      in.skipBytes(in.readUnsignedByte());
      String schema = text(in);
      int collation = in.readableBytes() >= 2 ? in.readUnsignedShortLE() : 0;
      return new UserChange(user, schema, collation);
    } catch (IndexOutOfBoundsException e) {
      throw AlraiException.malformed(e);
    }
  }

  private static String text(ByteBuf in) {
    int length = in.bytesBefore((byte) 0);
    if (length < 0) {
      throw new IndexOutOfBoundsException("no end of text");
    }
    String text = in.readCharSequence(length, StandardCharsets.UTF_8).toString();
    in.skipBytes(1);
    return text;
  }
}
