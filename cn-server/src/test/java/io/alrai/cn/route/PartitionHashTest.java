package io.alrai.cn.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rows lie where these numbers put them: an expectation that changes here is a lost row there. */
class PartitionHashTest {
  @ParameterizedTest
  @CsvSource({
    "0, e220a8397b1dcdaf",
    "1, 910a2dec89025cc1",
    "-1, e4d971771b652c20",
    "42, bdd732262feb6e95",
    "9223372036854775807, 2a67d7552e039ea7",
    "-9223372036854775808, 481ec0a212a9f3db"
  })
  void integers(long value, String expected) {
    assertEquals(expected, Long.toHexString(PartitionHash.ofLong(value)));
  }

  @ParameterizedTest
  @CsvSource({
    "'', bb1fd59c964c1554",
    "a, 3717dcb04c68c4b2",
    "abcdefg, 47665e195447c027",
    "abcdefgh, 898d7889db1e2f26",
    "abcdefghi, 11d1375c8a890700",
    "2026-11-21 06:50:50.5, 855d5149b1e210f3"
  })
  void bytes(String text, String expected) {
    byte[] bytes = ("##" + text + "#").getBytes(StandardCharsets.UTF_8);
    assertEquals(expected, Long.toHexString(PartitionHash.ofBytes(bytes, 2, bytes.length - 1)));
  }

  @Test
  void chains() {
    assertEquals(
        "acad0b9f0868d9d4",
        Long.toHexString(PartitionHash.chain(PartitionHash.ofLong(1), PartitionHash.ofLong(2))));
    assertEquals(
        "69f24a61eab3a344",
        Long.toHexString(PartitionHash.chain(PartitionHash.ofLong(2), PartitionHash.ofLong(1))));
    assertEquals("6e9a37c15bd2f04d", Long.toHexString(PartitionHash.NULL));
  }

  @ParameterizedTest
  @CsvSource({"0, 2, 1", "1, 2, 1", "2, 2, 0", "3, 2, 1", "7, 16, 7", "1000000007, 1024, 782"})
  void indexes(long value, int count, int expected) {
    assertEquals(expected, PartitionHash.index(value, count));
  }

  @Test
  void spreadsRunsOfIntegers() {
    for (int count : new int[] {2, 3, 4, 7, 8, 16, 64}) {
      for (long stride : new long[] {1, 2, 10, 16, 1024, 1L << 32}) {
        int[] rows = new int[count];
        int total = 1000 * count;
        for (long i = 0; i < total; i++) {
          rows[PartitionHash.index(i * stride, count)]++;
        }
        int least = Arrays.stream(rows).min().orElse(0);
        int most = Arrays.stream(rows).max().orElse(0);
        assertTrue(
            least > 850 && most < 1150, count + " by " + stride + ": " + Arrays.toString(rows));
      }
    }
  }
}
