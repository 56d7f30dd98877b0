package io.alrai.cn.ccl;

/**
 * What a rule does at one CN.
 *
 * @param running statements that have a place
 * @param waiting those that wait for one
 * @param refused those that got an error, at once or after they had waited for too long
 * @param knownShapes of those that it was about, statements whose shape had been seen before
 * @param matched statements that it was about
 */
public record RuleCounts(long running, long waiting, long refused, long knownShapes, long matched) {
  /** Nothing. */
  public static final RuleCounts NONE = new RuleCounts(0, 0, 0, 0, 0);

  /** Both together. */
  public RuleCounts plus(RuleCounts other) {
    return new RuleCounts(
        running + other.running,
        waiting + other.waiting,
        refused + other.refused,
        knownShapes + other.knownShapes,
        matched + other.matched);
  }
}
