package io.alrai.dn.group;

import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.TransactionKind;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Transactions of events of any length, as nobody's log has them. */
final class MadeTransactions {
  private static final int GTID = 33;
  private static final int ROWS = 30;
  private static final int HEADER = 19;

  private MadeTransactions() {}

  /**
   * One.
   *
   * @param sequence its number in its origin's file
   * @param lengths of its events after the first, header included
   */
  static BinlogTransaction of(UUID origin, long number, long sequence, int... lengths) {
    ByteBuf all = Unpooled.buffer();
    ByteBuf gtid = Unpooled.buffer();
    gtid.writeByte(0).writeLong(origin.getMostSignificantBits());
    gtid.writeLong(origin.getLeastSignificantBits()).writeLongLE(number).writeByte(2);
    gtid.writeLongLE(sequence - 1).writeLongLE(sequence).writeZero(7).writeByte(100);
    header(all, GTID, HEADER + gtid.readableBytes() + 4).writeBytes(gtid).writeZero(4);
    for (int length : lengths) {
      header(all, ROWS, length);
      for (int i = HEADER; i < length; i++) {
        all.writeByte(i * 31 + length);
      }
    }
    byte[] bytes = new byte[all.readableBytes()];
    all.readBytes(bytes);
    return new BinlogTransaction(
        new Gtid(origin, "", number),
        new BinlogPosition("binlog.000001", 4),
        bytes.length,
        true,
        new TransactionKind.Commit(),
        1,
        List.of(),
        Optional.of(new EventBytes(bytes)));
  }

  private static ByteBuf header(ByteBuf out, int type, int length) {
    out.writeIntLE(0).writeByte(type).writeIntLE(1).writeIntLE(length);
    return out.writeIntLE(77).writeShortLE(0);
  }

  /** Its events. */
  static List<ByteBuf> events(BinlogTransaction transaction) {
    ByteBuf all = transaction.events().orElseThrow().view();
    List<ByteBuf> events = new ArrayList<>();
    while (all.isReadable()) {
      events.add(all.readSlice(all.getIntLE(all.readerIndex() + 9)));
    }
    return events;
  }
}
