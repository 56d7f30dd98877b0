package io.alrai.executor.fragment;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The collations that the analytical executor compares by. Plans over others are not built: the
 * fallback answers them.
 */
public enum TextCollation {
  /** Bytes; no padding. */
  BINARY(false, false),
  /** Code points; trailing spaces do not matter. */
  UTF8MB4_BIN(false, true),
  /** Code points; no padding. */
  UTF8MB4_0900_BIN(false, false),
  /** Neither accents nor case matter; no padding. */
  UTF8MB4_0900_AI_CI(true, false),
  /** Case does not matter, nor do trailing spaces. */
  UTF8MB4_GENERAL_CI(true, true);

  private final boolean folds;
  private final boolean padsSpace;

  TextCollation(boolean folds, boolean padsSpace) {
    this.folds = folds;
    this.padsSpace = padsSpace;
  }

  /** Whether different characters can be equal. */
  public boolean folds() {
    return folds;
  }

  /** Whether trailing spaces do not matter. */
  public boolean padsSpace() {
    return padsSpace;
  }

  /** By MySQL's name, whatever its case; empty for one that the fallback must take. */
  public static Optional<TextCollation> ofName(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return Arrays.stream(values()).filter(known -> known.name().equals(upper)).findFirst();
  }
}
