package io.alrai.dn.binlog;

/**
 * The stream cannot be followed: a damaged or unknown event, a server that is not set up for it.
 * The message says what; the stream is closed.
 */
public final class BinlogException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With a sentence. */
  BinlogException(String sentence) {
    super(sentence);
  }

  /** With what led to it. */
  BinlogException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
