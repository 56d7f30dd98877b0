package io.alrai.cn.health;

/**
 * How a CN that was asked to end lets its clients go.
 *
 * @param listenSeconds for how long it still lets new ones in, while it says that it is not ready,
 *     so that load balancers hear of it first
 * @param mostSeconds for how long, then, transactions may take to end
 */
public record DrainBounds(long listenSeconds, long mostSeconds) {
  /** Nobody is waited for. */
  public static final DrainBounds NONE = new DrainBounds(0, 0);

  /** What a role does whose file says nothing of it. */
  public static final DrainBounds USUAL = new DrainBounds(5, 60);

  /** Whether nobody is waited for. */
  boolean isNone() {
    return listenSeconds == 0 && mostSeconds == 0;
  }
}
