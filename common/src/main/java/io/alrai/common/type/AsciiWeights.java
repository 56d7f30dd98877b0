package io.alrai.common.type;

import java.util.Arrays;

/** The weights of the 128 ASCII characters under one collation. Immutable. */
public final class AsciiWeights {
  private static final int CHARACTERS = 128;

  private final byte[][] weights;
  private final int longest;

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

  /** The weight of one ASCII character; not to be changed. */
  public byte[] of(byte character) {
    return weights[character];
  }

  /** The weight of a blank. */
  public byte[] blank() {
    return weights[' '].clone();
  }
}
