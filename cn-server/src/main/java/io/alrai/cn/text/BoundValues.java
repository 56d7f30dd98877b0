package io.alrai.cn.text;

import io.alrai.cn.rows.BinaryTimes;
import io.alrai.common.type.MysqlType;
import io.alrai.common.wire.Command;
import io.alrai.common.wire.Lenenc;
import io.alrai.common.wire.Packets;
import io.alrai.dn.link.BranchState.PreparedOnServer;
import io.alrai.executor.fragment.SlotValues;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Values of slots as the parameters of a prepared statement of the CN's own.
 *
 * @param values of the client's statement
 * @param slots the slot of each parameter
 */
record BoundValues(SlotValues values, List<Integer> slots) {
  private static final int UNSIGNED = 0x80;

  /**
   * STMT_EXECUTE with the types, so that it does not depend on an earlier one.
   *
   * @param types {@link #types}
   */
  ByteBuf command(ByteBufAllocator alloc, PreparedOnServer prepared, byte[] types) {
    int count = slots.size();
    ByteBuf body = alloc.buffer(32 + 16 * count);
    body.writeByte(Command.STMT_EXECUTE).writeIntLE(prepared.id()).writeByte(0).writeIntLE(1);
    if (count > 0) {
      int bitmap = body.writerIndex();
      body.writeZero((count + 7) / 8);
      body.writeByte(1).writeBytes(types);
      prepared.boundTypes(types);
      for (int i = 0; i < count; i++) {
        write(slots.get(i), body, bitmap + i / 8, 1 << (i % 8));
      }
    }
    ByteBuf out = alloc.buffer(body.readableBytes() + 8);
    Packets.write(out, 0, body);
    body.release();
    return out;
  }

  /** Two bytes each: the type, and whether it is unsigned. */
  byte[] types() {
    byte[] types = new byte[2 * slots.size()];
    for (int i = 0; i < slots.size(); i++) {
      int slot = slots.get(i);
      MysqlType type =
          switch (values.kind(slot)) {
            case INTEGER -> MysqlType.BIGINT;
            case DECIMAL -> MysqlType.DECIMAL;
            case FLOAT -> MysqlType.DOUBLE;
            case STRING -> MysqlType.VARCHAR;
            case TEMPORAL -> BinaryTimes.typeOf(text(slot));
            case BINARY -> MysqlType.BLOB;
            case NULL -> MysqlType.NULL;
          };
      types[2 * i] = (byte) type.code();
      boolean unsigned = type == MysqlType.BIGINT && !values.fitsLong(slot);
      types[2 * i + 1] = (byte) (unsigned ? UNSIGNED : 0);
    }
    return types;
  }

  private void write(int slot, ByteBuf body, int nullByte, int nullBit) {
    switch (values.kind(slot)) {
      case INTEGER ->
          body.writeLongLE(
              values.fitsLong(slot)
                  ? values.longValue(slot)
                  : Long.parseUnsignedLong(ascii(values.bytes(slot))));
      case FLOAT ->
          body.writeLongLE(Double.doubleToLongBits(Double.parseDouble(ascii(values.bytes(slot)))));
      case DECIMAL, STRING, BINARY -> Lenenc.writeBytes(body, values.bytes(slot));
      case TEMPORAL -> BinaryTimes.write(text(slot), body);
      case NULL -> body.setByte(nullByte, body.getByte(nullByte) | nullBit);
    }
  }

  private String text(int slot) {
    return ascii(values.bytes(slot));
  }

  private static String ascii(byte[] text) {
    return new String(text, StandardCharsets.US_ASCII);
  }
}
