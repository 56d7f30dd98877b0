package io.alrai.dn.raft;

import io.alrai.dn.link.GroupLimit;
import java.util.function.LongSupplier;

/**
 * When a member's log forgets what nobody needs.
 *
 * @param segmentBytes of a file of the log; what nobody needs goes by whole files
 * @param lookEvery how many entries are committed between two looks at what may go
 * @param retained bytes that are kept for members that are away, at each look; more is not kept
 */
public record LogBounds(long segmentBytes, long lookEvery, LongSupplier retained) {
  /** Bounds that stay. */
  public LogBounds(long segmentBytes, long lookEvery, long retainedBytes) {
    this(segmentBytes, lookEvery, () -> retainedBytes);
  }

  /** For data. */
  public static LogBounds standard() {
    return new LogBounds(32 << 20, 4_096, GroupLimit.LOG_RETENTION.usual());
  }

  /** What is kept for members that are away. */
  public long retainedBytes() {
    return retained.getAsLong();
  }

  /** A copy that keeps so many bytes, asked at each look. */
  public LogBounds retaining(LongSupplier bytes) {
    return new LogBounds(segmentBytes, lookEvery, bytes);
  }
}
