package io.alrai.tpcc;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * The random values of the specification (TPC-C 2.1.5, 2.1.6, 4.3.2). Not safe for several threads.
 *
 * <p>The constants C of NURand are fixed, so that a run fits any load: the one for last names is
 * 157 while loading and 223 while running, 66 apart, as 2.1.6.1 demands (65 to 119, not 96 or 112).
 */
final class TpccRandom {
  static final int LAST_NAME_CONSTANT_OF_LOAD = 157;
  static final int LAST_NAME_CONSTANT_OF_RUN = 223;
  private static final int CUSTOMER_CONSTANT = 987;
  private static final int ITEM_CONSTANT = 5987;

  private static final String[] SYLLABLES = {
    "BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"
  };
  private static final byte[] ALPHANUMERIC =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789ab"
          .getBytes(StandardCharsets.US_ASCII);

  private final RandomGenerator random;

  TpccRandom(long seed) {
    this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
  }

  /** Uniform, both ends included. */
  int number(int low, int high) {
    return random.nextInt(low, high + 1);
  }

  /** True in so many of a hundred cases. */
  boolean percent(int share) {
    return random.nextInt(100) < share;
  }

  /** Negative exponential with this mean, at most ten times the mean (5.2.5.4). */
  double exponential(double mean) {
    return Math.min(-Math.log(1 - random.nextDouble()) * mean, 10 * mean);
  }

  /** NURand(A, x, y) of 2.1.6. */
  int nonUniform(int a, int c, int low, int high) {
    return (((number(0, a) | number(low, high)) + c) % (high - low + 1)) + low;
  }

  int customer(TpccScale scale) {
    return nonUniform(1023, CUSTOMER_CONSTANT, 1, scale.customersPerDistrict());
  }

  int item(TpccScale scale) {
    return nonUniform(8191, ITEM_CONSTANT, 1, scale.items());
  }

  /** A last name that occurs in every district; the constant depends on the phase. */
  String lastName(TpccScale scale, int constant) {
    return lastName(nonUniform(255, constant, 0, scale.highestLastName()));
  }

  /** The name of a number from 0 to 999 (4.3.2.3). */
  static String lastName(int number) {
    return SYLLABLES[number / 100] + SYLLABLES[number / 10 % 10] + SYLLABLES[number % 10];
  }

  /** Letters and digits of a random length (4.3.2.2). */
  String alphanumeric(int low, int high) {
    byte[] bytes = new byte[number(low, high)];
    long bits = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (i % 10 == 0) {
        bits = random.nextLong();
      }
      bytes[i] = ALPHANUMERIC[(int) (bits & 63)];
      bits >>>= 6;
    }
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Digits. */
  String digits(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ('0' + random.nextInt(10));
    }
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Letters and digits, 26 to 50, with ORIGINAL somewhere in a tenth of the cases (4.3.3.1). */
  String itemData() {
    String text = alphanumeric(26, 50);
    if (!percent(10)) {
      return text;
    }
    int at = number(0, text.length() - 8);
    return text.substring(0, at) + "ORIGINAL" + text.substring(at + 8);
  }

  String zip() {
    return digits(4) + "11111";
  }

  /** The numbers from 1 to n, shuffled. */
  int[] permutation(int n) {
    int[] result = new int[n];
    for (int i = 0; i < n; i++) {
      result[i] = i + 1;
    }
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int value = result[i];
      result[i] = result[j];
      result[j] = value;
    }
    return result;
  }

  void shuffle(List<?> values) {
    Collections.shuffle(values, random);
  }
}
