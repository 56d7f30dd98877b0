package io.alrai.cn.protocol;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Capability;
import io.alrai.common.wire.Lenenc;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The client's answer to the greeting (HandshakeResponse41 of the protocol documentation).
 *
 * @param capabilities the client's flags
 * @param collationId of the connection
 * @param user to log in
 * @param proof of the password
 * @param schema empty for none
 * @param plugin the proof's plugin; empty where not said
 * @param attributes connection attributes
 * @param zstdLevel that the client wants; 0 where not said
 */
record HandshakeResponse(
    int capabilities,
    int collationId,
    String user,
    byte[] proof,
    String schema,
    String plugin,
    Map<String, String> attributes,
    int zstdLevel) {
  /**
   * Reads the payload.
   *
   * @throws AlraiException 1043 when it is not of the form
   */
  static HandshakeResponse parse(ByteBuf in) {
    try {
      return parseUnchecked(in);
    } catch (IndexOutOfBoundsException e) {
      throw new AlraiException(ErrorCode.ER_HANDSHAKE_ERROR, "Bad handshake", e);
    }
  }

  private static HandshakeResponse parseUnchecked(ByteBuf in) {
    int flags = in.readIntLE();
    if ((flags & Capability.PROTOCOL_41) == 0) {
      throw new AlraiException(ErrorCode.ER_HANDSHAKE_ERROR, "Bad handshake");
    }
    in.skipBytes(4);
    int collation = in.readUnsignedByte();
    in.skipBytes(23);
    String user = nulTerminated(in);
    byte[] proof;
    if ((flags & Capability.PLUGIN_AUTH_LENENC) != 0) {
      proof = Lenenc.readBytes(in);
    } else if ((flags & Capability.SECURE_CONNECTION) != 0) {
      proof = new byte[in.readUnsignedByte()];
      in.readBytes(proof);
    } else {
      proof = nulTerminated(in).getBytes(StandardCharsets.ISO_8859_1);
    }
    String schema =
        (flags & Capability.CONNECT_WITH_DB) != 0 && in.isReadable() ? nulTerminated(in) : "";
    String plugin =
        (flags & Capability.PLUGIN_AUTH) != 0 && in.isReadable() ? nulTerminated(in) : "";
    Map<String, String> attributes = new LinkedHashMap<>();
    if ((flags & Capability.CONNECT_ATTRS) != 0 && in.isReadable()) {
      ByteBuf pairs = Lenenc.readSlice(in);
      while (pairs.isReadable()) {
        String name = new String(Lenenc.readBytes(pairs), StandardCharsets.UTF_8);
        attributes.put(name, new String(Lenenc.readBytes(pairs), StandardCharsets.UTF_8));
      }
    }
    int zstdLevel = (flags & Capability.ZSTD) != 0 && in.isReadable() ? in.readUnsignedByte() : 0;
    return new HandshakeResponse(
        flags, collation, user, proof, schema, plugin, attributes, zstdLevel);
  }

  static String nulTerminated(ByteBuf in) {
    int length = in.bytesBefore((byte) 0);
    if (length < 0) {
      String rest = in.toString(StandardCharsets.UTF_8);
      in.skipBytes(in.readableBytes());
      return rest;
    }
    String text = in.readCharSequence(length, StandardCharsets.UTF_8).toString();
    in.skipBytes(1);
    return text;
  }
}
