package io.alrai.optimizer.api.shape;

import java.util.Arrays;

/** Pairs of start and end that grow at the end. */
final class PositionList {
  /** What is kept for the next statement at most. */
  private static final int KEPT = 1 << 15;

  private int[] pairs = new int[64];
  private int count;

  void clear() {
    count = 0;
    if (pairs.length > KEPT) {
      pairs = new int[64];
    }
  }

  int count() {
    return count;
  }

  void cutTo(int newCount) {
    count = newCount;
  }

  void add(int start, int end) {
    if (2 * count == pairs.length) {
      pairs = Arrays.copyOf(pairs, pairs.length * 2);
    }
    pairs[2 * count] = start;
    pairs[2 * count + 1] = end;
    count++;
  }

  int start(int index) {
    return pairs[2 * index];
  }

  int end(int index) {
    return pairs[2 * index + 1];
  }

  /** Both numbers of every pair. */
  int[] copy() {
    return Arrays.copyOf(pairs, 2 * count);
  }
}
