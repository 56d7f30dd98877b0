package io.alrai.dn.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.binlog.BinlogException;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.binlog.Xid;
import io.alrai.dn.gate.live.CommitLog.Restamp;
import io.alrai.dn.group.GroupEntry.Stamped;
import io.alrai.dn.group.GroupEntry.Written;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EntryCodecTest {
  private static final UUID SOURCE = UUID.fromString("ffffffff-8000-0000-8000-00000000000a");
  private static final Gtid GTID = new Gtid(SOURCE, "", 1);
  private static final Gtid TAGGED = new Gtid(SOURCE, "t".repeat(32), Long.MAX_VALUE - 1);
  private static final HlcTimestamp H = HlcTimestamp.ofMillis(1_800_000_000_123L);
  private static final HlcTimestamp LARGEST = new HlcTimestamp(-1L >>> 2);
  private static final TransactionId ID =
      new TransactionId(new NodeId("cn-1"), 1_700_000_000_000L, 77, new DnId("dn-1"));
  private static final Xid BINARY = new Xid(-1, "ÿ\u0000\u0080".repeat(21), "");
  private static final GtidSet SETTLED = GtidSet.parse(SOURCE + ":1-5:9:tag:3-4," + new UUID(0, 1));
  private static final int CRC = 4;

  private static Stamped head(Gtid gtid, TransactionKind kind, long length, HlcTimestamp stamp) {
    return new Stamped(
        new BinlogTransaction(
            gtid,
            new BinlogPosition("binlog.999999", 1L << 40),
            length,
            true,
            kind,
            4_294_967_295L,
            List.of(
                new TableName("ü".repeat(64), "表".repeat(64)), new TableName("𝄞".repeat(32), "")),
            Optional.empty()),
        stamp);
  }

  private static Written written(Gtid gtid, TransactionKind kind, byte[] events) {
    return new Written(head(gtid, kind, events.length, LARGEST), ByteBuffer.wrap(events));
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  static Stream<GroupEntry> entries() {
    List<TransactionKind> kinds =
        List.of(
            new TransactionKind.Commit(),
            new TransactionKind.Decision(ID, LARGEST),
            new TransactionKind.Decision(
                ID, H, List.of(new DnId("dn-2"), new DnId("d".repeat(32)))),
            new TransactionKind.Tombstone(ID),
            new TransactionKind.XaPrepare(BINARY),
            new TransactionKind.XaCommit(BINARY),
            new TransactionKind.XaRollback(BINARY),
            new TransactionKind.OnePhase(BINARY),
            new TransactionKind.Statement());
    List<Written> all = new ArrayList<>();
    kinds.forEach(kind -> all.add(written(TAGGED, kind, bytes(all.size() * 100))));
    return Stream.of(
        new GroupEntry.Transactions(H, all),
        new GroupEntry.Transactions(HlcTimestamp.ZERO, List.of()),
        new GroupEntry.Transactions(
            H, List.of(written(GTID, new TransactionKind.Commit(), new byte[0]))),
        new GroupEntry.Transactions(
            H, List.of(written(GTID, new TransactionKind.Statement(), bytes(1 << 20)))),
        new GroupEntry.Piece(H, GTID, 0, 1L << 33, Optional.empty(), ByteBuffer.wrap(bytes(1_000))),
        new GroupEntry.Piece(
            H,
            TAGGED,
            1L << 32,
            1L << 33,
            Optional.of(head(TAGGED, new TransactionKind.XaPrepare(BINARY), 1L << 33, LARGEST)),
            ByteBuffer.wrap(new byte[0])),
        new GroupEntry.Stamps(
            LARGEST, List.of(new Restamp(GTID, LARGEST), new Restamp(TAGGED, HlcTimestamp.ZERO))),
        new GroupEntry.GivenBack(H),
        new GroupEntry.Names(H, TAGGED, List.of(new TableName("ü", "表"))),
        new GroupEntry.Clock(H, SETTLED),
        new GroupEntry.Clock(H, new GtidSet()),
        new GroupEntry.Begin(H, SETTLED));
  }

  @ParameterizedTest
  @MethodSource("entries")
  void entriesComeBackAsTheyWere(GroupEntry entry) {
    assertEquals(entry, EntryCodec.decode(ByteBuffer.wrap(EntryCodec.encode(entry))));
  }

  @Test
  void anEntryMayLieInTheMiddleOfABuffer() {
    GroupEntry entry = entries().findFirst().orElseThrow();
    byte[] bytes = EntryCodec.encode(entry);
    ByteBuffer around = ByteBuffer.allocateDirect(bytes.length + 20);
    around.position(7).put(bytes).limit(7 + bytes.length).position(7);
    assertEquals(entry, EntryCodec.decode(around.asReadOnlyBuffer()));
    assertEquals(7, around.position());
  }

  @ParameterizedTest
  @MethodSource("entries")
  void cutEntriesAreRefused(GroupEntry entry) {
    byte[] bytes = EntryCodec.encode(entry);
    int step = 1 + bytes.length / 500;
    for (int length = 0; length < bytes.length; length += step) {
      refused(Arrays.copyOf(bytes, length));
    }
  }

  @ParameterizedTest
  @MethodSource("entries")
  void flippedBitsAreFound(GroupEntry entry) {
    byte[] bytes = EntryCodec.encode(entry);
    int step = 1 + bytes.length / 500;
    for (int at = 0; at < bytes.length; at += step) {
      byte[] flipped = bytes.clone();
      flipped[at] ^= (byte) (1 << at % 8);
      refused(flipped);
    }
  }

  /** With a checksum that is right whatever else is not. */
  @ParameterizedTest
  @MethodSource("entries")
  void whatIsNoEntryIsRefusedInASentence(GroupEntry entry) {
    byte[] bytes = EntryCodec.encode(entry);
    Random random = new Random(7);
    int refusals = 0;
    for (int round = 0; round < 2_000; round++) {
      byte[] changed = Arrays.copyOf(bytes, CRC + random.nextInt(bytes.length - CRC + 1));
      int most = Math.min(changed.length - CRC, 400);
      for (int i = 0; i < 3 && most > 0; i++) {
        changed[random.nextInt(most)] = (byte) random.nextInt();
      }
      summed(changed);
      try {
        EntryCodec.decode(ByteBuffer.wrap(changed));
      } catch (BinlogException sentence) {
        refusals++;
      }
    }
    assertTrue(refusals > 0, "nothing was refused");
  }

  @Test
  void entriesOfALaterVersionAreRefused() {
    byte[] bytes = EntryCodec.encode(new GroupEntry.Clock(H, SETTLED));
    bytes[0]++;
    BinlogException later = refused(summed(bytes));
    assertTrue(later.getMessage().contains("another member is newer"), later::getMessage);
  }

  private static BinlogException refused(byte[] bytes) {
    return assertThrows(BinlogException.class, () -> EntryCodec.decode(ByteBuffer.wrap(bytes)));
  }

  private static byte[] summed(byte[] entry) {
    CRC32C sum = new CRC32C();
    sum.update(entry, 0, entry.length - CRC);
    ByteBuffer.wrap(entry).putInt(entry.length - CRC, (int) sum.getValue());
    return entry;
  }
}
