package io.alrai.microbench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.alrai.common.id.DnId;
import io.alrai.common.wire.OkPacket;
import io.alrai.common.wire.Packets;
import io.alrai.common.wire.ServerStatus;
import io.alrai.dn.backend.PipelinedBranch;
import io.alrai.dn.binlog.BinlogTransaction;
import io.alrai.dn.binlog.GtidSet;
import io.alrai.dn.binlog.LogReader;
import io.alrai.dn.binlog.MysqldLog;
import io.alrai.dn.binlog.TableName;
import io.alrai.dn.link.ReadWatch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;

/**
 * A binary log of each kind of transaction, and an agent's reader to which its transactions are
 * sent, as often as wanted: each time at a later place in the log. One thread.
 */
final class RecordedStream {
  private static final String LOG = "/io/alrai/dn/binlog/server-9.7.binlog";
  private static final String FILE = "binlog.000001";
  private static final int MAGIC = 4;
  private static final int HEADER = 19;
  private static final int CHECKSUM = 4;
  private static final int ARTIFICIAL = 0x20;
  private static final int ROTATE = 4;
  private static final int GTID = 33;
  private static final int GTID_TAGGED = 42;
  private static final int COMPRESSED = 40;
  private static final long READ_AHEAD_BYTES = 1 << 20;

  /** A home of a branch that is never given back. */
  private record Home() implements PipelinedBranch.Home {
    @Override
    public void returned(PipelinedBranch branch) {
      throw new IllegalStateException("the stream has ended");
    }

    @Override
    public void lost(PipelinedBranch branch) {
      throw new IllegalStateException("the stream has ended");
    }
  }

  private final EmbeddedChannel mysqld = new EmbeddedChannel();
  private final LogReader reader = reader(mysqld);
  private final List<List<byte[]>> parts = parts();
  private int sequence = 1;

  /** A reader that has read what comes before the first transaction. */
  RecordedStream() {
    List<byte[]> head = new ArrayList<>(List.of(rotation()));
    head.addAll(parts.getFirst());
    send(head);
  }

  private static LogReader reader(EmbeddedChannel mysqld) {
    LogReader reader =
        new MysqldLog(
                (loop, account, home, taker) -> {
                  PipelinedBranch branch =
                      new PipelinedBranch(new DnId("dn-1"), mysqld, 1, home, ReadWatch.NONE);
                  mysqld.pipeline().addLast(branch);
                  taker.taken(branch);
                },
                mysqld.eventLoop())
            .open(new GtidSet(), READ_AHEAD_BYTES);
    mysqld.runPendingTasks();
    answerLogin(mysqld);
    mysqld.releaseOutbound();
    return reader;
  }

  /** The answers to its settings with {@code gtid_executed}, and to REGISTER_REPLICA. */
  private static void answerLogin(EmbeddedChannel mysqld) {
    ByteBuf settings = mysqld.alloc().buffer();
    Packets.writeOk(settings, 1, new OkPacket(0, 0, ServerStatus.MORE_RESULTS_EXISTS, 0, ""));
    Packets.write(settings, 2, Unpooled.wrappedBuffer(new byte[] {1}));
    Packets.write(settings, 3, Unpooled.wrappedBuffer(new byte[] {3, 'd', 'e', 'f'}));
    Packets.write(settings, 4, Unpooled.wrappedBuffer(new byte[] {0}));
    Packets.writeResultEnd(settings, 5, 0, 0);
    mysqld.writeInbound(settings);
    ByteBuf registered = mysqld.alloc().buffer();
    Packets.writeOk(registered, 1, new OkPacket(0, 0, 0, 0, ""));
    mysqld.writeInbound(registered);
  }

  /** The events before the first transaction, then those of each that is not compressed. */
  private static List<List<byte[]>> parts() {
    byte[] log = log();
    ByteBuf buf = Unpooled.wrappedBuffer(log);
    List<List<byte[]>> parts = new ArrayList<>();
    parts.add(new ArrayList<>());
    int at = MAGIC;
    while (at < log.length) {
      int length = buf.getIntLE(at + 9);
      int type = buf.getUnsignedByte(at + 4);
      if (type == GTID || type == GTID_TAGGED) {
        parts.add(new ArrayList<>());
      }
      parts.getLast().add(Arrays.copyOfRange(log, at, at + length));
      at += length;
    }
    parts.removeIf(part -> part.stream().anyMatch(event -> event[4] == COMPRESSED));
    return parts;
  }

  private static byte[] log() {
    try (InputStream in = RecordedStream.class.getResourceAsStream(LOG)) {
      if (in == null) {
        throw new IllegalStateException("no " + LOG);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a server sends first: the name of the file. */
  private static byte[] rotation() {
    int summed = HEADER + Long.BYTES + FILE.length();
    ByteBuf event = Unpooled.buffer();
    event.writeIntLE(0).writeByte(ROTATE).writeIntLE(1).writeIntLE(summed + CHECKSUM);
    event.writeIntLE(0).writeShortLE(ARTIFICIAL).writeLongLE(MAGIC);
    event.writeBytes(FILE.getBytes(US_ASCII));
    CRC32 crc = new CRC32();
    crc.update(event.array(), 0, summed);
    event.writeIntLE((int) crc.getValue());
    return Arrays.copyOf(event.array(), summed + CHECKSUM);
  }

  /** Whether it is a table of clients, whose rows the log has in every kind of transaction. */
  static boolean isOfClients(TableName table) {
    return table.schema().equals("shop_p00003");
  }

  /** The events of each transaction that changes rows of clients; reads all once. */
  List<List<byte[]>> transactionsWithRows() {
    return parts.stream()
        .skip(1)
        .filter(events -> read(events).tables().stream().anyMatch(RecordedStream::isOfClients))
        .toList();
  }

  /** Sends a transaction's events, and gives what the reader makes of them. */
  BinlogTransaction read(List<byte[]> events) {
    send(events);
    try {
      return reader.poll(0).orElseThrow();
    } catch (InterruptedException e) {
      throw new IllegalStateException("a transaction is not waited for", e);
    }
  }

  private void send(List<byte[]> events) {
    ByteBuf packets = mysqld.alloc().buffer(1024);
    for (byte[] event : events) {
      packets.writeMediumLE(event.length + 1).writeByte(sequence++).writeByte(0);
      packets.writeBytes(event);
    }
    mysqld.writeInbound(packets);
  }
}
