package io.alrai.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class TpccRandomTest {
  private final TpccRandom random = new TpccRandom(42);

  @Test
  void lastNamesAreMadeOfThreeSyllables() {
    assertEquals("BARBARBAR", TpccRandom.lastName(0));
    assertEquals("PRICALLYOUGHT", TpccRandom.lastName(371));
    assertEquals("EINGEINGEING", TpccRandom.lastName(999));
    assertEquals("BARBAREING", TpccRandom.lastName(9));
  }

  @Test
  void theConstantsForLastNamesAreAsFarApartAsDemanded() {
    int delta =
        Math.abs(TpccRandom.LAST_NAME_CONSTANT_OF_RUN - TpccRandom.LAST_NAME_CONSTANT_OF_LOAD);
    assertTrue(delta >= 65 && delta <= 119 && delta != 96 && delta != 112, "delta " + delta);
    assertTrue(TpccRandom.LAST_NAME_CONSTANT_OF_RUN <= 255);
  }

  @Test
  void nonUniformReachesBothEndsAndNothingElse() {
    int[] counts = new int[102];
    for (int i = 0; i < 200_000; i++) {
      counts[random.nonUniform(63, 17, 1, 100)]++;
    }
    assertEquals(0, counts[0]);
    assertTrue(Arrays.stream(counts, 1, 101).allMatch(count -> count > 0));
    assertEquals(0, counts[101]);
  }

  @Test
  void nonUniformIsTheFormulaOfTheSpecification() {
    // The hottest value has the most bits of A | x set; the constant only turns the range.
    int[] counts = new int[256];
    for (int i = 0; i < 100_000; i++) {
      counts[random.nonUniform(255, 10, 0, 255)]++;
    }
    int hottest =
        IntStream.range(0, 256).reduce((a, b) -> counts[a] >= counts[b] ? a : b).orElse(-1);
    assertEquals((255 + 10) % 256, hottest);
    // P(a | b = 255) = (3/4)^8 = 0.1001
    assertEquals(10_011, counts[hottest], 600);
  }

  @Test
  void stringsHaveTheLengthsAskedFor() {
    for (int i = 0; i < 1_000; i++) {
      String text = random.alphanumeric(8, 16);
      assertTrue(text.matches("[A-Za-z0-9]{8,16}"), text);
    }
    assertTrue(random.zip().matches("[0-9]{4}11111"));
  }

  @Test
  void aTenthOfTheItemsIsOriginal() {
    int original = 0;
    for (int i = 0; i < 20_000; i++) {
      String data = random.itemData();
      assertTrue(data.length() >= 26 && data.length() <= 50, data);
      original += data.contains("ORIGINAL") ? 1 : 0;
    }
    assertEquals(2_000, original, 200);
  }

  @Test
  void permutationsHaveEveryNumberOnce() {
    int[] values = random.permutation(3_000);
    assertFalse(Arrays.equals(IntStream.rangeClosed(1, 3_000).toArray(), values));
    Arrays.sort(values);
    assertEquals(IntStream.rangeClosed(1, 3_000).sum(), Arrays.stream(values).sum());
    assertEquals(1, values[0]);
    assertEquals(3_000, values[2_999]);
  }

  @Test
  void thinkingTimesHaveTheMeanAndAreCutAtTenTimesIt() {
    double sum = 0;
    for (int i = 0; i < 100_000; i++) {
      double time = random.exponential(12);
      assertTrue(time >= 0 && time <= 120);
      sum += time;
    }
    assertEquals(12, sum / 100_000, 0.2);
  }

  @Test
  void theSameSeedGivesTheSameValues() {
    assertEquals(
        new TpccRandom(7).alphanumeric(300, 500), new TpccRandom(7).alphanumeric(300, 500));
  }
}
