package io.alrai.dn.mysqld;

/**
 * What went wrong with finding, preparing, starting or stopping a MySQL server: a reason to decide
 * by and one sentence for the person who runs it, with the tail of the server's error log where
 * there is one.
 */
public final class MysqldException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Reason reason;

  /** An error with its sentence. */
  public MysqldException(Reason reason, String sentence) {
    super(sentence);
    this.reason = reason;
  }

  /** An exception with its cause. */
  public MysqldException(Reason reason, String sentence, Throwable cause) {
    super(sentence, cause);
    this.reason = reason;
  }

  /** Why. */
  public Reason reason() {
    return reason;
  }

  /** For the person who runs it; several lines when the server's log is quoted. */
  public String sentence() {
    String message = getMessage();
    return message == null ? "" : message;
  }

  /** The closed set of reasons. */
  public enum Reason {
    /** No MySQL server was found and none may be fetched. */
    NOT_FOUND,
    /** What was found is not a MySQL server of at least 8.4: MariaDB, too old, or does not run. */
    UNSUITABLE,
    /** The download failed: no network, no such package, what came must not be trusted. */
    FETCH_FAILED,
    /** A program cannot be run. */
    TOOL_MISSING,
    /** The file system is full. */
    DISK_FULL,
    /** The user may not read or write a file or directory. */
    PERMISSION,
    /** The TCP port is taken. */
    PORT_TAKEN,
    /** Another Alrai process serves this directory. */
    IN_USE,
    /** Another mysqld, not one of ours, holds the data directory. */
    DATA_DIRECTORY_LOCKED,
    /** The data directory is damaged, or was written by a newer server than this one. */
    DATA_DIRECTORY_UNUSABLE,
    /** The server refused an option. */
    BAD_OPTION,
    /** Not ready within the bound. */
    TIMEOUT,
    /** It ended while starting and said nothing that is known here: read the log. */
    START_FAILED,
    /** A file operation failed for another reason. */
    IO,
    /** The waiting thread was interrupted. */
    INTERRUPTED
  }
}
