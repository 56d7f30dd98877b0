package io.alrai.cn.session;

/** The way that a statement took. */
public enum StatementPath {
  /** One place answered it as it came. */
  PINNED,
  /** An agent answered it by a reply that it kept. */
  KEPT,
  /** Several places answered, or one place several statements. */
  SCATTER,
  /** It ran over copies of rows. */
  GATHER,
  /** Column indexes answered it. */
  COLUMNS,
  /** It has no rows of tables. */
  ADMIN
}
