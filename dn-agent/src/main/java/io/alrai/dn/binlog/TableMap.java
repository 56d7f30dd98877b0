package io.alrai.dn.binlog;

import io.alrai.common.wire.Lenenc;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a Table_map event says, with binlog_row_metadata=FULL:
 *
 * <pre>
 *  table id 6 | flags 2 | 1 schema 0 | 1 table 0 | count | types | length metadata | nullable bits
 *  | { what 1 | length | optional metadata }
 * </pre>
 *
 * @param columns in the order of the rows' fields
 */
record TableMap(TableName name, List<Column> columns) {
  private static final int POST_HEADER = 8;

  /**
   * A column.
   *
   * @param type the binary log's number for it; ENUM and SET by their own
   * @param metadata what its width depends on, as it is in the event
   * @param unsigned of numbers
   * @param collation the protocol's number for that of a string, else 0
   */
  record Column(String name, int type, int metadata, boolean unsigned, int collation) {}

  /** The number by which row events name the table. */
  static long tableId(Event event) {
    ByteBuf buf = event.bytes();
    int body = event.body();
    return buf.getUnsignedIntLE(body) | (long) buf.getUnsignedShortLE(body + 4) << 32;
  }

  /** Only the names: what nearly all transactions need. */
  static TableName name(Event event) {
    ByteBuf buf = event.bytes();
    int at = event.body() + POST_HEADER;
    int schema = buf.getUnsignedByte(at);
    int table = buf.getUnsignedByte(at + 1 + schema + 1);
    return new TableName(
        buf.toString(at + 1, schema, StandardCharsets.UTF_8),
        buf.toString(at + schema + 3, table, StandardCharsets.UTF_8));
  }

  /** Reads a whole event. */
  static TableMap parse(Event event) {
    ByteBuf in = event.bytes().slice(event.body(), event.bodyEnd() - event.body());
    in.skipBytes(POST_HEADER);
    in.skipBytes(in.readUnsignedByte() + 1);
    in.skipBytes(in.readUnsignedByte() + 1);
    int count = Math.toIntExact(Lenenc.read(in));
    ByteBuf types = in.readSlice(count);
    ByteBuf metadata = in.readSlice(Math.toIntExact(Lenenc.read(in)));
    in.skipBytes((count + 7) / 8);
    ColumnFacts facts = ColumnFacts.read(in);
    if (facts.names().size() != count) {
      throw new BinlogException(name(event) + ": the log has no column names");
    }
    List<Column> columns = new ArrayList<>(count);
    for (String column : facts.names()) {
      int type = types.readUnsignedByte();
      int width = metadata(type, metadata);
      int real = ColumnType.real(type, width);
      columns.add(
          new Column(column, real, width, facts.nextUnsigned(real), facts.nextCollation(real)));
    }
    return new TableMap(name(event), List.copyOf(columns));
  }

  private static int metadata(int type, ByteBuf metadata) {
    return switch (type) {
      case ColumnType.VARCHAR, ColumnType.BIT -> metadata.readUnsignedShortLE();
      case ColumnType.NEWDECIMAL,
          ColumnType.ENUM,
          ColumnType.SET,
          ColumnType.VAR_STRING,
          ColumnType.STRING ->
          metadata.readUnsignedShort();
      case ColumnType.FLOAT,
          ColumnType.DOUBLE,
          ColumnType.TIMESTAMP2,
          ColumnType.DATETIME2,
          ColumnType.TIME2,
          ColumnType.VECTOR,
          ColumnType.JSON,
          ColumnType.BLOB,
          ColumnType.GEOMETRY ->
          metadata.readUnsignedByte();
      default -> 0;
    };
  }
}
