package io.alrai.microbench;

import io.alrai.common.wire.Packets;
import io.alrai.dn.link.KeptReplies;
import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.ReplyKey;
import io.alrai.dn.rpc.wire.Envelope;
import io.alrai.dn.rpc.wire.FrameKind;
import io.alrai.dn.rpc.wire.KeptRecords;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What the envelope adds to a read between a CN and an agent, without sockets. */
@State(Scope.Thread)
public class KeptBench {
  private static final int REPLY_BYTES = 250;

  private final byte[] settings = new byte[16];
  private final byte[] text =
      "SELECT c FROM sbtest1 WHERE id=25031".getBytes(StandardCharsets.US_ASCII);
  private final KeyedTable table = new KeyedTable("a17_p00003", "sbtest1", List.of("id"));
  private final ReplyKey asked = new ReplyKey();
  private final ReplyKey heard = new ReplyKey();
  private final byte[] reply = new byte[REPLY_BYTES];
  private final ByteBuf wire = Unpooled.directBuffer(1_024);

  /** A question about a kept reply, as it is written and read. */
  @Benchmark
  public long question() {
    asked.begin(table, KeyedTable.rowHash(table.rowHash(), 25_031));
    asked.add(settings);
    asked.add("a17_p00003");
    asked.add(text);
    asked.seal();
    wire.clear();
    KeptRecords.ask(wire, 1, asked, KeptReplies.CURRENT, 0);
    wire.skipBytes(KeptRecords.HEADER + Integer.BYTES + 2 * Long.BYTES);
    KeptRecords.read(wire, heard);
    return heard.hash();
  }

  /** A reply that was found, as it is written and read. */
  @Benchmark
  public int answer() {
    wire.clear();
    KeptRecords.found(wire, 1, 2, reply, reply.length);
    wire.skipBytes(Short.BYTES + KeptRecords.ANSWER);
    wire.readBytes(reply, 0, reply.length);
    return wire.readerIndex();
  }

  /** The header of a frame around a statement, which is not copied. */
  @Benchmark
  public int header() {
    wire.clear();
    Envelope.header(wire, FrameKind.DATA, 0, 1, 2, text.length + Packets.HEADER);
    return wire.writerIndex();
  }
}
