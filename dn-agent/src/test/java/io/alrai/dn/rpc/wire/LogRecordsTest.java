package io.alrai.dn.rpc.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.binlog.Xid;
import io.alrai.dn.rpc.wire.LogRecords.LogRecord;
import io.alrai.dn.ship.LeadNumber;
import io.alrai.dn.ship.LogPlace;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class LogRecordsTest {
  private static final TransactionId ID =
      new TransactionId(new NodeId("cn-1"), 1_700_000_000_000L, 77, new DnId("dn-1"));
  private static final HlcTimestamp TS = HlcTimestamp.ofMillis(1_700_000_000_123L);
  private static final Xid XID = new Xid(-1, "ÿ\u0000 of 64 bytes, each a character", "b");
  private static final BinlogPosition END = new BinlogPosition("binlog.000042", 5_000_000_000L);

  static Stream<TransactionKind> kinds() {
    return Stream.of(
        new TransactionKind.Commit(),
        new TransactionKind.Decision(ID, TS),
        new TransactionKind.Decision(ID, TS, List.of(new DnId("dn-2"), new DnId("dn-3"))),
        new TransactionKind.Tombstone(ID),
        new TransactionKind.XaPrepare(XID),
        new TransactionKind.XaCommit(XID),
        new TransactionKind.XaRollback(XID),
        new TransactionKind.OnePhase(XID),
        new TransactionKind.Statement());
  }

  private static BinlogTransaction transaction(TransactionKind kind, Optional<EventBytes> events) {
    return new BinlogTransaction(
        new Gtid(UUID.fromString("ffffffff-8000-0000-8000-00000000000a"), "tag", 1L << 40),
        END,
        1L << 33,
        true,
        kind,
        4_000_000_000L,
        List.of(new TableName("schéma", "t"), new TableName("d", "u")),
        events);
  }

  private static ByteBuf written(LogRecord record) {
    ByteBuf out = Unpooled.buffer();
    LogRecords.write(out, record);
    assertEquals(out.readableBytes() - LogRecords.LENGTH, out.readInt());
    return out;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void transactionsComeBackAsTheyWere(TransactionKind kind) {
    LogRecord record =
        new LogRecord.Next(transaction(kind, Optional.empty()), Optional.of(TS), true);
    assertEquals(record, LogRecords.read(written(record)));
  }

  @Test
  void eventsAndAMissingStampComeBack() {
    byte[] bytes = {1, 2, 3, -1};
    LogRecord record =
        new LogRecord.Next(
            transaction(new TransactionKind.Commit(), Optional.of(new EventBytes(bytes))),
            Optional.empty(),
            false);
    LogRecord.Next read = assertInstanceOf(LogRecord.Next.class, LogRecords.read(written(record)));
    assertEquals(Optional.empty(), read.stamp());
    assertFalse(read.placed());
    assertArrayEquals(
        bytes, ByteBufUtil.getBytes(read.transaction().events().orElseThrow().view()));
  }

  @Test
  void placesComeBack() {
    for (LogRecord record :
        List.of(
            new LogRecord.Reached(new LogPlace(new LeadNumber(3, 1L << 40), END)),
            new LogRecord.Begins(
                new LeadNumber(1L << 33, 7),
                GtidSet.parse("00000000-0000-0000-0000-00000000000a:1-5:9")),
            new LogRecord.Begins(LeadNumber.ALONE, new GtidSet()),
            new LogRecord.Broken("der Kabel ist défekt"),
            new LogRecord.Gone("it was délété"))) {
      assertEquals(record, LogRecords.read(written(record)));
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void everyCutIsNoticed(TransactionKind kind) {
    ByteBuf whole =
        written(new LogRecord.Next(transaction(kind, Optional.empty()), Optional.of(TS), true));
    for (int length = 0; length < whole.readableBytes(); length++) {
      ByteBuf cut = whole.slice(whole.readerIndex(), length);
      assertThrows(AlraiException.class, () -> LogRecords.read(cut), "cut at " + length);
    }
    whole.writeByte(0);
    // bytes after a transaction without events are none of its own
    assertThrows(AlraiException.class, () -> LogRecords.read(whole));
  }
}
