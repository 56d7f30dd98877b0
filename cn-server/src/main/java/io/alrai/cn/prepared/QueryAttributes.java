package io.alrai.cn.prepared;

import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Lenenc;
import io.netty.buffer.ByteBuf;

/**
 * What stands before the text of a COM_QUERY under CLIENT_QUERY_ATTRIBUTES (MySQL protocol
 * documentation, COM_QUERY): how many attributes, one set of them, and for some
 *
 * <pre>
 * +-------------+---+-----------------------+--------
 * | NULL bitmap | 1 | type and name of each | values
 * +-------------+---+-----------------------+--------
 * </pre>
 *
 * Nobody can ask for them: that takes a component which a mysqld has not installed either.
 */
public final class QueryAttributes {
  private QueryAttributes() {}

  /**
   * Their bytes.
   *
   * @param payload with the command byte at its reader index
   * @throws AlraiException 1835 when it is not of the form
   */
  public static int length(ByteBuf payload) {
    int start = payload.readerIndex() + 1;
    try {
      ByteBuf in = payload.duplicate().readerIndex(start);
      long count = Lenenc.read(in);
      if (Lenenc.read(in) != 1) {
        throw AlraiException.malformed();
      }
      if (count != 0) {
        skip(in, count);
      }
      return in.readerIndex() - start;
    } catch (IndexOutOfBoundsException e) {
      throw AlraiException.malformed(e);
    }
  }

  private static void skip(ByteBuf in, long count) {
    if (count < 0 || count > in.readableBytes()) {
      throw AlraiException.malformed();
    }
    ByteBuf nulls = in.readSlice(((int) count + 7) / 8);
    if (in.readByte() != 1) {
      throw AlraiException.malformed();
    }
    int[] types = new int[(int) count];
    for (int i = 0; i < count; i++) {
      types[i] = in.readUnsignedShortLE();
      Lenenc.readSlice(in);
    }
    for (int i = 0; i < count; i++) {
      if ((nulls.getByte(i / 8) >> (i % 8) & 1) == 0) {
        BoundParameters.skip(in, types[i]);
      }
    }
  }
}
