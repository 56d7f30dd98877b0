package io.alrai.dn.link;

/** What became of a transaction whose commit was not answered, as its connection broke. */
public enum CommitFate {
  /** It is committed, and will be there whoever leads. */
  COMMITTED,
  /** It is not committed, and will never be. */
  LOST,
  /** Its leader leads on, so that it may still be committed: ask again. */
  OPEN,
  /** Nobody knows it for certain. */
  UNKNOWN
}
