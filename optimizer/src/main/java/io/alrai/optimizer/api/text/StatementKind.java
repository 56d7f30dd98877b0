package io.alrai.optimizer.api.text;

/** What a statement's first word says. */
public enum StatementKind {
  /** Nothing but blanks and comments. */
  EMPTY,
  /** SELECT, WITH, TABLE, VALUES, or an opening parenthesis. */
  QUERY,
  INSERT,
  REPLACE,
  UPDATE,
  DELETE,
  DO,
  CALL,
  /** EXPLAIN, DESCRIBE, DESC. */
  EXPLAIN,
  SET,
  USE,
  SHOW,
  /** BEGIN and START. */
  BEGIN,
  COMMIT,
  ROLLBACK,
  OTHER
}
