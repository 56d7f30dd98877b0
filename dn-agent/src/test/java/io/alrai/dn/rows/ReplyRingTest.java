package io.alrai.dn.rows;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.link.KeyedTable;
import io.alrai.dn.link.ReplyKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplyRingTest {
  private static final int BYTES = 256 << 10;
  private static final KeyedTable TABLE = new KeyedTable("s", "t", List.of("id"));

  private final ReplyRing ring = new ReplyRing(BYTES);
  private final byte[] into = new byte[4_096];

  private static ReplyKey read(int key, int length) {
    ReplyKey read = new ReplyKey();
    read.begin(TABLE, key);
    read.add(key);
    read.add("q".repeat(length));
    read.seal();
    return read;
  }

  private static byte[] reply(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private byte[] found(ReplyKey read, long touched) {
    int length = ring.find(read, touched, into);
    return length < 0 ? new byte[0] : Arrays.copyOf(into, length);
  }

  @Test
  void aReplyIsFoundUntilItsRowIsTouched() {
    byte[] reply = "reply".getBytes(StandardCharsets.US_ASCII);
    ring.keep(read(1, 10), 7, reply, reply.length);
    assertArrayEquals(reply, found(read(1, 10), 7));
    assertEquals(-1, ring.find(read(1, 10), 8, into));
    assertEquals(-1, ring.find(read(1, 11), 7, into));
    assertEquals(-1, ring.find(read(2, 10), 7, into));
    byte[] other = "other reply".getBytes(StandardCharsets.US_ASCII);
    ring.keep(read(1, 10), 8, other, other.length);
    assertArrayEquals(other, found(read(1, 10), 8));
    assertEquals(-1, ring.find(read(1, 10), 7, into));
  }

  @Test
  void whatIsTooLongIsNotKept() {
    byte[] reply = new byte[BYTES];
    ring.keep(read(1, 10), 7, reply, reply.length);
    assertEquals(-1, ring.find(read(1, 10), 7, into));
  }

  /** Many rounds: what is found is what was kept last, and the newest is found nearly always. */
  @Test
  void overwrittenRepliesAreNotFound() {
    Random random = new Random(42);
    Map<Integer, Integer> seeds = new HashMap<>();
    int recent = 0;
    int older = 0;
    for (int i = 0; i < 20_000; i++) {
      int key = random.nextInt(2_000);
      byte[] reply = reply(i, 40 + i % 300);
      ring.keep(read(key, key % 50), key, reply, reply.length);
      seeds.put(key, i);
      recent += found(read(key, key % 50), key).length > 0 ? 1 : 0;
      int other = random.nextInt(2_000);
      byte[] found = found(read(other, other % 50), other);
      if (found.length > 0) {
        int seed = seeds.get(other);
        assertArrayEquals(reply(seed, 40 + seed % 300), found);
        older++;
      }
    }
    assertEquals(20_000, recent);
    assertTrue(older > 2_000 && older < 18_000, older + " found");
  }
}
