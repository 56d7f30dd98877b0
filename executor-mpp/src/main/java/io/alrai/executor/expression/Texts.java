package io.alrai.executor.expression;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.executor.fragment.TextCollation;
import io.alrai.executor.memory.Mem;

/**
 * Strings as address and length in bytes, UTF-8. Collations that fold compare ASCII by the weights
 * of MySQL; a character beyond, or one that such a collation ignores, is refused with 1235 when it
 * has to be compared, so that the fallback answers the statement. Collations are passed by their
 * ordinal.
 */
public final class Texts {
  /** ASCII by increasing weight in utf8mb4_0900_ai_ci; letters and control characters left out. */
  private static final String AI_CI_ORDER =
      "\t\n\u000b\f\r _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$0123456789";

  private static final int IGNORED = -1;
  private static final int BEYOND = -2;
  private static final int[][] WEIGHTS = weights();

  private Texts() {}

  private static int[][] weights() {
    int[][] all = new int[TextCollation.values().length][];
    for (TextCollation collation : TextCollation.values()) {
      all[collation.ordinal()] =
          switch (collation) {
            case BINARY, UTF8MB4_BIN, UTF8MB4_0900_BIN -> plain();
            case UTF8MB4_GENERAL_CI -> upperCase();
            case UTF8MB4_0900_AI_CI -> accentless();
          };
    }
    return all;
  }

