package io.alrai.dn.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.TransactionKind.Commit;
import io.alrai.dn.binlog.TransactionKind.Decision;
import io.alrai.dn.binlog.TransactionKind.OnePhase;
import io.alrai.dn.binlog.TransactionKind.Statement;
import io.alrai.dn.binlog.TransactionKind.Tombstone;
import io.alrai.dn.binlog.TransactionKind.XaCommit;
import io.alrai.dn.binlog.TransactionKind.XaPrepare;
import io.alrai.dn.binlog.TransactionKind.XaRollback;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

/** Reads a binary log that a MySQL 9.7.4 wrote: each kind of transaction once. */
class TransactionAssemblerTest {
  private static final UUID SERVER = UUID.fromString("d38a054c-e58f-11f1-ad0c-02fc00000001");
  private static final Xid OWN = new Xid(1, "a:cn-1:mk:7:dn-1", "dn-2");

  private final List<BinlogTransaction> got = new ArrayList<>();
  private final TransactionAssembler assembler =
      new TransactionAssembler(1 << 20, LongEvents.NONE, got::add);

  private void give(byte[] event) {
    assembler.accept(new Event(Unpooled.wrappedBuffer(event), 0, event.length, false));
  }

  /** The events of one that is too long, as they came. */
  private static final class Taken implements LongEvents {
    private final Map<Gtid, ByteBuf> all = new HashMap<>();
    private ByteBuf open = Unpooled.buffer();
    private long length;

    @Override
    public void begins(Gtid gtid, long bytes) {
      assertEquals(length, open.readableBytes());
      open = Unpooled.buffer();
      length = bytes;
      all.put(gtid, open);
    }

    @Override
    public void take(ByteBuf bytes, int start, int count) {
      open.writeBytes(bytes, start, count);
    }

    @Override
    public boolean full(Runnable resume) {
      return false;
    }
  }

