package io.alrai.dn.group;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.EventBytes;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.group.GroupEntry.Stamped;
import io.alrai.dn.group.GroupEntry.Written;
import io.alrai.dn.raft.LogEntry;
import io.netty.buffer.ByteBufUtil;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LogSourceTest {
  private static final UUID SERVER = new UUID(1, 2);
  private static final HlcTimestamp H = HlcTimestamp.ofMillis(1_000_000);
  private static final HlcTimestamp STAMP = HlcTimestamp.ofMillis(999_000);
  private static final byte[] LONG = "the events of a transaction that is long".getBytes(UTF_8);

  private final List<LogEntry> log = new ArrayList<>();
  private boolean gone;
  private long nanos;

  private void add(long term, GroupEntry entry) {
    log.add(new LogEntry(term, log.size(), ByteBuffer.wrap(EntryCodec.encode(entry))));
  }

  private static Gtid gtid(int number) {
    return new Gtid(SERVER, "", number);
  }

  private static Stamped stamped(int number, long length) {
    return new Stamped(
        new BinlogTransaction(
            gtid(number),
            new BinlogPosition("binlog.000001", 100L * number),
            length,
            true,
            new TransactionKind.Commit(),
            1,
            List.of(),
            Optional.empty()),
        STAMP);
  }

  private static GroupEntry transactions(int... numbers) {
    return new GroupEntry.Transactions(
        H,
        Arrays.stream(numbers)
            .mapToObj(number -> new Written(stamped(number, 1), ByteBuffer.wrap(new byte[] {7})))
            .toList());
  }

  private static GroupEntry piece(int number, int from, int to) {
    return new GroupEntry.Piece(
        H,
        gtid(number),
        from,
        LONG.length,
        to == LONG.length ? Optional.of(stamped(number, LONG.length)) : Optional.empty(),
        ByteBuffer.wrap(LONG, from, to - from));
  }

  private static GroupEntry begin(String settled) {
    return new GroupEntry.Begin(H, GtidSet.parse(settled));
  }

  private GroupReader open(String known) {
    Iterator<LogEntry> entries = List.copyOf(log).iterator();
    return new LogSource(
            any -> millis -> entries.hasNext() ? entries.next() : null,
            index -> {
              if (gone) {
                throw new AlraiException(ErrorCode.ALRAI_NODE_UNAVAILABLE, "it was deleted");
              }
              return Optional.of(log.get((int) index));
            },
            () -> nanos)
        .open(GtidSet.parse(known));
  }

  private List<Shipped> read(String known) throws InterruptedException {
    List<Shipped> all = new ArrayList<>();
    try (GroupReader reader = open(known)) {
      for (Shipped next = reader.poll(0); next != null; next = reader.poll(0)) {
        all.add(next);
      }
      assertNull(reader.poll(0));
    }
    return all;
  }

  private List<Long> numbers(String known) throws InterruptedException {
    return read(known).stream().map(one -> one.gtid().number()).toList();
  }

  private static byte[] events(Shipped one) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    one.forEachPiece(piece -> {
      byte[] bytes = new byte[piece.remaining()];
      piece.get(bytes);
      all.writeBytes(bytes);
    });
    return all.toByteArray();
  }

  @Test
  void transactionsComeInOrderButForThoseThatAreKnown() throws Exception {
    add(1, begin(""));
    add(1, transactions(1, 2));
    add(1, new GroupEntry.Clock(H, new GtidSet()));
    add(1, transactions(3, 4));
    assertEquals(List.of(1L, 2L, 3L, 4L), numbers(""));
    assertEquals(List.of(1L, 4L), numbers(SERVER + ":2-3"));
    Shipped last = read("").getLast();
    assertEquals(3, last.index());
    assertEquals(STAMP, last.stamp());
    assertEquals(1, last.length());
    assertArrayEquals(new byte[] {7}, events(last));
    EventBytes held = last.transaction().events().orElseThrow();
    assertArrayEquals(new byte[] {7}, ByteBufUtil.getBytes(held.view()));
  }

  @Test
  void whatIsWrittenTwiceComesOnce() throws Exception {
    add(1, transactions(1, 2));
    add(2, begin(""));
    add(2, transactions(2, 3));
    assertEquals(List.of(1L, 2L, 3L), numbers(""));
  }

  @Test
  void aLongTransactionComesWithItsLastPiece() throws Exception {
    add(1, piece(1, 0, 10));
    add(1, new GroupEntry.Clock(H, new GtidSet()));
    add(1, piece(1, 10, 20));
    assertEquals(List.of(), numbers(""));
    add(1, piece(1, 20, LONG.length));
    add(1, transactions(2));
    Shipped found = read("").getFirst();
    assertEquals(3, found.index());
    assertEquals(LONG.length, found.length());
    assertArrayEquals(LONG, events(found));
    assertArrayEquals(LONG, events(found), "as often as wanted");
    assertTrue(found.transaction().events().isEmpty());
    assertEquals(List.of(2L), numbers(SERVER + ":1"));
    gone = true;
    assertThrows(BinlogException.class, () -> events(found));
  }

  @Test
  void piecesThatBeginAnewReplaceThoseBefore() throws Exception {
    add(1, piece(1, 0, 10));
    add(1, piece(1, 10, 20));
    add(1, piece(1, 0, 15));
    add(1, piece(1, 15, LONG.length));
    assertArrayEquals(LONG, events(read("").getFirst()));
  }

  @Test
  void whatALeaderLeftUnfinishedIsVoid() throws Exception {
    add(1, piece(1, 0, 10));
    add(2, begin(""));
    add(2, transactions(2));
    add(2, piece(3, 0, 20));
    add(2, piece(3, 20, LONG.length));
    assertEquals(List.of(2L, 3L), numbers(""));
  }

  @Test
  void piecesOfTwoLeadersAreNotJoined() {
    add(1, piece(1, 0, 10));
    add(2, piece(1, 10, LONG.length));
    BinlogException odd = assertThrows(BinlogException.class, () -> numbers(""));
    assertTrue(odd.getMessage().contains("first events are gone"), odd::getMessage);
    log.clear();
    add(1, piece(1, 0, 10));
    add(1, begin(""));
    add(1, piece(1, 10, LONG.length));
    assertThrows(BinlogException.class, () -> numbers(""));
  }

  @Test
  void whoseFirstPieceHasLeftTheLogIsMissedOnlyWhereItIsWanted() throws Exception {
    add(1, piece(1, 10, LONG.length));
    add(1, transactions(2));
    assertEquals(List.of(2L), numbers(SERVER + ":1"));
    assertThrows(BinlogException.class, () -> numbers(""));
  }

  @Test
  void whatHasLeftTheLogIsMissed() throws Exception {
    add(3, transactions(6));
    add(3, new GroupEntry.Clock(H, GtidSet.parse(SERVER + ":1-5")));
    assertEquals(List.of(6L), numbers(SERVER + ":1-5"));
    BinlogException missed = assertThrows(BinlogException.class, () -> numbers(SERVER + ":1-4"));
    assertTrue(missed.getMessage().contains("not in the group's log any more"));
  }

  @Test
  void timesOfTheClockDoNotPutOffTheEndOfAWait() throws Exception {
    LogEntry clock =
        new LogEntry(
            1, 0, ByteBuffer.wrap(EntryCodec.encode(new GroupEntry.Clock(H, new GtidSet()))));
    List<Long> waits = new ArrayList<>();
    GroupReader reader =
        new LogSource(
                any ->
                    millis -> {
                      waits.add(millis);
                      nanos += Math.min(200, millis) * 1_000_000; // one comes every 200 ms
                      return millis < 200 ? null : clock;
                    },
                index -> Optional.empty(),
                () -> nanos)
            .open(new GtidSet());
    assertNull(assertTimeoutPreemptively(Duration.ofSeconds(10), () -> reader.poll(500)));
    assertEquals(List.of(500L, 300L, 100L), waits);
  }

  @Test
  void aLongLogOfWhatIsKnownDoesNotEither() throws Exception {
    LogEntry old = new LogEntry(1, 0, ByteBuffer.wrap(EntryCodec.encode(transactions(1))));
    GroupReader reader =
        new LogSource(
                any ->
                    millis -> {
                      nanos += 1_000_000; // reading one takes 1 ms
                      return old;
                    },
                index -> Optional.empty(),
                () -> nanos)
            .open(GtidSet.parse(SERVER + ":1"));
    assertNull(assertTimeoutPreemptively(Duration.ofSeconds(10), () -> reader.poll(500)));
    assertEquals(500_000_000, nanos, 20_000_000);
    assertNull(assertTimeoutPreemptively(Duration.ofSeconds(10), () -> reader.poll(0)));
  }

  @Test
  void damageIsASentence() {
    byte[] bytes = EntryCodec.encode(transactions(1));
    bytes[3]++;
    log.add(new LogEntry(1, 0, ByteBuffer.wrap(bytes)));
    BinlogException damaged = assertThrows(BinlogException.class, () -> numbers(""));
    assertTrue(damaged.getMessage().contains("damaged"));
  }

  @Test
  void namesOfTablesComeWithTheTransactionInPieces() throws Exception {
    TableName one = new TableName("d", "t");
    TableName other = new TableName("d", "größer");
    add(1, new GroupEntry.Names(H, gtid(1), List.of(one))); // of pieces that are not there
    add(1, piece(1, 0, 20));
    add(1, new GroupEntry.Names(H, gtid(1), List.of(one)));
    add(1, new GroupEntry.Clock(H, new GtidSet()));
    add(1, new GroupEntry.Names(H, gtid(1), List.of(other)));
    add(1, piece(1, 20, LONG.length));
    add(1, piece(2, 0, 20));
    add(1, piece(2, 20, LONG.length));
    List<Shipped> all = read("");
    assertEquals(List.of(one, other), all.getFirst().transaction().tables());
    assertEquals(List.of(), all.getLast().transaction().tables());
  }

  @Test
  void aSlowDiskDoesNotPutOffTheEndOfAWait() throws Exception {
    LogEntry old = new LogEntry(1, 0, ByteBuffer.wrap(EntryCodec.encode(transactions(1))));
    GroupReader reader =
        new LogSource(
                any ->
                    millis -> {
                      nanos += 50_000_000; // reading one takes 50 ms
                      return old;
                    },
                index -> Optional.empty(),
                () -> nanos)
            .open(GtidSet.parse(SERVER + ":1"));
    assertNull(reader.poll(0));
    assertEquals(100_000_000, nanos, 50_000_000);
    assertNull(reader.poll(500));
    assertTrue(nanos <= 900_000_000, () -> nanos + " ns");
  }
}
