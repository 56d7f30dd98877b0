package io.alrai.cn.command;

import io.alrai.common.error.AlraiException;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * What a CHANGE_USER asks for.
 *
 * @param user to log in
 * @param proof over the nonce of the login before; a new one is asked for
 * @param schema empty for none
 * @param collationId of the connection; 0 where not said
 * @param plugin the client's; empty where not said
 */
record UserChange(String user, byte[] proof, String schema, int collationId, String plugin) {
  /**
   * Reads the payload.
   *
   * @throws AlraiException 1835 when it is not of the form
   */
  static UserChange parse(ByteBuf payload) {
    try {
      ByteBuf in = payload.skipBytes(1);
      String user = text(in);
      byte[] proof = new byte[in.readUnsignedByte()];
      in.readBytes(proof);
      String schema = text(in);
      int collation = in.readableBytes() >= 2 ? in.readUnsignedShortLE() : 0;
      String plugin = in.isReadable() ? text(in) : "";
      return new UserChange(user, proof, schema, collation, plugin);
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
