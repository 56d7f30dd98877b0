package io.alrai.dn.link;

import io.alrai.common.time.HlcTimestamp;

/** What a primary's gate says of a transaction that was to be pushed above a snapshot. */
public sealed interface PushAnswer {
  /** If it ever commits, then above the snapshot that was named. Aborted ones are here too. */
  record Above() implements PushAnswer {}

  /** Decided, for good, at this timestamp, which may be below or above the snapshot. */
  record Committed(HlcTimestamp commitTs) implements PushAnswer {}
}
