package io.alrai.dn.raft;

/**
 * When a member's log forgets what nobody needs.
 *
 * @param segmentBytes of a file of the log; what nobody needs goes by whole files
 * @param lookEvery how many entries are committed between two looks at what may go
 * @param retainedBytes what is kept for members that are away; more is not kept for them
 */
public record LogBounds(long segmentBytes, long lookEvery, long retainedBytes) {
  /** What is kept for members that are away, if nobody says so. */
  public static final long USUAL_RETAINED = 4L << 30;

  /** For data. */
  public static LogBounds standard() {
    return new LogBounds(32 << 20, 4_096, USUAL_RETAINED);
  }

  /** A copy that keeps so many bytes. */
  public LogBounds retaining(long bytes) {
    return new LogBounds(segmentBytes, lookEvery, bytes);
  }
}
