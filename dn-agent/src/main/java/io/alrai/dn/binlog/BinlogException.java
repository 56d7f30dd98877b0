package io.alrai.dn.binlog;

import io.alrai.common.error.AlraiException;

/**
 * The stream cannot be followed: a damaged or unknown event, a server that is not set up for it.
 * The message says what; the stream is closed.
 */
public final class BinlogException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int FATAL_ERROR_READING_BINLOG = 1236;

  /** Whether the server has no longer what was asked for: its files are gone. */
  public boolean positionLost() {
    Throwable reason = this;
    while (reason != null) {
      if (reason instanceof AlraiException answer && answer.errno() == FATAL_ERROR_READING_BINLOG) {
        return true;
      }
      reason = reason.getCause();
    }
    return false;
  }

  /** With a sentence. */
  public BinlogException(String sentence) {
    super(sentence);
  }

  /** With what led to it. */
  public BinlogException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
