package io.alrai.cn.prepared;

import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Lenenc;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

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
 * No statement can ask for them: that takes a component which a mysqld has not installed either.
 */
public final class QueryAttributes {
  private static final int VAR_STRING = 0xfd;
  private static final int STRING = 0xfe;

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

  /**
   * A text among them.
   *
   * @param payload of the form, see {@link #length}
   * @return its value; null where there is none of this name
   */
  public static @Nullable String text(ByteBuf payload, String name) {
    ByteBuf in = payload.duplicate().readerIndex(payload.readerIndex() + 1);
    int count = (int) Lenenc.read(in);
    Lenenc.read(in);
    if (count == 0) {
      return null;
    }
    ByteBuf nulls = in.readSlice((count + 7) / 8);
    int firstNull = nulls.readerIndex();
    in.skipBytes(1);
    int[] types = new int[count];
    int found = -1;
    for (int i = 0; i < count; i++) {
      types[i] = in.readUnsignedShortLE();
      String each = Lenenc.readSlice(in).toString(StandardCharsets.US_ASCII);
      found = each.equals(name) ? i : found;
    }
    for (int i = 0; i < count; i++) {
      boolean none = (nulls.getByte(firstNull + i / 8) >> (i % 8) & 1) != 0;
      if (i == found) {
        int type = types[i] & 0xff;
        return none || (type != VAR_STRING && type != STRING)
            ? null
            : Lenenc.readSlice(in).toString(StandardCharsets.US_ASCII);
      }
      if (!none) {
        BoundParameters.skip(in, types[i]);
      }
    }
    return null;
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
