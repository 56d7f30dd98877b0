package io.alrai.common.wire;

/** What form of reply a command has. */
public enum ReplyKind {
  /** QUERY and STMT_EXECUTE: OK, error, or result sets. */
  RESULTS,
  /**
   * As RESULTS, for a text of Alrai's own that has several statements; a second statement in any
   * other text is refused by the mysqld.
   */
  SEVERAL,
  /** LOAD DATA LOCAL of Alrai's own: it asks for the file, then OK or error; or error at once. */
  FILE,
  /** STMT_PREPARE. */
  PREPARE,
  /** One OK or error: PING, INIT_DB, RESET_CONNECTION, STMT_RESET, SET_OPTION. */
  STATUS,
  /** One packet of text: STATISTICS. */
  TEXT
}
