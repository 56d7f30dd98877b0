package io.alrai.dn.raft;

import java.util.Optional;

/** A member's part of its group's log, as one needs it who reads it for others. Thread-safe. */
public interface KeptLog {
  /** Whether this member leads, and knows of all that was committed before. */
  boolean leads();

  /** The last entry that this member has, committed or not. */
  LastEntry last();

  /** Who leads, as far as this member knows. */
  Optional<String> leader();

  /** Whether it has more on disk than it may keep for others. */
  boolean isTooLong();

  /**
   * This member needs no entries up to there any more: what it has from them is on disk. They go
   * when others do not need them from this member either. A member without rows needs none.
   *
   * @param index as given with the entry, or less
   */
  void release(long index);
}
