package io.alrai.common.wire;

import io.alrai.common.type.MysqlType;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * A column of a result (protocol 4.1).
 *
 * @param schema logical or physical schema; empty for expressions
 * @param table alias of the table; empty for expressions
 * @param originalTable name of the table
 * @param name label
 * @param originalName name of the column
 * @param charsetId collation id; 63 is binary
 * @param length display width in bytes, unsigned 32 bits
 * @param type protocol type
 * @param flags NOT_NULL 1, PRI_KEY 2, UNIQUE 4, MULTIPLE 8, BLOB 16, UNSIGNED 32, BINARY 128, ...
 * @param decimals digits after the decimal point; 31 for floating point
 */
public record ColumnDefinition(
    String schema,
    String table,
    String originalTable,
    String name,
    String originalName,
    int charsetId,
    long length,
    MysqlType type,
    int flags,
    int decimals) {
  /** NOT NULL. */
  public static final int NOT_NULL = 1;

  /** UNSIGNED. */
  public static final int UNSIGNED = 32;

  /** ZEROFILL: texts are as long as the column's width. */
  public static final int ZEROFILL = 64;

  /** BINARY: also set for all numbers and temporal types. */
  public static final int BINARY = 128;

  /** ENUM. */
  public static final int ENUM = 256;

  /** SET. */
  public static final int SET = 2048;

  /** Collation id of binary strings, numbers and temporal values. */
  public static final int BINARY_CHARSET = 63;

  /** A column of no table: an expression's result. */
  public static ColumnDefinition expression(
      String name, MysqlType type, int charsetId, long length, int flags, int decimals) {
    return new ColumnDefinition("", "", "", name, "", charsetId, length, type, flags, decimals);
  }

  /** Reads the payload of a column definition packet. */
  public static ColumnDefinition parse(ByteBuf buf, int offset) {
    int at = Lenenc.skipString(buf, offset);
    String[] names = new String[5];
    for (int i = 0; i < names.length; i++) {
      int width = Lenenc.width(buf, at);
      int length = (int) Lenenc.value(buf, at);
      names[i] = buf.toString(at + width, length, StandardCharsets.UTF_8);
      at += width + length;
    }
    at += 1;
    return new ColumnDefinition(
        names[0],
        names[1],
        names[2],
        names[3],
        names[4],
        buf.getUnsignedShortLE(at),
        buf.getUnsignedIntLE(at + 2),
        MysqlType.ofCode(buf.getUnsignedByte(at + 6)),
        buf.getUnsignedShortLE(at + 7),
        buf.getUnsignedByte(at + 9));
  }

  /** Writes the payload. */
  public void write(ByteBuf out) {
    Lenenc.writeBytes(out, new byte[] {'d', 'e', 'f'});
    for (String text : new String[] {schema, table, originalTable, name, originalName}) {
      Lenenc.writeBytes(out, text.getBytes(StandardCharsets.UTF_8));
    }
    out.writeByte(0x0c).writeShortLE(charsetId).writeIntLE((int) length).writeByte(type.code());
    out.writeShortLE(flags).writeByte(decimals).writeShortLE(0);
  }

  /** Whether numbers are unsigned. */
  public boolean isUnsigned() {
    return (flags & UNSIGNED) != 0;
  }

  /** A copy of the column under another schema's name. */
  public ColumnDefinition withSchema(String newSchema) {
    return named(newSchema, originalTable, name, originalName);
  }

  /** A copy whose table has another name. */
  public ColumnDefinition withOriginalTable(String newTable) {
    return named(schema, newTable, name, originalName);
  }

  /** A copy of the column with another label. */
  public ColumnDefinition withName(String newName) {
    return named(schema, originalTable, newName, originalName);
  }

  /** A copy of the column with another original name. */
  public ColumnDefinition withOriginalName(String newName) {
    return named(schema, originalTable, name, newName);
  }

  private ColumnDefinition named(
      String newSchema, String newOriginalTable, String newName, String newOriginalName) {
    return new ColumnDefinition(
        newSchema,
        table,
        newOriginalTable,
        newName,
        newOriginalName,
        charsetId,
        length,
        type,
        flags,
        decimals);
  }

  /** A copy of another type. */
  public ColumnDefinition with(MysqlType newType, int newFlags, int newDecimals) {
    return new ColumnDefinition(
        schema,
        table,
        originalTable,
        name,
        originalName,
        charsetId,
        length,
        newType,
        newFlags,
        newDecimals);
  }
}
