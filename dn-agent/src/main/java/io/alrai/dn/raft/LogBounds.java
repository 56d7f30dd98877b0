package io.alrai.dn.raft;

/**
 * When a member's log forgets what nobody needs.
 *
 * @param segmentBytes of a file of the log; what nobody needs goes by whole files
 * @param lookEvery how many entries are committed between two looks at what may go
 */
public record LogBounds(long segmentBytes, long lookEvery) {
  /** For data. */
  public static LogBounds standard() {
    return new LogBounds(32 << 20, 4_096);
  }
}
