package io.alrai.executor.operator;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An exact sum of texts of one scale: in 64 bits while they suffice. */
final class DecimalSum {
  private static final int LONG_DIGITS = 18;

  private final int scale;
  private long small;
  private @Nullable BigInteger large;

  DecimalSum(int scale) {
    this.scale = scale;
  }

  /** Adds the number in the bytes. */
  void add(byte[] bytes, int start, int length) {
    int at = start;
    int end = start + length;
    boolean negative = at < end && bytes[at] == '-';
    if (negative) {
      at++;
    }
    int digits = 0;
    int fraction = 0;
    boolean behindPoint = false;
    long value = 0;
    for (; at < end; at++) {
      if (bytes[at] == '.') {
        behindPoint = true;
      } else {
        value = value * 10 + (bytes[at] - '0');
        digits++;
        fraction += behindPoint ? 1 : 0;
      }
    }
    if (digits > LONG_DIGITS || fraction != scale) {
      String text = new String(bytes, start, length, StandardCharsets.US_ASCII);
      addLarge(new BigDecimal(text).setScale(scale).unscaledValue());
    } else {
      addSmall(negative ? -value : value);
    }
  }

  private void addSmall(long value) {
    long sum = small + value;
    if (((small ^ sum) & (value ^ sum)) < 0) {
      addLarge(BigInteger.valueOf(value));
    } else {
      small = sum;
    }
  }

  private void addLarge(BigInteger value) {
    large = large == null ? value : large.add(value);
  }

  /** The sum so far. */
  BigDecimal value() {
    BigInteger unscaled = BigInteger.valueOf(small);
    return new BigDecimal(large == null ? unscaled : unscaled.add(large), scale);
  }

  /** The sum as a mysqld writes it. */
  String text() {
    return scale == 0 && large == null ? Long.toString(small) : value().toPlainString();
  }
}
