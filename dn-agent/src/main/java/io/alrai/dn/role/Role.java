package io.alrai.dn.role;

/** What a member does. */
public enum Role {
  /** Its mysqld does not answer yet. */
  STARTING,
  /** Its mysqld applies what the group commits. */
  FOLLOWING,
  /** Its mysqld lacks rows that the group's log does not have any more, and clones another. */
  REBUILDING,
  /** It was elected, and its mysqld applies the rest. */
  PROMOTING,
  /** Its mysqld writes. */
  LEADING,
  /** Its mysqld answers the last statements, then another member is elected. */
  HANDING_OVER,
  /** It has ceased to lead, and its mysqld ends. */
  DEMOTING,
  /** Its group goes on without it: its mysqld has ended, and it has nothing to do any more. */
  DROPPED,
  /** Ended. */
  CLOSED;

  /** Whether the mysqld takes writes, or just did. */
  boolean leads() {
    return this == LEADING || this == HANDING_OVER;
  }
}
