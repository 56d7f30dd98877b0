package io.alrai.dn.rpc.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import io.alrai.common.id.DnId;
import io.alrai.common.id.NodeId;
import io.alrai.common.id.TransactionId;
import io.alrai.common.kind.SealedKinds;
import io.alrai.common.time.HlcTimestamp;
import io.alrai.dn.RecordedBytes;
import io.alrai.dn.binlog.BinlogPosition;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.Gtid;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.binlog.TransactionKind;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.ReplyKey;
import io.alrai.dn.rpc.wire.LogRecords.LogRecord;
import io.alrai.dn.rpc.wire.ShippedRecords.ShippedRecord;
import io.alrai.dn.ship.LeadNumber;
import io.alrai.dn.ship.LogPlace;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the oldest version of the envelope that is spoken says, byte by byte, is said and read. */
final class PreviousVersionTest {
  private static final HlcTimestamp TS = HlcTimestamp.ofMillis(1_700_000_000_123L);
  private static final BinlogTransaction HEAD =
      new BinlogTransaction(
          new Gtid(UUID.fromString("ffffffff-8000-0000-8000-00000000000a"), "tag", 1L << 40),
          new BinlogPosition("binlog.000042", 5_000_000_000L),
          1L << 33,
          true,
          new TransactionKind.Decision(
              new TransactionId(new NodeId("cn-1"), 1_700_000_000_000L, 77, new DnId("dn-1")),
              TS,
              List.of(new DnId("dn-2"))),
          4_000_000_000L,
          List.of(new TableName("schéma", "t"), new TableName("d", "u")),
          Optional.empty());

  private static List<Message> messages() {
    return WireSamples.messages().stream()
        .filter(message -> MessageCodec.isOf(EnvelopeVersions.OLDEST, message))
        .toList();
  }

  private static byte[] written(Consumer<ByteBuf> writer) {
    ByteBuf out = Unpooled.buffer();
    writer.accept(out);
    return ByteBufUtil.getBytes(out);
  }

  /** Writes each, compares it with what was written, and reads that. */
  private static <T> void same(
      String file, List<T> samples, BiConsumer<ByteBuf, T> write, Function<ByteBuf, T> read) {
    Map<String, byte[]> written = new LinkedHashMap<>();
    for (T sample : samples) {
      String name = written.size() + "-" + sample.getClass().getSimpleName();
      written.put(name, written(out -> write.accept(out, sample)));
    }
    List<T> back = new ArrayList<>();
    RecordedBytes.compared(file, written)
        .values()
        .forEach(bytes -> back.add(read.apply(Unpooled.wrappedBuffer(bytes))));
    assertEquals(samples, back);
  }

  private static Message message(ByteBuf frame) {
    FrameKind kind = Objects.requireNonNull(FrameKind.of(frame.getUnsignedByte(4)));
    return MessageCodec.read(kind, frame.skipBytes(Envelope.HEADER));
  }

  @Test
  void messages18() {
    same(
        "envelope-18",
        messages(),
        (out, m) -> MessageCodec.write(out, m, 7, 99, 98),
        PreviousVersionTest::message);
  }

  @Test
  void anError18() {
    byte[] bytes = written(out -> MessageCodec.write(out, WireSamples.error(), 7, 99, 98));
    byte[] recorded =
        RecordedBytes.compared("envelope-error-18", Map.of("Failure", bytes)).get("Failure");
    Message.Failure back =
        assertInstanceOf(Message.Failure.class, message(Unpooled.wrappedBuffer(recorded)));
    assertEquals(WireSamples.error().reason().errno(), back.reason().errno());
    assertEquals(WireSamples.error().reason().sentence(), back.reason().sentence());
  }

  @Test
  void noKindOfMessageIsForgottenHere() {
    Set<Class<?>> covered =
        WireSamples.messages().stream().map(Object::getClass).collect(Collectors.toSet());
    covered.add(Message.Failure.class);
    assertEquals(Set.copyOf(SealedKinds.of(Message.class)), covered);
  }

  @Test
  void logRecords18() {
    List<LogRecord> samples =
        List.of(
            new LogRecord.Next(HEAD, Optional.of(TS), true),
            new LogRecord.Next(HEAD, Optional.empty(), false),
            new LogRecord.Reached(
                new LogPlace(new LeadNumber(3, 1L << 40), new BinlogPosition("binlog.000042", 9))),
            new LogRecord.Begins(
                new LeadNumber(1L << 33, 7),
                GtidSet.parse("00000000-0000-0000-0000-00000000000a:1-5:9")),
            new LogRecord.Broken("der Kabel ist défekt"),
            new LogRecord.Gone("it was délété"));
    same(
        "log-records-18",
        samples,
        LogRecords::write,
        in -> LogRecords.read(in.skipBytes(LogRecords.LENGTH)));
  }

  @Test
  void shippedRecords18() {
    List<ShippedRecord> samples =
        List.of(
            new ShippedRecord.Begins(),
            new ShippedRecord.Next(1L << 40, HEAD),
            new ShippedRecord.Piece(ByteBuffer.wrap(new byte[] {1, 2, -1})),
            new ShippedRecord.Heard(5, 1L << 41),
            new ShippedRecord.Gone("it was délété"),
            new ShippedRecord.Unknown(true, "a:1"));
    same(
        "shipped-records-18",
        samples,
        ShippedRecords::write,
        in -> ShippedRecords.read(in.skipBytes(ShippedRecords.LENGTH)));
  }

  @Test
  void keptRecords18() {
    ReplyKey read = new ReplyKey();
    read.begin(new KeyedTable("schéma", "t", List.of("a", "b")), 1L << 50);
    read.add("SELECT".getBytes(StandardCharsets.US_ASCII));
    read.seal();
    byte[] reply = {1, 2, 3, -1};
    Map<String, byte[]> written = new LinkedHashMap<>();
    written.put("Ask", written(out -> KeptRecords.ask(out, 7, read, 1L << 40, 3)));
    written.put("Keep", written(out -> KeptRecords.keep(out, read, 5, 3, reply, 4)));
    written.put("Found", written(out -> KeptRecords.found(out, 7, 1L << 40, reply, 3)));
    written.put("Missed", written(out -> KeptRecords.none(out, KeptRecords.MISSED, 7, 1)));
    ByteBuf ask =
        Unpooled.wrappedBuffer(
            Objects.requireNonNull(RecordedBytes.compared("kept-records-18", written).get("Ask")));
    ByteBuf record = Objects.requireNonNull(KeptRecords.next(ask));
    ReplyKey back = new ReplyKey();
    KeptRecords.read(record.skipBytes(1 + Integer.BYTES + 2 * Long.BYTES), back);
    assertEquals(read.table(), back.table());
    assertEquals(read.row(), back.row());
    assertEquals(read.length(), back.length());
  }
}
