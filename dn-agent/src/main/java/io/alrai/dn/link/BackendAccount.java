package io.alrai.dn.link;

/** The agent's accounts at its mysqld. */
public enum BackendAccount {
  /** All privileges: statements over partition groups. */
  DATA,
  /** Sees the shadow schemas only: SHOW, information_schema. */
  SHADOW
}
