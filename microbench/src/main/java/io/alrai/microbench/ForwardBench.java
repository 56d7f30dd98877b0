package io.alrai.microbench;

import io.alrai.common.wire.Packets;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Random;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * A query to a mysqld and its result back to the client, without sockets: from the command in its
 * buffer until the packets for the client are released. Includes one copy of the result, which
 * stands for the read from the mysqld's socket.
 */
@State(Scope.Thread)
public class ForwardBench {
  private static final int RESULTS = 64;
  private static final int MANY_ROWS = 100;

  private final ForwardingSession session = new ForwardingSession();
  private final Turns<byte[]> oneRow = Turns.of(RESULTS, random -> result(random, 1));
  private final Turns<byte[]> hundredRows = Turns.of(RESULTS, random -> result(random, MANY_ROWS));

  private static byte[] result(Random random, int rows) {
    ByteBuf out = Unpooled.buffer();
    int sequence = ForwardingSession.writeColumns(out);
    for (int i = 0; i < rows; i++) {
      int header = Packets.begin(out, sequence++);
      SbtestRow.write(out, SbtestRow.id(random), random);
      Packets.end(out, header);
    }
    return ForwardingSession.end(out, sequence);
  }

  /** A row of 130 bytes, which is copied. */
  @Benchmark
  public int oneRow() {
    return session.forward(oneRow.next());
  }

  /** Rows of 13,000 bytes, which are passed on as a slice. */
  @Benchmark
  public int hundredRows() {
    return session.forward(hundredRows.next());
  }
}
