package io.alrai.dn.binlog;

import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.common.wire.Lenenc;
import io.alrai.dn.link.ClientPrepared;
import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * Reads the outcome out of a row that is written to alrai.tx_log. One whose participants begin with
 * {@value #COPIED} was decided before, by a {@link DecisionMark}, and says nothing new. A
 * Write_rows event:
 *
 * <pre>
 *  table id 6 | flags 2 | extra length 2 (itself included) | extra | count | present bits
 *  | { null bits | fields }
 * </pre>
 */
public final class DecisionRow {
  /** What the participants of a row begin with that is not a decision, but tells of one. */
  public static final String COPIED = "+";

  private DecisionRow() {}

  /**
   * What the first row says: a {@link TransactionKind.Decision}, with a commit timestamp of 0 a
   * {@link TransactionKind.Tombstone}, or nothing that is decided: {@link TransactionKind.Commit}.
   */
  static TransactionKind parse(Event event, TableMap table) {
    ByteBuf in = event.bytes().slice(event.body(), event.bodyEnd() - event.body());
    in.skipBytes(8);
    in.skipBytes(in.readUnsignedShortLE() - 2);
    int count = Math.toIntExact(Lenenc.read(in));
    int bitmap = (count + 7) / 8;
    if (count != table.columns().size()) {
      throw new BinlogException("a row of " + table.name() + " with " + count + " columns");
    }
    ByteBuf present = in.readSlice(bitmap);
    for (int i = 0; i < count; i++) {
      if ((present.getByte(i / 8) >> i % 8 & 1) == 0) {
        throw new BinlogException("a partial row of " + table.name() + ": no full row image");
      }
    }
    ByteBuf nulls = in.readSlice(bitmap);
    String txid = "";
    long commitTs = -1;
    for (int i = 0; i < count; i++) {
      TableMap.Column column = table.columns().get(i);
      if ((nulls.getByte(i / 8) >> i % 8 & 1) != 0) {
        throw new BinlogException(table.name() + "." + column.name() + " is NULL");
      }
      if (column.name().equals("commit_ts") && column.type() == ColumnType.LONGLONG) {
        commitTs = in.readLongLE();
        continue;
      }
      if (column.type() != ColumnType.VARCHAR) {
        break;
      }
      int length = column.metadata() > 255 ? in.readUnsignedShortLE() : in.readUnsignedByte();
      String value = in.readCharSequence(length, StandardCharsets.ISO_8859_1).toString();
      if (column.name().equals("txid")) {
        txid = value;
      } else if (column.name().equals("participants") && commitTs >= 0) {
        return value.startsWith(COPIED) ? new TransactionKind.Commit() : decision(txid, commitTs);
      }
    }
    throw new BinlogException(table.name() + " is not the table that Alrai makes");
  }

  private static TransactionKind decision(String txid, long commitTs) {
    if (commitTs == ClientPrepared.STAMP) {
      return new TransactionKind.Commit();
    }
    try {
      TransactionId id = TransactionId.parse(txid);
      return commitTs == 0
          ? new TransactionKind.Tombstone(id)
          : new TransactionKind.Decision(id, new HlcTimestamp(commitTs));
    } catch (IllegalArgumentException e) {
      throw new BinlogException("a row of alrai.tx_log that Alrai did not write: " + txid, e);
    }
  }
}
