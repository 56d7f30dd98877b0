package io.alrai.cn.trace;

import org.jspecify.annotations.Nullable;

/**
 * What was asked for at one place. Written on the event loop of the statement's client; complete
 * when its trace is.
 */
public final class TraceStep {
  /** What a time is that is not known. */
  public static final long UNKNOWN = -1;

  private final String place;
  private final String text;
  private final long startNanos;
  private final long waitNanos;
  private long firstNanos = UNKNOWN;
  private long nanos = UNKNOWN;
  private long rows;
  private long bytes;
  private @Nullable String error;

  /**
   * A step that begins.
   *
   * @param place a DN, or the way that the whole statement took
   * @param startNanos since the statement began
   * @param waitNanos for the connection, before that; {@link #UNKNOWN} where it was there
   */
  TraceStep(String place, String text, long startNanos, long waitNanos) {
    this.place = place;
    this.text = text;
    this.startNanos = startNanos;
    this.waitNanos = waitNanos;
  }

  /** Whether nothing has come yet. */
  boolean awaitsFirst() {
    return firstNanos == UNKNOWN;
  }

  /** When the first packet came. */
  void first(long sinceNanos) {
    firstNanos = sinceNanos - startNanos;
  }

  /** A packet of so many bytes has come. */
  void came(int length, boolean row) {
    bytes += length;
    rows += row ? 1 : 0;
  }

  /** It has ended. */
  void ended(long sinceNanos) {
    nanos = sinceNanos - startNanos;
  }

  /** It has ended, or will, with an error. */
  void failed(String sentence) {
    error = sentence;
  }

  /** It has given so many rows more. */
  void rows(long more) {
    rows += more;
  }

  /** The DN; of the first step the way that the statement took. */
  public String place() {
    return place;
  }

  /** What was sent, or a part of it. */
  public String text() {
    return text;
  }

  /** When it began, in microseconds since the statement did. */
  public long startMicros() {
    return startNanos / 1_000;
  }

  /** How long a connection was waited for; null where one was there. */
  public @Nullable Long waitMicros() {
    return micros(waitNanos);
  }

  /** After how long the first packet came; null where none has. */
  public @Nullable Long firstMicros() {
    return micros(firstNanos);
  }

  /** How long it took; null where it had not ended when the statement had. */
  public @Nullable Long micros() {
    return micros(nanos);
  }

  /** How many rows came. */
  public long rows() {
    return rows;
  }

  /** How many bytes came. */
  public long bytes() {
    return bytes;
  }

  /** Why it failed; null where it has not. */
  public @Nullable String error() {
    return error;
  }

  private static @Nullable Long micros(long nanos) {
    return nanos == UNKNOWN ? null : nanos / 1_000;
  }
}
