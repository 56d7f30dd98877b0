package io.alrai.tpcc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class LatencyHistogramTest {
  private final LatencyHistogram histogram = new LatencyHistogram();

  @Test
  void anEmptyOneIsZero() {
    assertEquals(0, histogram.percentileMicros(99));
    assertEquals(0, histogram.maxMicros());
    assertEquals(0, histogram.meanMicros());
  }

  @Test
  void smallValuesAreExact() {
    for (int i = 1; i <= 100; i++) {
      histogram.record(i);
    }
    assertEquals(50, histogram.percentileMicros(50));
    assertEquals(95, histogram.percentileMicros(95));
    assertEquals(100, histogram.percentileMicros(100));
    assertEquals(50, histogram.meanMicros());
  }

  @Test
  void percentilesAreWithinTwoPercentOfTheSortedValues() {
    Random random = new Random(11);
    long[] values = new long[100_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = (long) Math.exp(random.nextDouble() * 18);
      histogram.record(values[i]);
    }
    Arrays.sort(values);
    for (double percent : new double[] {1, 10, 50, 90, 95, 99, 99.9}) {
      long exact = values[(int) Math.ceil(values.length * percent / 100) - 1];
      long found = histogram.percentileMicros(percent);
      assertTrue(
          found >= exact && found <= exact * 1.016 + 1, percent + ": " + found + " for " + exact);
    }
    assertEquals(values[values.length - 1], histogram.maxMicros());
  }

  @Test
  void neverMoreThanTheMaximum() {
    histogram.record(1_000_003);
    assertEquals(1_000_003, histogram.percentileMicros(50));
  }

  @Test
  void takesTheLongestTimesThereAre() {
    histogram.record(Long.MAX_VALUE);
    assertEquals(Long.MAX_VALUE, histogram.percentileMicros(50));
  }

  @Test
  void addsUp() {
    LatencyHistogram other = new LatencyHistogram();
    histogram.record(10);
    other.record(20);
    other.record(5_000);
    histogram.add(other);
    assertEquals(3, histogram.total());
    assertEquals(20, histogram.percentileMicros(50));
    assertEquals(5_000, histogram.maxMicros());
  }
}
