package io.alrai.cn.execute;

import io.alrai.cn.session.PreparedStatement;
import io.alrai.common.error.AlraiException;
import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.Packets;
import io.alrai.dn.link.ReplyKey;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;

/**
 * A STMT_EXECUTE command as the client sent it.
 *
 * <pre>
 *  0      1          5       6             10
 * +------+----------+-------+-------------+-------------+-----+-----------+--------
 * | 0x17 | id       | flags | iterations  | NULL bitmap | 0/1 | types     | values
 * +------+----------+-------+-------------+-------------+-----+-----------+--------
 * </pre>
 *
 * The bitmap and what follows are there for statements with parameters; the types only behind a 1.
 */
public final class ExecutePacket {
  private static final int BITMAP = 10;

  private final ByteBuf payload;
  private final PreparedStatement statement;
  private final int bitmapLength;
  private final byte[] types;
  private final int valuesAt;

  /**
   * Reads a command.
   *
   * @param payload with the command byte at its reader index
   * @throws AlraiException 1835 when it is not of the form
   */
  public ExecutePacket(ByteBuf payload, PreparedStatement statement) {
    this.payload = payload;
    this.statement = statement;
    int count = statement.parameters();
    this.bitmapLength = (count + 7) / 8;
    if (count == 0) {
      types = new byte[0];
      valuesAt = payload.readableBytes();
      return;
    }
    int start = payload.readerIndex();
    int flagAt = BITMAP + bitmapLength;
    if (payload.readableBytes() <= flagAt) {
      throw AlraiException.malformed();
    }
    boolean typesSent = payload.getByte(start + flagAt) == 1;
    valuesAt = flagAt + 1 + (typesSent ? 2 * count : 0);
    if (payload.readableBytes() < valuesAt) {
      throw AlraiException.malformed();
    }
    if (typesSent) {
      types = new byte[2 * count];
      payload.getBytes(start + flagAt + 1, types);
      statement.types(types);
    } else if (statement.types().length > 0) {
      types = statement.types();
    } else {
      types = typesOfNulls(count);
    }
  }

  /** A client that has bound nothing but NULL may have sent no types yet. */
  private byte[] typesOfNulls(int count) {
    byte[] nulls = new byte[2 * count];
    for (int parameter = 0; parameter < count; parameter++) {
      if (!isNull(parameter)) {
        throw AlraiException.malformed();
      }
      nulls[2 * parameter] = (byte) MysqlType.NULL.code();
    }
    return nulls;
  }

  /** Protocol type code of a parameter, with 0x8000 for unsigned. */
  public int type(int parameter) {
    return (types[2 * parameter] & 0xff) | (types[2 * parameter + 1] & 0xff) << 8;
  }

  /** Whether a parameter is NULL. */
  public boolean isNull(int parameter) {
    int bits = payload.getByte(payload.readerIndex() + BITMAP + parameter / 8);
    return (bits >> (parameter % 8) & 1) != 0;
  }

  /** Index in the payload's buffer where the values start. */
  public int valuesIndex() {
    return payload.readerIndex() + valuesAt;
  }

  /** The payload's buffer. */
  public ByteBuf payload() {
    return payload;
  }

  /** Two bytes for each parameter: those of this command, else those of one before. */
  public byte[] types() {
    return types;
  }

  /** The statement. */
  public PreparedStatement statement() {
    return statement;
  }

  /** Adds all that a mysqld gets of it. */
  public void describe(ReplyKey read) {
    int start = payload.readerIndex();
    byte[] sql = statement.sql();
    read.add(sql.length);
    read.add(sql);
    read.add(types);
    if (statement.parameters() > 0) {
      read.add(payload, start + BITMAP, bitmapLength);
      read.add(payload, start + valuesAt, payload.readableBytes() - valuesAt);
    }
  }

  /**
   * The command for a mysqld that knows the statement under another number.
   *
   * @param boundTypes what that mysqld remembers of types; they are sent when they differ
   */
  public ByteBuf forServer(ByteBufAllocator alloc, int serverId, byte[] boundTypes) {
    int start = payload.readerIndex();
    int count = statement.parameters();
    int rest = payload.readableBytes() - valuesAt;
    ByteBuf body = alloc.buffer(payload.readableBytes() + 2 * count + 1);
    body.writeByte(Command.STMT_EXECUTE).writeIntLE(serverId).writeByte(0).writeIntLE(1);
    if (count > 0) {
      body.writeBytes(payload, start + BITMAP, bitmapLength);
      boolean send = !Arrays.equals(boundTypes, types);
      body.writeByte(send ? 1 : 0);
      if (send) {
        body.writeBytes(types);
      }
      body.writeBytes(payload, start + valuesAt, rest);
    }
    ByteBuf out = alloc.buffer(body.readableBytes() + 8);
    Packets.write(out, 0, body);
    body.release();
    return out;
  }
}
