package io.alrai.cn.prepared;

import io.alrai.cn.session.PreparedStatement;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.Packets;
import io.alrai.dn.link.ReplyKey;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.Arrays;

/**
 * A STMT_EXECUTE command as the client sent it.
 *
 * <pre>
 *  0      1    5       6            10
 * +------+----+-------+------------+---------+-------------+-----+-----------------+--------
 * | 0x17 | id | flags | iterations | (count) | NULL bitmap | 0/1 | types (, names) | values
 * +------+----+-------+------------+---------+-------------+-----+-----------------+--------
 * </pre>
 *
 * The bitmap and what follows are there for statements with parameters; the types only after a 1.
 * Under CLIENT_QUERY_ATTRIBUTES there are names and the count, the latter without parameters where
 * the flags say so: those after the statement's parameters are attributes, which nobody can ask
 * for.
 */
public final class ExecutePacket {
  private static final int FLAGS = 5;
  private static final int FIXED = 10;
  private static final int READ_ONLY_CURSOR = 1;
  private static final int COUNT_AVAILABLE = 8;

  private final ByteBuf payload;
  private final PreparedStatement statement;
  private final int bitmapAt;
  private final byte[] types;
  private final int valuesAt;
  private final int valuesEnd;

  /**
   * Reads a command.
   *
   * @param payload with the command byte at its reader index
   * @param named whether the client has CLIENT_QUERY_ATTRIBUTES
   * @throws AlraiException 1835 when it is malformed, 1210 when it has too few values
   */
  public ExecutePacket(ByteBuf payload, PreparedStatement statement, boolean named) {
    this.payload = payload;
    this.statement = statement;
    int count = statement.parameters();
    int start = payload.readerIndex();
    int sent = count;
    int at = start + FIXED;
    if (named && (count > 0 || hasFlag(COUNT_AVAILABLE))) {
      requireBytes(at, 1);
      sent = Math.clamp(Lenenc.value(payload, at), -1, Integer.MAX_VALUE - 7);
      at += Lenenc.width(payload, at);
    }
    bitmapAt = at;
    if (sent < count) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_ARGUMENTS, "Incorrect arguments to COM_STMT_EXECUTE");
    }
    if (sent == 0) {
      types = new byte[0];
      valuesAt = payload.writerIndex();
      valuesEnd = valuesAt;
      return;
    }
    int flagAt = bitmapAt + (sent + 7) / 8;
    requireBytes(flagAt, 1);
    if (payload.getByte(flagAt) != 1) {
      types = remembered(count);
      valuesAt = flagAt + 1;
      valuesEnd = endOfParameters(sent);
      return;
    }
    requireBytes(flagAt + 1, 2L * sent);
    types = new byte[2 * count];
    if (!named) {
      payload.getBytes(flagAt + 1, types);
      valuesAt = flagAt + 1 + 2 * count;
    } else {
      valuesAt = readNamed(flagAt + 1, sent);
    }
    statement.types(types);
    valuesEnd = endOfParameters(sent);
  }

  private byte[] remembered(int count) {
    return statement.types().length > 0 ? statement.types() : typesOfNulls(count);
  }

  private void requireBytes(int at, long least) {
    if (payload.writerIndex() - at < least) {
      throw AlraiException.malformed();
    }
  }

  /** Reads types with names between them; returns where the values begin. */
  private int readNamed(int from, int sent) {
    try {
      ByteBuf in = payload.duplicate().readerIndex(from);
      for (int i = 0; i < sent; i++) {
        int type = in.readUnsignedShortLE();
        Lenenc.readSlice(in);
        if (2 * i < types.length) {
          types[2 * i] = (byte) type;
          types[2 * i + 1] = (byte) (type >> 8);
        }
      }
      return in.readerIndex();
    } catch (IndexOutOfBoundsException e) {
      throw AlraiException.malformed(e);
    }
  }

  /** Where the attributes' values begin. */
  private int endOfParameters(int sent) {
    if (sent == statement.parameters()) {
      return payload.writerIndex();
    }
    try {
      ByteBuf in = payload.duplicate().readerIndex(valuesAt);
      for (int i = 0; i < statement.parameters(); i++) {
        if (!isNull(i) && statement.longData().get(i) == null) {
          BoundParameters.skip(in, type(i));
        }
      }
      return in.readerIndex();
    } catch (IndexOutOfBoundsException e) {
      throw AlraiException.malformed(e);
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
    int bits = payload.getByte(bitmapAt + parameter / 8);
    return (bits >> (parameter % 8) & 1) != 0;
  }

  /** Index in the payload's buffer where the values start. */
  public int valuesIndex() {
    return valuesAt;
  }

  /** Whether the client wants a cursor, if the statement can have one. */
  public boolean wantsCursor() {
    return hasFlag(READ_ONLY_CURSOR);
  }

  private boolean hasFlag(int flag) {
    int at = payload.readerIndex() + FLAGS;
    return at < payload.writerIndex() && (payload.getByte(at) & flag) != 0;
  }

  /** The payload's buffer. */
  public ByteBuf payload() {
    return payload;
  }

  /** Two bytes for each parameter, from this command or from an earlier one. */
  public byte[] types() {
    return types;
  }

  private int bitmapLength() {
    return (statement.parameters() + 7) / 8;
  }

  /** The statement. */
  public PreparedStatement statement() {
    return statement;
  }

  /** Adds what a mysqld gets of it. */
  public void describe(ReplyKey read) {
    byte[] sql = statement.sql();
    read.add(sql.length);
    read.add(sql);
    read.add(types);
    if (statement.parameters() > 0) {
      read.add(payload, bitmapAt, bitmapLength());
      read.add(payload, valuesAt, valuesEnd - valuesAt);
    }
  }

  /**
   * The command for a mysqld that knows the statement under another number.
   *
   * @param boundTypes the types that this mysqld remembers; types are sent when they differ
   */
  public ByteBuf forServer(ByteBufAllocator alloc, int serverId, byte[] boundTypes) {
    int count = statement.parameters();
    ByteBuf body = alloc.buffer(payload.readableBytes() + 2 * count + 1);
    body.writeByte(Command.STMT_EXECUTE).writeIntLE(serverId).writeByte(0).writeIntLE(1);
    if (count > 0) {
      body.writeBytes(payload, bitmapAt, bitmapLength());
      boolean send = !Arrays.equals(boundTypes, types);
      body.writeByte(send ? 1 : 0);
      if (send) {
        body.writeBytes(types);
      }
      body.writeBytes(payload, valuesAt, valuesEnd - valuesAt);
    }
    ByteBuf out = alloc.buffer(body.readableBytes() + 8);
    Packets.write(out, 0, body);
    body.release();
    return out;
  }
}
