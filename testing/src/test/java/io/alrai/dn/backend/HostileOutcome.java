package io.alrai.dn.backend;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.alrai.cn.branch.ShardCall;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Packets;
import io.alrai.dn.link.Branch;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How one reader's reply went. */
public final class HostileOutcome {
  private final List<String> rows = new ArrayList<>();
  private final List<Runnable> checks = new ArrayList<>();
  private @Nullable EmbeddedChannel client;
  private int over;

  /** The reader got the end of its reply. */
  public void over() {
    over++;
  }

  /** The reader was given this. */
  public void row(String text) {
    rows.add(text);
  }

  /** The client that the reader answers. */
  public EmbeddedChannel client() {
    EmbeddedChannel known = client;
    if (known == null) {
      known = new EmbeddedChannel();
      client = known;
    }
    return known;
  }

  /** What must hold in the end. */
  public void check(Runnable check) {
    checks.add(check);
  }

  /** A virtual thread's reading of a result. */
  public ShardCall call(Branch branch) {
    ShardCall[] call = new ShardCall[1];
    call[0] =
        new ShardCall(() -> {
          over();
          read(call[0]);
        });
    call[0].runsOn(branch);
    return call[0];
  }

  /** All of it is there: this never waits. */
  private void read(ShardCall call) {
    try {
      call.columns();
      byte[] row;
      while ((row = call.nextRow()) != null) {
        row(new String(row, 1, Math.max(0, row.length - 1), UTF_8));
      }
    } catch (AlraiException failed) {
      assertFalse(failed.sentence().isEmpty());
    }
  }

  int timesOver() {
    return over;
  }

  /** All that it was given, when nothing more can come. */
  List<String> end() {
    EmbeddedChannel known = client;
    if (known != null) {
      drain(known);
    }
    checks.forEach(Runnable::run);
    return rows;
  }

  private void drain(EmbeddedChannel channel) {
    ByteBuf all = Unpooled.buffer();
    ByteBuf out;
    while ((out = channel.readOutbound()) != null) {
      all.writeBytes(out);
      out.release();
    }
    int expected = 1;
    int at = 0;
    while (all.writerIndex() - at >= Packets.HEADER) {
      int length = all.getUnsignedMediumLE(at);
      assertEquals(expected, all.getUnsignedByte(at + 3), "the client's packets are in step");
      expected = expected + 1 & 0xff;
      row(all.toString(at + Packets.HEADER + 1, Math.max(0, length - 1), US_ASCII));
      at += Packets.HEADER + length;
    }
    assertEquals(all.writerIndex(), at, "the client's packets are whole");
    channel.finishAndReleaseAll();
  }
}
