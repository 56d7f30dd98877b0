package io.alrai.dn.link;

/** The agent's accounts at its mysqld. */
public enum BackendAccount {
  /** All privileges: statements over partition groups. */
  DATA,
  /**
   * The same for clients with CLIENT_FOUND_ROWS, which is fixed at login: UPDATE counts matches.
   */
  DATA_FOUND_ROWS,
  /** The same as DATA, for connections that keep named locks: these are bounded by themselves. */
  NAMED_LOCKS,
  /** Sees the shadow schemas only: SHOW, information_schema. */
  SHADOW
}
