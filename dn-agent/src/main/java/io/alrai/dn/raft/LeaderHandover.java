package io.alrai.dn.raft;

/** Asked when its member has won an election. */
interface LeaderHandover {
  /**
   * Begins to give leadership to another member, if this one cannot serve. Must not block.
   *
   * @return whether it does
   */
  boolean handsOver();
}
