package io.alrai.dn.rows;

import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.binlog.TransactionKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Makes transactions as a log has them, of tables {@code (id BIGINT, v BIGINT)}. */
public final class LoggedRows {
  private static final UUID SERVER = new UUID(1, 2);
  private static final int TABLE_MAP = 19;
  private static final int UPDATE_ROWS = 31;
  private static final int LONGLONG = 8;
  private static final int NAMES = 4;

  private LoggedRows() {}

  /**
   * A transaction that updates rows.
   *
   * @param number it ends at a thousand times that
   * @param tableId of the table's present definition
   */
  public static BinlogTransaction update(
      int number, TransactionKind kind, TableName table, int tableId, List<Integer> ids) {
    ByteBuf events = Unpooled.buffer();
    event(events, TABLE_MAP, map(table, tableId));
    event(events, UPDATE_ROWS, rows(tableId, ids));
    byte[] bytes = new byte[events.readableBytes()];
    events.readBytes(bytes);
    return of(number, kind, List.of(table), Optional.of(new EventBytes(bytes)));
  }

  /** One without rows. */
  static BinlogTransaction of(int number, TransactionKind kind) {
    return of(number, kind, List.of(), Optional.of(new EventBytes(new byte[0])));
  }

  /** One that is too long to be held. */
  static BinlogTransaction tooLong(int number, TransactionKind kind, TableName table) {
    return of(number, kind, List.of(table), Optional.empty());
  }

  /** Where a transaction ends. */
  public static BinlogPosition end(int number) {
    return new BinlogPosition("binlog.000007", 1_000L * number);
  }

  private static BinlogTransaction of(
      int number, TransactionKind kind, List<TableName> tables, Optional<EventBytes> events) {
    return new BinlogTransaction(
        new Gtid(SERVER, "", number), end(number), 100, true, kind, 1, tables, events);
  }

  private static void event(ByteBuf out, int type, ByteBuf body) {
    int length = 19 + body.readableBytes() + 4;
    out.writeIntLE(0).writeByte(type).writeIntLE(1).writeIntLE(length).writeIntLE(1);
    out.writeShortLE(0).writeBytes(body).writeIntLE(0);
  }

  private static ByteBuf map(TableName table, int id) {
    ByteBuf out = Unpooled.buffer();
    out.writeIntLE(id).writeShortLE(0).writeShortLE(0);
    name(out, table.schema());
    out.writeByte(0);
    name(out, table.table());
    out.writeByte(0);
    out.writeByte(2).writeByte(LONGLONG).writeByte(LONGLONG);
    out.writeByte(0).writeByte(2);
    out.writeByte(NAMES).writeByte(5);
    name(out, "id");
    name(out, "v");
    return out;
  }

  private static void name(ByteBuf out, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    out.writeByte(bytes.length).writeBytes(bytes);
  }

  private static ByteBuf rows(int tableId, List<Integer> ids) {
    ByteBuf out = Unpooled.buffer();
    out.writeIntLE(tableId).writeShortLE(0).writeShortLE(0).writeShortLE(2);
    out.writeByte(2).writeByte(3).writeByte(3);
    for (int id : ids) {
      out.writeByte(0).writeLongLE(id).writeLongLE(1);
      out.writeByte(2).writeLongLE(id);
    }
    return out;
  }
}
