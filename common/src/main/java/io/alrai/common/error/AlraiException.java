package io.alrai.common.error;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** The one exception of the project: what a client reads as error number, SQLSTATE and sentence. */
public final class AlraiException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final String TOO_DEEP =
      "Thread stack overrun: the statement is nested too deeply for the CN's threads; write it with"
          + " fewer levels";
  private static final String MALFORMED = "Malformed communication packet.";
  private static final String INTERRUPTED = "Query execution was interrupted";

  private final int errno;
  private final String sqlState;
  private final ErrorKind kind;
  private final boolean signalled;
  private final boolean nothingDone;
  private final TreeMap<String, String> items;

  /** An error that Alrai raises itself. */
  public AlraiException(ErrorCode code, String message) {
    super(message);
    this.errno = code.errno();
    this.sqlState = code.sqlState();
    this.kind = code.kind();
    this.signalled = false;
    this.nothingDone = false;
    this.items = new TreeMap<>();
  }

  /** An exception with its cause. */
  public AlraiException(ErrorCode code, String message, Throwable cause) {
    super(message, cause);
    this.errno = code.errno();
    this.sqlState = code.sqlState();
    this.kind = code.kind();
    this.signalled = false;
    this.nothingDone = false;
    this.items = new TreeMap<>();
  }

  private AlraiException(ErrorCode code, String message, boolean hasStack) {
    super(message, null, false, hasStack);
    this.errno = code.errno();
    this.sqlState = code.sqlState();
    this.kind = code.kind();
    this.signalled = false;
    this.nothingDone = false;
    this.items = new TreeMap<>();
  }

  /** An error of which there are thousands a second: it has no stack, which would tell nothing. */
  public static AlraiException ofMany(ErrorCode code, String message) {
    return new AlraiException(code, message, false);
  }

  private AlraiException(
      int errno, String sqlState, String message, boolean signalled, Map<String, String> items) {
    super(message);
    this.signalled = signalled;
    this.nothingDone = false;
    this.items = new TreeMap<>(items);
    this.errno = errno;
    this.sqlState = sqlState;
    this.kind =
        errno == ErrorCode.ER_LOCK_DEADLOCK.errno()
                || errno == ErrorCode.ER_LOCK_WAIT_TIMEOUT.errno()
            ? ErrorKind.RETRY
            : ErrorKind.USER;
  }

  private AlraiException(AlraiException known, String message, boolean nothingDone) {
    super(message, known);
    this.errno = known.errno;
    this.sqlState = known.sqlState;
    this.kind = known.kind;
    this.signalled = false;
    this.nothingDone = nothingDone;
    this.items = new TreeMap<>();
  }

  /** Whether it has this error's number. */
  public boolean is(ErrorCode code) {
    return errno == code.errno();
  }

  /** Whether a connection to a server was lost, be it before or after that read the statement. */
  public boolean isLostConnection() {
    return errno == ErrorCode.CR_SERVER_LOST.errno() || hasNotRun();
  }

  /** Whether a connection was of no use before its server had read the statement. */
  public boolean hasNotRun() {
    return errno == ErrorCode.CR_SERVER_GONE_ERROR.errno();
  }

  /** Whether it is known of the whole statement that nothing was done, or all of it is undone. */
  public boolean nothingDone() {
    return nothingDone;
  }

  /**
   * What MySQL takes and Alrai does not: 1235.
   *
   * @param what the sentence after "doesn't yet support", and what to do instead
   */
  public static AlraiException unsupported(String what) {
    return new AlraiException(
        ErrorCode.ER_NOT_SUPPORTED_YET, "This version of Alrai doesn't yet support " + what);
  }

  /** An error that a mysqld raised, passed on as it is. */
  public static AlraiException fromServer(int errno, String sqlState, String message) {
    return new AlraiException(errno, sqlState, message, false, Map.of());
  }

  /**
   * What SIGNAL and RESIGNAL raise.
   *
   * @param items what it says beside these, by names in upper case (MySQL Reference Manual, "SIGNAL
   *     Condition Information Items")
   */
  public static AlraiException signalled(
      int errno, String sqlState, String message, Map<String, String> items) {
    return new AlraiException(errno, sqlState, message, true, items);
  }

  /** What a statement fails with that was ended: 1317. */
  public static AlraiException interruption() {
    return new AlraiException(ErrorCode.ER_QUERY_INTERRUPTED, INTERRUPTED);
  }

  /** The error for a thread that was interrupted while it waited. */
  public static AlraiException interruption(Exception cause) {
    return new AlraiException(ErrorCode.ER_QUERY_INTERRUPTED, INTERRUPTED, cause);
  }

  /** What a statement gets that has too many levels for a thread's stack: 1436. */
  public static AlraiException tooDeep() {
    return new AlraiException(ErrorCode.ER_STACK_OVERRUN_NEED_MORE, TOO_DEEP);
  }

  /** What a command gets that is not of its form: 1835. */
  public static AlraiException malformed() {
    return new AlraiException(ErrorCode.ER_MALFORMED_PACKET, MALFORMED);
  }

  /** The error for a malformed packet, with its cause. */
  public static AlraiException malformed(Exception cause) {
    return new AlraiException(ErrorCode.ER_MALFORMED_PACKET, MALFORMED, cause);
  }

  /** What work failed with: the first of these among the causes, else a defect of Alrai. */
  public static AlraiException causeOf(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof AlraiException known) {
        return known;
      }
    }
    return new AlraiException(ErrorCode.ALRAI_INTERNAL, "internal error: " + failure, failure);
  }

  /** A copy with another sentence. */
  public AlraiException withSentence(String sentence) {
    return new AlraiException(this, sentence, nothingDone);
  }

  /** A copy of a statement's error with another sentence: all that it had done is undone. */
  public AlraiException withNothingDone(String sentence) {
    return new AlraiException(this, sentence, true);
  }

  /** MySQL's error number. */
  public int errno() {
    return errno;
  }

  /** Five characters. */
  public String sqlState() {
    return sqlState;
  }

  /** Whether a statement of the client's raised it: nothing has happened but that. */
  public boolean signalled() {
    return signalled;
  }

  /** Condition information items that SIGNAL gave it. */
  public Map<String, String> items() {
    return Collections.unmodifiableMap(items);
  }

  /** Who can do something about it. */
  public ErrorKind kind() {
    return kind;
  }

  /** The sentence for the client; never null. */
  public String sentence() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
