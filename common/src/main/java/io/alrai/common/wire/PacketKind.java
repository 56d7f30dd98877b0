package io.alrai.common.wire;

/** What a packet of a reply is. */
public enum PacketKind {
  /** OK without a result set. */
  OK,
  /** It waits for the file of a LOAD DATA LOCAL, and goes on after it. */
  FILE_WANTED,
  /** An error; ends the reply. */
  ERR,
  /** Number of columns of a result set. */
  COLUMN_COUNT,
  /** A column definition with more to come. */
  COLUMN,
  /** The last column definition: rows follow. */
  LAST_COLUMN,
  /** A row, or the continuation of one over 16 MiB. */
  ROW,
  /** End of a result set: an OK packet with header 0xFE. */
  RESULT_END,
  /** Reply to STMT_PREPARE: statement id and counts. */
  PREPARE_OK,
  /** Definition of a parameter. */
  PARAMETER,
  /** Text of STATISTICS. */
  TEXT
}
