package io.alrai.dn.binlog;

import io.alrai.common.error.AlraiException;

/**
 * The stream cannot be followed: a damaged or unknown event, a server that is not set up for it.
 * The message says what; the stream is closed.
 */
public final class BinlogException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int FATAL_ERROR_READING_BINLOG = 1236;

  private final boolean gone;

  /** With a sentence. */
  public BinlogException(String sentence) {
    super(sentence);
    gone = false;
  }

  /** With what led to it. */
  public BinlogException(String sentence, Throwable cause) {
    super(sentence, cause);
    gone = false;
  }

  private BinlogException(String sentence, boolean gone) {
    super(sentence);
    this.gone = gone;
  }

  /** What was asked for is not kept any more. */
  public static BinlogException gone(String sentence) {
    return new BinlogException(sentence, true);
  }

  /** Whether what was asked for is not kept any more: files are gone, or stamps. */
  public boolean positionLost() {
    Throwable reason = this;
    while (reason != null) {
      boolean lost =
          switch (reason) {
            case AlraiException answer -> answer.errno() == FATAL_ERROR_READING_BINLOG;
            case BinlogException own -> own.gone;
            default -> false;
          };
      if (lost) {
        return true;
      }
      reason = reason.getCause();
    }
    return false;
  }
}
