package io.alrai.microbench;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.alrai.common.wire.Lenenc;
import io.netty.buffer.ByteBuf;
import java.util.Random;
import java.util.StringJoiner;

/** Values as sysbench's tables have them. */
final class SbtestRow {
  private static final int IDS = 1_000_000;
  private static final long GROUP = 100_000_000_000L;

  private SbtestRow() {}

  /** A key. */
  static int id(Random random) {
    return random.nextInt(IDS);
  }

  /** A value of the column {@code c}, 119 characters. */
  static String c(Random random) {
    return groups(random, 10);
  }

  /** A value of the column {@code pad}, 59 characters. */
  static String pad(Random random) {
    return groups(random, 5);
  }

  private static String groups(Random random, int count) {
    StringJoiner groups = new StringJoiner("-");
    for (int i = 0; i < count; i++) {
      groups.add("%011d".formatted(random.nextLong(GROUP)));
    }
    return groups.toString();
  }

  /** Writes a key and a value of {@code c}, as rows of the text protocol have them. */
  static void write(ByteBuf out, int id, Random random) {
    Lenenc.writeBytes(out, Integer.toString(id).getBytes(US_ASCII));
    Lenenc.writeBytes(out, c(random).getBytes(US_ASCII));
  }
}
