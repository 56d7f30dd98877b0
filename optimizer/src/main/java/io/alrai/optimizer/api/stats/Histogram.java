package io.alrai.optimizer.api.stats;

import java.util.List;

/**
 * Equal parts of a column's values that are not NULL: between two neighbouring bounds lie as many
 * rows as between any other two.
 *
 * @param bounds ascending, at least two; the first is the smallest value, the last the largest
 */
public record Histogram(List<Double> bounds) {
  /** Copies the list; refuses fewer than two bounds. */
  public Histogram {
    bounds = List.copyOf(bounds);
    if (bounds.size() < 2) {
      throw new IllegalArgumentException("a histogram of " + bounds.size() + " bounds");
    }
  }

  /** The part of the values that lie below a bound, 0 to 1. */
  public double fractionBelow(double bound) {
    int parts = bounds.size() - 1;
    double whole = 0;
    for (int i = 0; i < parts; i++) {
      double low = bounds.get(i);
      double high = bounds.get(i + 1);
      if (bound > high) {
        whole++;
      } else if (bound > low) {
        return (whole + (bound - low) / (high - low)) / parts;
      }
    }
    return whole / parts;
  }
}