  private BinlogTransaction number(long number) {
    return got.stream()
        .filter(tx -> tx.gtid().equals(new Gtid(SERVER, "", number)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void eachKindIsRecognised() {
    // 6902 begins the transaction that is compressed
    RecordedLog.eventsUntil(7_075).forEach(this::give);
    assertEquals(new Statement(), number(1).kind());
    BinlogTransaction insert = number(4);
    assertEquals(new Commit(), insert.kind());
    assertEquals(List.of(new TableName("shop_p00003", "t")), insert.tables());

    BinlogTransaction decision = number(7);
    assertEquals(
        new Decision(
            new TransactionId(new NodeId("cn-1"), 812, 7, new DnId("dn-1")),
            new HlcTimestamp(115_000_000_000_000_123L)),
        decision.kind());
    assertEquals(
        List.of(
            new TableName("shop_p00003", "t"), new TableName("shop_p00003", "u"), TableName.TX_LOG),
        decision.tables());

    assertEquals(new XaPrepare(OWN), number(8).kind());
    assertEquals(List.of(new TableName("shop_p00003", "u")), number(8).tables());
    assertEquals(new XaCommit(OWN), number(9).kind());
    assertEquals(List.of(), number(9).tables());
    assertEquals(new XaPrepare(new Xid(7, "foreign", "b")), number(10).kind());
    assertEquals(new XaRollback(new Xid(7, "foreign", "b")), number(11).kind());
    assertEquals(new OnePhase(new Xid(1, "one", "")), number(12).kind());
    assertEquals(
        new Tombstone(new TransactionId(new NodeId("cn-1"), 812, 8, new DnId("dn-1"))),
        number(13).kind());
    assertEquals(List.of(TableName.TX_LOG), number(13).tables());
    assertEquals(new Commit(), number(15).kind(), "with savepoints");
    assertEquals(new Statement(), number(16).kind(), "CREATE TABLE ... SELECT");
    assertEquals(new Statement(), number(17).kind(), "TRUNCATE");
    assertEquals(new Commit(), number(19).kind(), "MyISAM");
  }

  @Test
  void aTagIsPartOfTheName() {
    RecordedLog.eventsUntil(7_075).forEach(this::give);
    List<BinlogTransaction> tagged = got.stream().filter(tx -> !tx.gtid().tag().isEmpty()).toList();
    assertEquals(
        List.of(new Gtid(SERVER, "tagged", 1), new Gtid(SERVER, "tagged", 2)),
        tagged.stream().map(BinlogTransaction::gtid).toList());
    assertEquals(new Commit(), tagged.get(0).kind());
    assertEquals(new Statement(), tagged.get(1).kind());
  }

  @Test
  void placesAndBytesAreThoseOfTheLog() {
    RecordedLog.eventsUntil(7_075).forEach(this::give);
    long end = 158;
    for (BinlogTransaction tx : got) {
      assertEquals("binlog.000001", tx.end().file());
      assertEquals(end + tx.length(), tx.end().offset());
      ByteBuf bytes = tx.events().orElseThrow().view();
      byte[] expected = Arrays.copyOfRange(RecordedLog.bytes(), (int) end, (int) tx.end().offset());
      assertEquals(Unpooled.wrappedBuffer(expected), bytes);
      end = tx.end().offset();
    }
    assertEquals(7_075, end);
  }

  /** A mysqld begins to number its tables anew at each start. */
  @Test
  void aNumberOfATableIsAnotherTablesInTheNextLifesFile() {
    List<byte[]> first = RecordedLog.eventsUntil(7_075);
    first.forEach(this::give);
    List<BinlogTransaction> before = List.copyOf(got);
    got.clear();
    List<Long> numbers =
        first.stream().filter(TransactionAssemblerTest::isOfATable).map(e -> number(e)).toList();
    long sum = Collections.min(numbers) + Collections.max(numbers);
    give(RecordedLog.rotation("binlog.000002", RecordedLog.MAGIC));
    for (byte[] event : first.subList(1, first.size())) {
      give(isOfATable(event) ? withNumber(event, sum - number(event)) : event);
    }
    assertEquals(
        before.stream().map(BinlogTransaction::tables).toList(),
        got.stream().map(BinlogTransaction::tables).toList());
    assertEquals(
        before.stream().map(BinlogTransaction::kind).toList(),
        got.stream().map(BinlogTransaction::kind).toList());
  }

  private static boolean isOfATable(byte[] event) {
    return List.of(
            EventType.TABLE_MAP, EventType.WRITE_ROWS, EventType.UPDATE_ROWS, EventType.DELETE_ROWS)
        .contains((int) event[4]);
  }

  private static long number(byte[] event) {
    return Unpooled.wrappedBuffer(event).getUnsignedIntLE(Event.HEADER);
  }

  private static byte[] withNumber(byte[] event, long number) {
    byte[] changed = event.clone();
    ByteBuf buf = Unpooled.wrappedBuffer(changed).setIntLE(Event.HEADER, (int) number);
    CRC32 crc = new CRC32();
    crc.update(changed, 0, changed.length - Event.CHECKSUM);
    buf.setIntLE(changed.length - Event.CHECKSUM, (int) crc.getValue());
    return changed;
  }

  @Test
  void aLargeTransactionIsGivenWithoutItsBytes() {
    Taken taken = new Taken();
    RecordedLog.eventsUntil(7_075).forEach(this::give);
    List<BinlogTransaction> whole = List.copyOf(got);
    got.clear();
    TransactionAssembler small = new TransactionAssembler(300, taken, got::add);
    for (byte[] event : RecordedLog.eventsUntil(7_075)) {
      small.accept(new Event(Unpooled.wrappedBuffer(event), 0, event.length, false));
    }
    for (BinlogTransaction tx : got) {
      assertEquals(tx.length() <= 300, tx.events().isPresent());
    }
    for (BinlogTransaction tx : whole) {
      ByteBuf events = taken.all.get(tx.gtid());
      assertEquals(tx.length() > 300, events != null);
      assertTrue(events == null || events.equals(tx.events().orElseThrow().view()));
    }
    assertEquals(Optional.empty(), number(7).events());
    assertTrue(number(7).kind() instanceof Decision);
  }

  @Test
  void aCompressedTransactionIsRefused() {
    List<byte[]> all = RecordedLog.eventsUntil(RecordedLog.bytes().length);
    BinlogException refused = assertThrows(BinlogException.class, () -> all.forEach(this::give));
    assertTrue(refused.getMessage().contains("binlog_transaction_compression"));
    assertEquals(21, got.size());
  }

  @Test
  void everyDamagedByteIsFound() {
    List<byte[]> all = RecordedLog.eventsUntil(867);
    for (int event = 0; event < all.size(); event++) {
      for (int at = 0; at < all.get(event).length; at++) {
        TransactionAssembler fresh = new TransactionAssembler(1 << 20, LongEvents.NONE, got::add);
        for (int i = 0; i < event; i++) {
          fresh.accept(new Event(Unpooled.wrappedBuffer(all.get(i)), 0, all.get(i).length, false));
        }
        byte[] damaged = all.get(event).clone();
        damaged[at] ^= 0x10;
        assertThrows(
            BinlogException.class,
            () ->
                fresh.accept(new Event(Unpooled.wrappedBuffer(damaged), 0, damaged.length, false)),
            "byte " + at + " of event " + event);
      }
    }
  }

  @Test
  void aMissingEventIsFound() {
    List<byte[]> all = RecordedLog.eventsUntil(1_210);
    for (int missing = 3; missing < all.size() - 1; missing++) {
      TransactionAssembler fresh = new TransactionAssembler(1 << 20, LongEvents.NONE, tx -> {});
      List<byte[]> rest = new ArrayList<>(all);
      rest.remove(missing);
      assertThrows(
          BinlogException.class,
          () -> {
            for (byte[] event : rest) {
              fresh.accept(new Event(Unpooled.wrappedBuffer(event), 0, event.length, false));
            }
          },
          "without event " + missing);
    }
  }
}
