package io.alrai.common.type;

import java.util.Arrays;

/** The weights of the 128 ASCII characters under one collation. Immutable. */
public final class AsciiWeights {
  private static final int CHARACTERS = 128;

  private final byte[][] weights;
  private final int longest;

  /** All weights with an 0xff after every 0, each in as many bytes as the longest takes. */
  private final byte[] escaped;

  private final byte[] escapedLengths = new byte[CHARACTERS];
  private final int escapedLongest;

  /**
   * A table.
   *
   * @param weights one entry for each character; empty for what the collation ignores
   */
  public AsciiWeights(byte[][] weights) {
    if (weights.length != CHARACTERS) {
      throw new IllegalArgumentException("weights of " + weights.length + " characters");
    }
    this.weights = Arrays.stream(weights).map(byte[]::clone).toArray(byte[][]::new);
    this.longest = Arrays.stream(weights).mapToInt(w -> w.length).max().orElse(0);
    this.escapedLongest = 2 * longest;
    this.escaped = new byte[CHARACTERS * escapedLongest];
    for (int character = 0; character < CHARACTERS; character++) {
      int at = character * escapedLongest;
      for (byte b : weights[character]) {
        escaped[at++] = b;
        if (b == 0) {
          escaped[at++] = (byte) 0xff;
        }
      }
      escapedLengths[character] = (byte) (at - character * escapedLongest);
    }
  }

  /** Whether all bytes of a range are ASCII. */
  public static boolean isAscii(byte[] text, int length) {
    for (int i = 0; i < length; i++) {
      if (text[i] < 0) {
        return false;
      }
    }
    return true;
  }

  /** The weights of an ASCII string. */
  public byte[] of(byte[] text, int length) {
    byte[] out = new byte[longest * length];
    int at = 0;
    for (int i = 0; i < length; i++) {
      byte[] weight = weights[text[i]];
      for (byte b : weight) {
        out[at++] = b;
      }
    }
    return at == out.length ? out : Arrays.copyOf(out, at);
  }

  /** At most so many bytes does {@link #putEscaped} write for each character. */
  public int escapedLongest() {
    return escapedLongest;
  }

  /**
   * Writes the weights of ASCII characters with an 0xff after every 0, so that two zeros may end
   * them.
   *
   * @return the index after them
   */
  public int putEscaped(byte[] text, int from, int count, byte[] out, int index) {
    int at = index;
    for (int i = from; i < from + count; i++) {
      int weight = text[i] * escapedLongest;
      int end = weight + escapedLengths[text[i]];
      while (weight < end) {
        out[at++] = escaped[weight++];
      }
    }
    return at;
  }

  /** The weight of a blank. */
  public byte[] blank() {
    return weights[' '].clone();
  }
}
