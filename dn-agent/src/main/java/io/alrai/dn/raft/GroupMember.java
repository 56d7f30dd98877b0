package io.alrai.dn.raft;

import java.util.Comparator;

/**
 * A voter of a group.
 *
 * @param name unique in its group
 * @param address host:port
 * @param keeps what it keeps besides the log
 */
public record GroupMember(String name, String address, Keeps keeps) {
  static final Comparator<GroupMember> BY_NAME = Comparator.comparing(GroupMember::name);

  /** What a voter has. */
  public enum Keeps {
    /** The log and a mysqld: it can lead. */
    ROWS,
    /** The log alone: it can win an election, and hands over to a member that has rows. */
    LOG
  }
}
