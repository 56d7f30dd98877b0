package io.alrai.dn.ship;

/**
 * What a feed holds in memory.
 *
 * @param nearBytes bytes of the last transactions, for all subscriptions together
 * @param nearCount how many of these transactions
 * @param farBytes bytes read ahead for one subscription that has fallen far behind
 */
public record FeedBounds(long nearBytes, int nearCount, long farBytes) {
  /** Checks them. */
  public FeedBounds {
    if (nearBytes < 1 || nearCount < 1 || farBytes < 1) {
      throw new IllegalArgumentException("nothing fits in: " + nearBytes + ", " + nearCount);
    }
  }

  /** 16 MiB, 16384 transactions, 8 MiB. */
  public static FeedBounds standard() {
    return new FeedBounds(16L << 20, 1 << 14, 8L << 20);
  }
}