  private static int[] plain() {
    int[] weights = new int[256];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = i;
    }
    return weights;
  }

  private static int[] upperCase() {
    int[] weights = plain();
    for (int i = 0; i < weights.length; i++) {
      weights[i] = i >= 128 ? BEYOND : Character.toUpperCase(i);
    }
    return weights;
  }

  private static int[] accentless() {
    int[] weights = new int[256];
    for (int i = 0; i < weights.length; i++) {
      int place = i < 128 ? AI_CI_ORDER.indexOf(i) + 1 : BEYOND;
      boolean letter = i < 128 && Character.isLetter(i);
      weights[i] = letter ? 128 + Character.toLowerCase(i) : place == 0 ? IGNORED : place;
    }
    return weights;
  }

  private static int weight(int[] weights, long address) {
    int weight = weights[(int) Mem.byteAt(address) & 0xff];
    if (weight < 0) {
      throw refused(weight);
    }
    return weight;
  }

  private static AlraiException refused(int weight) {
    String what = weight == IGNORED ? "control characters" : "characters beyond ASCII";
    return new AlraiException(
        ErrorCode.ER_NOT_SUPPORTED_YET,
        "The analytical executor does not compare " + what + " by a collation that folds");
  }

  private static final boolean[] FOLDS = new boolean[TextCollation.values().length];
  private static final boolean[] PADS = new boolean[TextCollation.values().length];

  static {
    for (TextCollation collation : TextCollation.values()) {
      FOLDS[collation.ordinal()] = collation.folds();
      PADS[collation.ordinal()] = collation.padsSpace();
    }
  }

  /** Bytes without trailing spaces where the collation pads. */
  private static long significant(long address, long length, int collation) {
    long end = length;
    if (PADS[collation]) {
      while (end > 0 && Mem.byteAt(address + end - 1) == ' ') {
        end--;
      }
    }
    return end;
  }

  /** Equal strings have equal hashes. */
  public static long hash(long address, long length, int collation) {
    long end = significant(address, length, collation);
    long hash = end;
    if (FOLDS[collation]) {
      int[] weights = WEIGHTS[collation];
      for (long i = 0; i < end; i++) {
        hash = hash * 0x100000001B3L + weight(weights, address + i);
      }
      return Whole.hash(hash);
    }
    long i = 0;
    for (; i + 8 <= end; i += 8) {
      hash = Whole.hash(hash ^ Mem.longAt(address + i));
    }
    for (; i < end; i++) {
      hash = hash * 0x100000001B3L + Mem.byteAt(address + i);
    }
    return Whole.hash(hash);
  }

  /** Whether two strings are equal. */
  public static boolean equal(long one, long oneLength, long other, long length, int collation) {
    if (one == other && oneLength == length) {
      return true;
    }
    if (!FOLDS[collation] && !PADS[collation]) {
      return oneLength == length && Mem.mismatch(one, other, length) < 0;
    }
    return compare(one, oneLength, other, length, collation) == 0;
  }

  /** Below 0, 0 or above 0. */
  public static int compare(long one, long oneLength, long other, long length, int collation) {
    int[] weights = WEIGHTS[collation];
    long both = Math.min(oneLength, length);
    for (long i = 0; i < both; i++) {
      int difference = weight(weights, one + i) - weight(weights, other + i);
      if (difference != 0) {
        return difference;
      }
    }
    return oneLength >= length
        ? rest(one, both, oneLength, collation)
        : -rest(other, both, length, collation);
  }

  /**
   * Compares what the longer string has beyond the shorter one's end: it may be ignored, or
   * refused.
   */
  private static int rest(long address, long from, long length, int collation) {
    int[] weights = WEIGHTS[collation];
    if (PADS[collation]) {
      return padded(address, from, length, weights);
    }
    if (from < length && FOLDS[collation]) {
      weight(weights, address + from);
    }
    return Long.compare(length, from);
  }

  private static int padded(long address, long from, long length, int[] weights) {
    for (long i = from; i < length; i++) {
      int difference = weight(weights, address + i) - weights[' '];
      if (difference != 0) {
        return difference;
      }
    }
    return 0;
  }

  /** How many bytes the character has that begins here. */
  private static int width(long address) {
    int lead = (int) Mem.byteAt(address);
    return lead >= 0 ? 1 : (lead & 0xe0) == 0xc0 ? 2 : (lead & 0xf0) == 0xe0 ? 3 : 4;
  }

  /** Characters. */
  public static long characters(long address, long length) {
    long count = 0;
    for (long i = 0; i < length; i++) {
      count += (Mem.byteAt(address + i) & 0xc0) != 0x80 ? 1 : 0;
    }
    return count;
  }

  /** How many bytes the first characters have. */
  private static long bytesOf(long address, long length, long characters) {
    long at = 0;
    for (long i = 0; i < characters && at < length; i++) {
      at += width(address + at);
    }
    return Math.min(at, length);
  }

  /** Bytes before a SUBSTRING's position; all where nothing is left. */
  public static long substringStart(long address, long length, long position) {
    if (position == 0) {
      return length;
    }
    if (position > 0) {
      return bytesOf(address, length, position - 1);
    }
    long from = characters(address, length) + position;
    return from < 0 ? length : bytesOf(address, length, from);
  }

  /** How many bytes the first characters have; 0 where there are to be none. */
  public static long substringLength(long address, long length, long characters) {
    return characters <= 0 ? 0 : bytesOf(address, length, characters);
  }

  /** Bytes before the last characters. */
  public static long rightStart(long address, long length, long characters) {
    return characters <= 0
        ? length
        : bytesOf(address, length, Math.max(0, characters(address, length) - characters));
  }

  /** Leading spaces. */
  public static long leadingSpaces(long address, long length) {
    long at = 0;
    while (at < length && Mem.byteAt(address + at) == ' ') {
      at++;
    }
    return at;
  }

  /** Bytes without trailing spaces. */
  public static long trimmedLength(long address, long length) {
    long end = length;
    while (end > 0 && Mem.byteAt(address + end - 1) == ' ') {
      end--;
    }
    return end;
  }

  /**
   * LIKE. Trailing spaces count, whatever the collation.
   *
   * @param pattern address of the pattern's bytes, after {@code patternLength} of them nothing
   * @param flags the collation's ordinal in the low byte, the escape character above
   */
  public static boolean like(long text, long length, long pattern, long patternLength, int flags) {
    int[] weights = WEIGHTS[flags & 0xff];
    int escape = flags >>> 8;
    long at = 0;
    long in = 0;
    long retryAt = -1;
    long retryIn = -1;
    while (at < length) {
      long step =
          in < patternLength ? step(text + at, pattern, in, patternLength, weights, escape) : 0;
      if (step == ANY) {
        retryIn = ++in;
        retryAt = at;
        if (in == patternLength) {
          return true;
        }
      } else if (step > 0) {
        at += width(text + at);
        in += step;
      } else if (retryIn >= 0) {
        retryAt += width(text + retryAt);
        at = retryAt;
        in = retryIn;
      } else {
        return false;
      }
    }
    while (in < patternLength && Mem.byteAt(pattern + in) == '%') {
      in++;
    }
    return in == patternLength;
  }

  private static final long ANY = -1;

  /** Bytes of the pattern that match the character, 0 for none, {@link #ANY} at a percent sign. */
  private static long step(
      long text, long pattern, long in, long patternLength, int[] weights, int escape) {
    int symbol = (int) Mem.byteAt(pattern + in);
    if (symbol == '%') {
      return ANY;
    }
    if (symbol == '_') {
      return 1;
    }
    long skipped = symbol == escape && in + 1 < patternLength ? 1 : 0;
    long from = pattern + in + skipped;
    int width = width(text);
    if (width == 1 && Mem.byteAt(from) >= 0) {
      return weight(weights, text) == weight(weights, from) ? skipped + 1 : 0;
    }
    for (int i = 0; i < width; i++) {
      if (in + skipped + i >= patternLength
          || weight(weights, text + i) != weight(weights, from + i)) {
        return 0;
      }
    }
    return skipped + width;
  }
}
