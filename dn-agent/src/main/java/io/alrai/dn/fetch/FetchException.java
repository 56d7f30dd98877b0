package io.alrai.dn.fetch;

/**
 * A source does not give what it should, or gives what must not be trusted; the message says what
 * and why. Errors of the machine's own files are IOExceptions instead.
 */
public final class FetchException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean absent;

  /** What is wrong, in a sentence. */
  public FetchException(String sentence) {
    super(sentence);
    absent = false;
  }

  /** What is wrong, in a sentence, and what it comes from. */
  public FetchException(String sentence, Throwable cause) {
    super(sentence, cause);
    absent = false;
  }

  private FetchException(String sentence, boolean absent) {
    super(sentence);
    this.absent = absent;
  }

  /** There is no such file. */
  static FetchException absent(String sentence) {
    return new FetchException(sentence, true);
  }

  /** Whether the source says that it has no such file. */
  boolean isAbsent() {
    return absent;
  }

  /** For the person who runs it. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
